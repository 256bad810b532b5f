import { describe, expect, it } from "vitest";
import { fuzzyCandidate, fuzzyMatches } from "../../../src/cli/editor/fuzzy-match.js";

const PATHS = [
  "README.md",
  "src/app.ts",
  "src/cli/chat.ts",
  "src/cli/chat-command.ts",
  "src/cli/render/interactive.ts",
  "src/tools/read-file.ts",
  "src/tools/file-listing.ts",
  "tests/cli/chat.test.ts",
  "docs/架构.md",
  "src/FileMemory.ts",
].map(fuzzyCandidate);

const first = (query: string) => fuzzyMatches(query, PATHS, 10)[0]?.text;

describe("fuzzy matching", () => {
  it.each([
    ["chat.ts", "src/cli/chat.ts"],
    ["CHAT", "src/cli/chat.ts"],
    ["chatcom", "src/cli/chat-command.ts"],
    ["rf", "src/tools/read-file.ts"],
    ["fm", "src/FileMemory.ts"],
    ["tool/file", "src/tools/file-listing.ts"],
    ["inter", "src/cli/render/interactive.ts"],
    ["架构", "docs/架构.md"],
    ["readme", "README.md"],
    ["testchat", "tests/cli/chat.test.ts"],
  ])("%j finds %s first", (query, path) => {
    expect(first(query)).toBe(path);
  });

  it("finds nothing that lacks a character or has them in another order", () => {
    expect(fuzzyMatches("chatx", PATHS, 10)).toEqual([]);
    expect(fuzzyMatches("stpa", [fuzzyCandidate("app.ts")], 10)).toEqual([]);
  });

  it("gives as many as are wanted, all of them for nothing", () => {
    expect(fuzzyMatches("s", PATHS, 3)).toHaveLength(3);
    expect(fuzzyMatches("", PATHS, 4).map(({ text }) => text)).toEqual(
      PATHS.slice(0, 4).map(({ text }) => text),
    );
  });
});
