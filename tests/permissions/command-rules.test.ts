import { describe, expect, it } from "vitest";
import { isReadOnlyDefault, parseRules } from "../../src/permissions/command-rules.js";
import { READ_ONLY_COMMANDS } from "../../src/permissions/defaults.js";

const entries = (...texts: string[]): { text: string; origin: string }[] =>
  texts.map((text) => ({ text, origin: "user settings" }));

describe("entries of a list of commands", () => {
  it.each([
    "",
    "  ",
    "*",
    "ls *",
    "ls && rm",
    "ls; id",
    "ls > x",
    "$x",
    "echo $(id)",
    "ls\nid",
    '"ls"',
    "ｌｓ",
    "lѕ -la",
  ])("%j is no plain prefix: it is ignored with a warning that tells why and where", (text) => {
    const { rules, warnings } = parseRules(entries(text, "cat"), "allow");
    expect(rules).toHaveLength(1);
    expect(warnings).toEqual([
      {
        text,
        origin: "user settings",
        kind: "ignored",
        problem: expect.stringMatching(/empty|no plain/) as string,
      },
    ]);
  });

  it.each([
    "ls ",
    "git status",
    "npm run test:unit",
    "./gradlew test",
    "git log --format=%h",
    "npm run 测试",
    "[",
  ])("%j counts, without a warning", (text) => {
    const { rules, warnings } = parseRules(entries(text), "allow");
    expect(rules).toHaveLength(1);
    expect(warnings).toEqual([]);
  });

  it("a bare interpreter or wrapper counts, with a warning; a longer prefix and a denied one have none", () => {
    const { rules, warnings } = parseRules(entries("bash", "npx", "npm test"), "allow");
    expect(rules).toHaveLength(3);
    expect(warnings.map(({ text, kind }) => [text, kind])).toEqual([
      ["bash", "broad"],
      ["npx", "broad"],
    ]);
    expect(parseRules(entries("git"), "deny").warnings).toEqual([]);
  });

  it("only entries that allow no more than the built-in list need no trust", () => {
    for (const text of [...READ_ONLY_COMMANDS, "ls -la", "git log --oneline", " cat "]) {
      expect(isReadOnlyDefault(text), text).toBe(true);
    }
    for (const text of [
      "git",
      "npm test",
      "lsof",
      "git statusx",
      "git diff --ext-diff",
      "git diff --output=x",
      "git log --output",
      "cat .env",
      "ls /etc",
      "=ls",
      "ls && id",
      "",
    ]) {
      expect(isReadOnlyDefault(text), text).toBe(false);
    }
  });
});
