import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { allCommands } from "../cli/all-commands.js";
import { demoPicture, pictureIn, README } from "./picture.js";

const COMMANDS = allCommands();
const TEXT = readFileSync(README, "utf8");

/** The code in fences of a language. */
function blocks(language: string): string[] {
  return [...TEXT.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)\n\`\`\`$`, "gm"))].map(
    ([, code]) => code!,
  );
}

/** How many tokens the instructions take differs from machine to machine. */
function withoutCounts(picture: string): string {
  return picture.replace(/^.* tokens in .*$/gm, (line) => line.replace(/[\d,]+/g, "0"));
}

describe("README.md", () => {
  it("shows what the demo prints today; npm run picture writes it anew", async () => {
    expect(withoutCounts(pictureIn(TEXT))).toBe(withoutCounts(await demoPicture()));
  });

  it("names only flags that there are", () => {
    const known = new Set(COMMANDS.flatMap(({ help }) => help.match(/--[a-z-]+/g) ?? []));
    const named = [...TEXT.matchAll(/mini-cc [^\n`]*/g)].flatMap(
      ([line]) => line.match(/--[a-z][a-z-]+/g) ?? [],
    );
    // Of git, in a line that pipes into mini-cc or is judged by it.
    const others = new Set(["--cached", "--quiet", "--force"]);
    expect(named.filter((flag) => !known.has(flag) && !others.has(flag))).toEqual([]);
  });

  it("names every command in its table", () => {
    const top = COMMANDS.filter(({ words }) => words.length === 1);
    const missing = top.filter(
      ({ words }) => !new RegExp(`^\\| .*\`mini-cc ${words[0]!}\\b`, "m").test(TEXT),
    );
    expect(missing.map(({ words }) => words[0])).toEqual([]);
  });

  it.each(blocks("sh"))("has lines that a shell can read: %s", (code) => {
    const { status, stderr } = spawnSync("bash", ["-n", "-c", code], { encoding: "utf8" });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });

  it("links to what is there", () => {
    const targets = [...TEXT.matchAll(/\]\((?!https?:)([^)]+)\)/g)].map(([, target]) => target!);
    const headings = [...TEXT.matchAll(/^#+ (.*)$/gm)].map(
      ([, heading]) =>
        `#${heading!
          .toLowerCase()
          .replaceAll(/[^\w ]/g, "")
          .replaceAll(" ", "-")}`,
    );
    const lost = targets.filter((target) =>
      target.startsWith("#") ? !headings.includes(target) : !existsSync(join(README, "..", target)),
    );
    expect(lost).toEqual([]);
  });
});
