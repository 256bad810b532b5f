import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { judgeLine, makePlace } from "./place.js";
import type { TestPlace } from "./place.js";
import { parseCommandLine } from "../../src/permissions/shell-grammar.js";
import { WILDCARD, spellingsOf, uncertaintyOf } from "../../src/permissions/shell-words.js";
import { MARKER, shellPrograms, shellWords } from "./shell-programs.js";

/** More programs for a longer run, or others: SHELL_ORACLE_PROGRAMS=20000 SHELL_ORACLE_SEED=7. */
const COUNT = Number(process.env["SHELL_ORACLE_PROGRAMS"] ?? 2000);
const SEED = Number(process.env["SHELL_ORACLE_SEED"] ?? 1);
const AT_ONCE = 4;
const LISTED = ["echo", "cat", ":", "break"];

/** Every program that is not built into bash ends here, with its name; $STATUS makes it succeed or fail. */
const PRELUDE = 'exec 9>&1; command_not_found_handle() { printf "ran:%s\\n" "$1" >&9; return $STATUS; }\n';

describe("bash itself is the judge of what a line runs", () => {
  let place: TestPlace;
  let folder: string;
  beforeAll(() => {
    place = makePlace();
    folder = realpathSync(mkdtempSync(join(tmpdir(), "oracle-")));
  });
  afterAll(() => {
    place.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  it(
    `no line that the policy allows runs an unlisted program (${COUNT} programs, seed ${SEED})`,
    { timeout: 60_000 + COUNT * 500 },
    async () => {
      const programs = fc.sample(shellPrograms, { numRuns: COUNT, seed: SEED });
      const wrong: string[] = [];
      let allowed = 0;
      let ranMarker = 0;
      await Promise.all(
        Array.from({ length: AT_ONCE }, async (_, worker) => {
          for (let at = worker; at < programs.length; at += AT_ONCE) {
            const program = programs[at]!;
            const { verdict } = await judgeLine(place, program, LISTED, { pathVariable: folder });
            const ran = [...(await run(program, at, 0)), ...(await run(program, at, 1))];
            if (ran.includes(MARKER)) ranMarker++;
            if (verdict !== "allow") continue;
            allowed++;
            if (ran.some((name) => !LISTED.includes(name))) wrong.push(program);
          }
        }),
      );
      expect(wrong).toEqual([]);
      // The programs must reach both sides, or the claim above is empty.
      expect(allowed).toBeGreaterThan(COUNT / 20);
      expect(ranMarker).toBeGreaterThan(COUNT / 10);
    },
  );

  it(
    `every word that bash makes is one that the policy saw (${COUNT} words, seed ${SEED})`,
    { timeout: 60_000 + COUNT * 200 },
    async () => {
      const known = { homeDir: place.homeDir, workspaceRoot: folder };
      let compared = 0;
      for (const text of fc.sample(shellWords, { numRuns: COUNT, seed: SEED })) {
        const line = parseCommandLine(`show ${text}`);
        const [command] = line.commands;
        const words = command?.words.slice(1) ?? [];
        const isPlain =
          line.problems.length === 0 && line.commands.length === 1 && command?.redirects.length === 0;
        const isCertain = words.every((word) => uncertaintyOf(word, known) === undefined);
        if (!isPlain || !isCertain || line.words.length > 0) continue;
        const spellings = words.map((word) => spellingsOf(word, known));
        if (spellings.includes(undefined)) continue;
        const patterns = spellings.flat().map((spelling) => toPattern(spelling!));
        compared++;
        for (const made of await showWords(text)) {
          expect(
            patterns.some((pattern) => pattern.test(made)),
            `${text} becomes ${made}`,
          ).toBe(true);
        }
      }
      expect(compared).toBeGreaterThan(COUNT / 10);
    },
  );

  /** The words that bash makes of a text; none if the text is no valid bash. */
  function showWords(text: string): Promise<string[]> {
    const script = `show() { for word in "$@"; do printf '%s\\0' "$word"; done; }\nshow ${text}`;
    const options = { cwd: folder, env: { PATH: "", HOME: place.homeDir, LC_ALL: "C.UTF-8" } };
    return new Promise((settle) => {
      execFile("/bin/bash", ["--noprofile", "--norc", "-p", "-c", script], options, (_, stdout) => {
        settle(stdout.split("\0").slice(0, -1));
      });
    });
  }

  /** Names of the programs that bash looked for. */
  function run(program: string, at: number, status: 0 | 1): Promise<string[]> {
    const cwd = join(folder, `${at}-${status}`);
    mkdirSync(cwd);
    const args = ["--noprofile", "--norc", "-p", "-c", PRELUDE + program];
    const options = { cwd, env: { PATH: join(folder, "empty"), STATUS: String(status) }, timeout: 10_000 };
    return new Promise((settle) => {
      const child = execFile("/bin/bash", args, options, (_, stdout) => {
        settle([...stdout.matchAll(/^ran:(.*)$/gm)].map((match) => match[1]!));
      });
      child.stdin?.end();
    });
  }
});

function toPattern(spelling: string): RegExp {
  const literal = spelling.split(WILDCARD).map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${literal.join(".*")}$`, "s");
}
