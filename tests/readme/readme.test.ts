import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { call, say } from "../../src/demo/reply.js";
import { allCommands, pathWithCommand } from "../cli/all-commands.js";
import { askPlace, lastPrompt } from "../cli/ask-setup.js";
import type { CliPlace } from "../helpers/run-cli.js";
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

  /** Each recipe in an empty repository, with a model that looks round or, if asked, writes a file. */
  describe.skipIf(!["git", "jq"].every(isInstalled))("the recipes for scripts", () => {
    const recipes = blocks("sh").filter(
      (code) => code.includes("mini-cc ask") && !code.includes("mini-cc doctor"),
    );

    it.each<[begins: string, output: RegExp, lastPrompt: string]>([
      ["mini-cc ask", /^$/, "which license is this?"],
      ["git diff --cached", /^Done\.$/, "Name the real faults of this change, with file and line."],
      ["mini-cc ask", /^changed: a\.txt$/, "run npm test and fix what fails"],
      ["mini-cc ask", /^list_files\tok\t\d+\nDone\.$/, "now write a test for it"],
    ])("work: %s …", async (begins, output, lastAsked) => {
      const recipe = recipes.find((code) => code.startsWith(begins) && code.includes(lastAsked));
      const { place, server } = await askPlace({
        replies: ({ messages }) => {
          const last = messages.at(-1);
          if (last?.role !== "user") return say("Done.");
          return last.content.includes("fix what fails")
            ? call("write_file", { path: "a.txt", content: "a\n" })
            : call("list_files", { path: "." });
        },
      });
      spawnSync("git", ["init", "--quiet"], { cwd: place.workspace });
      const { status, stdout, stderr } = await runLine(place, recipe ?? "false");
      expect({ status, stderr: status === 0 ? "" : stderr }).toEqual({ status: 0, stderr: "" });
      expect(stdout.trimEnd()).toMatch(output);
      expect(lastPrompt(server)).toBe(lastAsked);
    });
  });
});

function isInstalled(program: string): boolean {
  return spawnSync(program, ["--version"]).status === 0;
}

/** Lines of bash that know `mini-cc`. */
async function runLine(place: CliPlace, code: string) {
  const child = spawn("bash", ["-c", code], {
    cwd: place.workspace,
    env: { ...place.env, PATH: pathWithCommand(place) },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 40_000,
  });
  const closed = once(child, "close");
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  await closed;
  return { status: child.exitCode, stdout, stderr };
}
