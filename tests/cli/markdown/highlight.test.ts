import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createHighlighter } from "../../../src/cli/markdown/highlight.js";
import { STYLE } from "../../../src/cli/markdown/span.js";
import { painted } from "./rendered.js";

const highlighter = createHighlighter();

/** The texts of one style in the code, line by line. */
function found(language: string, code: string, style: number): string[][] {
  let state = highlighter.begin(language);
  return code.split("\n").map((line) => {
    if (state === undefined) return [];
    const { spans, after } = highlighter.line(line, state);
    state = after;
    return spans.filter((span) => span.style === style).map(({ text }) => text.trim());
  });
}

describe("highlighting", () => {
  it.each([
    ["ts", "const a = 1; // b", STYLE.keyword, ["const"]],
    ["JavaScript", "return `x`", STYLE.keyword, ["return"]],
    ["python", "def f(): return 'x'", STYLE.keyword, ["def", "return"]],
    ["py", "x = 'y'", STYLE.literal, ["'y'"]],
    ["sh", "if true; then echo x; fi", STYLE.keyword, ["if", "then", "fi"]],
    ["go", "func main() {}", STYLE.keyword, ["func"]],
    ["rust", "let x = 5;", STYLE.keyword, ["let"]],
    ["java", "class A {}", STYLE.keyword, ["class"]],
    ["c++", "int x = 10;", STYLE.value, ["10"]],
    ["sql", "SELECT a FROM b", STYLE.keyword, ["SELECT", "FROM"]],
    ["yaml", "a: 1 # b", STYLE.faint, [":", "# b"]],
    ["json", '{"a": 1}', STYLE.value, ["1"]],
    ["toml", "a = 1", STYLE.value, ["1"]],
    ["html", "<p>x</p>", STYLE.keyword, ["p", "p"]],
    ["css", "a { color: #fff }", STYLE.keyword, ["a"]],
    ["diff", "-old", STYLE.removed, ["-old"]],
    ["diff", "+new", STYLE.literal, ["+new"]],
    ["dockerfile", "FROM node", STYLE.keyword, ["FROM"]],
    ["ruby", "def f; end", STYLE.keyword, ["def", "end"]],
  ])("%s: %s", (language, code, style, texts) => {
    expect(found(language, code, style)).toEqual([texts]);
  });

  it("goes on from line to line, and never changes where it was", () => {
    expect(found("ts", "/* a\nb\n*/ let c", STYLE.faint)).toEqual([["/* a"], ["b"], ["*/"]]);
    const before = highlighter.begin("python");
    if (before === undefined) throw new Error("python is not known");
    const first = highlighter.line('"""a', before).after;
    const second = highlighter.line("b", first);
    highlighter.line('c"""', first);
    expect(highlighter.line("b", first)).toEqual(second);
  });

  it("leaves languages alone that it does not know", () => {
    expect(highlighter.begin("klingon")).toBeUndefined();
    expect(painted("```klingon\nif x\n```")).toBe("\u001b[2mklingon\u001b[22m\nif x\n");
  });

  it("changes no character of any text in any language", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        ...[
          '"',
          "'",
          "`",
          "/*",
          "*/",
          "//",
          "#",
          "<",
          "</",
          ">",
          "{",
          "}",
          "(",
          ")",
          "${",
          "\\",
          "=",
          ":",
          "-",
          " ",
          "\t",
        ],
      ),
      fc.constantFrom(
        ...[
          "if",
          "class",
          "def",
          "end",
          "<<EOF",
          "EOF",
          'r#"',
          "@",
          "--",
          "let x",
          "1e5",
          "0x",
          "%w(",
          "<?php",
          "中文",
          "👍",
        ],
      ),
      fc.string({ maxLength: 5 }),
    );
    const line = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join("").replaceAll("\n", ""));
    fc.assert(
      fc.property(fc.constantFrom(...LANGUAGES), fc.array(line, { maxLength: 12 }), (language, lines) => {
        let state = highlighter.begin(language);
        for (const each of lines) {
          if (state === undefined) throw new Error(`${language} is not known`);
          const { spans, after } = highlighter.line(each, state);
          expect(spans.map(({ text }) => text).join("")).toBe(each);
          state = after;
        }
      }),
      { numRuns: 1500 },
    );
  });
});

/** One name of each. */
const LANGUAGES = (
  "js ts json py sh c cpp cs java kt scala dart objc go rust rb swift lua ps1 sql yaml toml ini html xml css scss less " +
  "dockerfile diff"
).split(" ");
