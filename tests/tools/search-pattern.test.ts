import { spawnSync } from "node:child_process";
import { rgPath } from "@vscode/ripgrep";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compilePattern } from "../../src/tools/search-pattern.js";

const matches = (pattern: string, line: string): boolean | string => {
  const expression = compilePattern(pattern, false);
  return typeof expression === "string" ? expression : expression.test(line);
};

describe("a pattern of the own search", () => {
  it.each([
    { pattern: "def (run|stop)", finds: ["def stop"], misses: ["def (run"] },
    { pattern: "\\bcafé\\b", finds: ["le café.", "café"], misses: ["cafés", "encafé"] },
    { pattern: "^\\w+$", finds: ["größe", "中文", "a_1"], misses: ["a b", "a-b"] },
    { pattern: "\\d", finds: ["1", "٣"], misses: ["x"] },
    { pattern: "a.b", finds: ["a b", "a\u2028b"], misses: ["ab", "a\rb"] },
    { pattern: "(?i)straße|ÄRGER", finds: ["STRAßE", "ärger"], misses: ["strasse"] },
    { pattern: "(?P<quote>['\"]).*?(?P<end>['\"])", finds: ["'x'"], misses: ["'x"] },
    { pattern: "foo() {", finds: ["foo {"], misses: ["foo()"] },
    { pattern: "a{2}|b{,1}c|d{2,}", finds: ["aa", "c", "ddd"], misses: ["a d"] },
    { pattern: "[]x-]", finds: ["]", "-", "x"], misses: ["y"] },
    { pattern: "^[^\\s\\d-]+$", finds: ["abc"], misses: ["a b", "a1", "a-"] },
    { pattern: "^[[:alpha:]_][[:alnum:]]*$", finds: ["_a1"], misses: ["1a"] },
    { pattern: "[\\w.-]+@[a-z]", finds: ["a.b-c@d"], misses: ["@d"] },
    { pattern: "\\p{Greek}|\\p{Lu}x", finds: ["α", "Éx"], misses: ["éx"] },
    { pattern: "\\x41\\u0042\\x{43}", finds: ["ABC"], misses: ["abc"] },
    { pattern: "\\<end\\>", finds: ["the end."], misses: ["ending"] },
    { pattern: "(?<!pre)fix(?=ed)", finds: ["fixed"], misses: ["prefixed", "fix"] },
    { pattern: "(a|b)\\1", finds: ["aa", "bb"], misses: ["ab"] },
    { pattern: "a-b\\-c\\_d\\/e/f", finds: ["a-b-c_d/e/f"], misses: ["a-b"] },
    { pattern: "&&|--|~~", finds: ["a && b", "--"], misses: ["a"] },
    { pattern: "中文?", finds: ["中"], misses: ["文"] },
  ])("$pattern finds and misses what ripgrep does", ({ pattern, finds, misses }) => {
    for (const line of finds) expect([line, matches(pattern, line)]).toEqual([line, true]);
    for (const line of misses) expect([line, matches(pattern, line)]).toEqual([line, false]);
    const { stdout } = spawnSync(rgPath, ["--no-config", "--engine=auto", "--crlf", `--regexp=${pattern}`, "-"], {
      input: [...finds, ...misses].map((line) => `${line}\n`).join(""),
      encoding: "utf8",
    });
    expect(stdout.split("\n").slice(0, -1)).toEqual(finds);
  }); // prettier-ignore

  it.each(["render(", "a[0", "*.ts", "(?<name", "a)", "\\", "\\q", "(?x) a", "[[:nonsense:]]"])(
    "says why %s is none",
    (pattern) => {
      expect(matches(pattern, "")).toEqual(expect.any(String));
      expect(matches(pattern, "")).not.toBe("");
    },
  );

  it.each(["a.b", "(", "[a]", "\\d", "é+", "{2}", "a/b"])("is found as it is when plain text is wanted: %s", (text) => {
    const expression = compilePattern(text, true) as RegExp;
    expect(expression.exec(`x${text}y`)?.[0]).toBe(text);
    expect(expression.test("a-b 12 éé a")).toBe(false);
  }); // prettier-ignore
});

const atoms = [
  "a", "foo", ".", "\\w", "\\d", "\\s", "\\W", "\\S", "[a-c]", "[^a]", "[äö]", "é", "\\.", "\\(", "(a|b)", "(?:x|y)", "(?P<m>z)",
  "[]a]", "[\\w-]", "[a-]", "\\-", "\\_", "/", "\\x41", "\\p{L}", "[0-9]", "[^\\s]", "[\\d\\s]", "::", "=>", "中", "~", "#", " ", '"', "<T>",
]; // prettier-ignore
const pattern = fc
  .array(fc.tuple(fc.constantFrom(...atoms), fc.constantFrom("", "", "", "*", "+", "?", "{2}", "{1,}", "*?")), { minLength: 1, maxLength: 4 })
  .chain((parts) => fc.tuple(fc.constantFrom("", "^", "\\b"), fc.constant(parts.map((part) => part.join("")).join("")), fc.constantFrom("", "$", "\\b", "|foo")))
  .map((parts) => parts.join("")); // prettier-ignore
const signs = [
  "a", "b", "foo", "A", "1", "23", "٣", "é", "ä", "中", "ß", "_", "-", "/", "(", ")", "]", "{2}", ".", "x", "y", "zz", "::", "=>", "~", "#", " ", "\t", '"', "<T>",
]; // prettier-ignore
const line = fc.string({ unit: fc.constantFrom(...signs), maxLength: 8 });

describe("patterns of all kinds", () => {
  it("match the same lines as in ripgrep", { timeout: 120_000 }, () => {
    const isSame = (written: string, lines: string[]): void => {
      const expression = compilePattern(written, false);
      if (typeof expression === "string") throw new Error(`${written}: ${expression}`);
      const { stdout, status } = spawnSync(
        rgPath,
        ["--no-config", "--engine=auto", "--crlf", "--line-number", `--regexp=${written}`, "-"],
        { input: lines.map((each) => `${each}\n`).join(""), encoding: "utf8" },
      );
      expect([0, 1]).toContain(status);
      const theirs = stdout.split("\n").slice(0, -1).map((hit) => Number.parseInt(hit, 10)); // prettier-ignore
      const ours = lines.flatMap((each, index) => (expression.test(each) ? [index + 1] : []));
      expect(ours).toEqual(theirs);
    };
    const several = fc.array(line, { minLength: 40, maxLength: 80 });
    // Neither takes a name twice.
    const named = pattern.filter((written) => written.split("(?P<m>").length < 3);
    fc.assert(fc.property(named, several, isSame), { numRuns: 150 });
  });
});
