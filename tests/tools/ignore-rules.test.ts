import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { listTree } from "../../src/tools/file-listing.js";
import { lastWord, parseIgnorePatterns } from "../../src/tools/ignore-pattern.js";

/** What `git check-ignore` says of the same. */
const said: { rule: string; ignored: string[]; kept: string[] }[] = [
  { rule: "*.log", ignored: ["a.log", "d/a.log"], kept: ["a.logs", "a.LOG"] },
  { rule: "/build", ignored: ["build"], kept: ["d/build"] },
  { rule: "build/", ignored: ["build/", "d/build/"], kept: ["build"] },
  { rule: "a/b", ignored: ["a/b"], kept: ["d/a/b", "b"] },
  { rule: "**/b", ignored: ["b", "a/b", "a/c/b"], kept: ["ab"] },
  { rule: "a/**", ignored: ["a/b", "a/b/c"], kept: ["a", "b/a"] },
  { rule: "a/**/b", ignored: ["a/b", "a/x/y/b"], kept: ["ab", "a/xb"] },
  { rule: "a/*", ignored: ["a/b"], kept: ["a/b/c", "a"] },
  { rule: "a**b", ignored: ["ab", "axb", "d/axb"], kept: ["a/b"] },
  { rule: "?", ignored: ["a", "d/a"], kept: ["ab", "é"] },
  { rule: "[a-c]x", ignored: ["bx"], kept: ["dx", "-x"] },
  { rule: "[!a]x", ignored: ["bx"], kept: ["ax"] },
  { rule: "[]a]", ignored: ["]", "a"], kept: ["b"] },
  { rule: "[[:digit:]]*", ignored: ["1a"], kept: ["a1"] },
  { rule: "[b-a]", ignored: ["b"], kept: ["a"] },
  { rule: "[a", ignored: [], kept: ["[a", "a"] },
  { rule: "\\#a", ignored: ["#a"], kept: ["a"] },
  { rule: "#a", ignored: [], kept: ["#a"] },
  { rule: "\\!a", ignored: ["!a"], kept: ["a"] },
  { rule: "a\\*", ignored: ["a*"], kept: ["ab"] },
  { rule: "a  ", ignored: ["a"], kept: ["a  "] },
  { rule: "a\\ ", ignored: ["a "], kept: ["a"] },
  { rule: "a\r", ignored: ["a"], kept: ["a\r"] },
  { rule: "a\\", ignored: [], kept: ["a", "a\\"] },
  { rule: "/", ignored: [], kept: ["a"] },
  { rule: "!", ignored: [], kept: ["a"] },
];

describe("a line of a .gitignore", () => {
  it.each(said)("$rule means what it means to git", ({ rule, ignored, kept }) => {
    const patterns = parseIgnorePatterns(rule, false);
    const word = (path: string) => lastWord(patterns, path.replace(/\/$/, ""), path.endsWith("/"));
    for (const path of ignored) expect([path, word(path)]).toEqual([path, "ignored"]);
    for (const path of kept) expect([path, word(path)]).toEqual([path, undefined]);
  });

  it("is overruled by a later one", () => {
    const patterns = parseIgnorePatterns("*.log\n!keep.log\nkeep.log.bak\n", false);
    expect(["a.log", "keep.log", "a"].map((path) => lastWord(patterns, path, false))).toEqual([
      "ignored",
      "kept",
      undefined,
    ]);
  });

  it("tells no capitals from small letters where the file system does not", () => {
    expect(lastWord(parseIgnorePatterns("*.LOG", true), "a.log", false)).toBe("ignored");
  });
});

const name = fc.constantFrom(
  "a",
  "b",
  "Foo",
  "foo",
  "x.log",
  "keep.log",
  "dist",
  ".hid",
  "sp ace",
  "c.ts",
  "é",
  "#h",
  "!n",
  "lib",
);
const rule = fc
  .record({
    text: fc.oneof(name, fc.constantFrom("*.log", "*", "?", "[ab]", "[!a]", "**/foo", "foo/**", "a/**/b", "l*b", "f\\oo", "sp\\ ace", "Foo  ", "a/b", "*/", ".*", "[a-c]*", "[]a]*", "a**", "FOO")),
    negated: fc.boolean(),
    anchored: fc.boolean(),
    folder: fc.boolean(),
  })
  .map(({ text, negated, anchored, folder }) => (negated ? "!" : "") + (anchored ? "/" : "") + text + (folder ? "/" : "")); // prettier-ignore
const rules = fc.array(rule, { minLength: 1, maxLength: 4 });
const folders = fc.array(fc.array(name, { maxLength: 3 }), { minLength: 3, maxLength: 5 });
interface Tree {
  folders: string[][];
  files: [folder: number, name: string][];
  /** The .gitignore files. */
  ignores: [folder: number, rules: string[]][];
  exclude: string[];
  global: string[];
}

const trees: fc.Arbitrary<Tree> = fc.record({
  folders,
  files: fc.array(fc.tuple(fc.nat(5), name), { minLength: 5, maxLength: 20 }),
  ignores: fc.array(fc.tuple(fc.nat(5), rules), { minLength: 1, maxLength: 3 }),
  exclude: fc.option(rules, { nil: [] }),
  global: fc.option(rules, { nil: [] }),
});

/** Unless the name, or one above it, is taken by something else. */
function put(path: string, content: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  } catch (error) {
    if (!/EEXIST|ENOTDIR|EISDIR/.test(String(error))) throw error;
  }
}

async function withTree(
  tree: Tree,
  use: (root: string, env: NodeJS.ProcessEnv) => Promise<void>,
): Promise<void> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "ignoring-")));
  try {
    const root = join(home, "project");
    mkdirSync(root);
    const env = { PATH: process.env["PATH"], HOME: home };
    execFileSync("git", ["init", "-q"], { cwd: root, env });
    const at = (index: number): string => join(root, ...(tree.folders[index % tree.folders.length] ?? []));
    for (const [index, lines] of tree.ignores) put(join(at(index), ".gitignore"), lines.join("\n"));
    for (const [index, file] of tree.files) put(join(at(index), file), "");
    put(join(root, ".git/info/exclude"), tree.exclude.join("\r\n"));
    put(join(home, ".config/git/ignore"), tree.global.join("\n"));
    await use(root, env);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

describe("a list of files, in trees with rules of all kinds,", () => {
  it("holds what git would add, with git and without it", { timeout: 120_000 }, async () => {
    const isSame = (tree: Tree): Promise<void> =>
      withTree(tree, async (root, env) => {
        const args = ["ls-files", "-z", "--others", "--exclude-standard"];
        const listed = execFileSync("git", args, { cwd: root, env, encoding: "utf8" });
        const expected = listed.split("\0").filter((path) => path !== "");
        for (const PATH of [env["PATH"], "/nonexistent"]) {
          const { signal } = new AbortController();
          const { files } = await listTree(root, { root, env: { ...env, PATH }, signal });
          expect(files.sort()).toEqual(expected.sort());
        }
      });
    await fc.assert(fc.asyncProperty(trees, isSame), { numRuns: 40 });
  });
});
