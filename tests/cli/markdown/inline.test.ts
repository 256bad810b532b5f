import fc from "fast-check";
import { Parser } from "commonmark";
import { describe, expect, it } from "vitest";
import { parseInline } from "../../../src/cli/markdown/inline.js";
import type { Span } from "../../../src/cli/markdown/span.js";
import { STYLE } from "../../../src/cli/markdown/span.js";

const NAMES: readonly [number, string][] = [
  [STYLE.bold, "bold"],
  [STYLE.italic, "italic"],
  [STYLE.strike, "strike"],
  [STYLE.code, "code"],
  [STYLE.link, "link"],
  [STYLE.faint, "faint"],
];

/** Spans in words, e.g. "a <bold>b</>". */
function tagged(spans: readonly Span[]): string {
  return spans
    .map(({ text, style }) => {
      const names = NAMES.filter(([flag]) => (style & flag) !== 0).map(([, name]) => name);
      return names.length === 0 ? text : `<${names.join(" ")}>${text}</>`;
    })
    .join("");
}

const read = (text: string) => tagged(parseInline(text, { isOpen: false, keepsMarks: false }).spans);
const readOpen = (text: string) => tagged(parseInline(text, { isOpen: true, keepsMarks: false }).spans);

describe("inline Markdown", () => {
  it.each([
    ["*a* _b_ **c** __d e__ ~~f~~", "<italic>a</> <italic>b</> <bold>c</> <bold>d e</> <strike>f</>"],
    ["***a** b* **c *d***", "<bold italic>a</><italic> b</> <bold>c </><bold italic>d</>"],
    ["**a `b` [c](d)**", "<bold>a </><bold code>b</><bold> </><bold link>c</><bold faint> (d)</>"],
    // Names, paths and patterns of files.
    ["snake_case_name _private __init__.py __main__", "snake_case_name _private __init__.py __main__"],
    ["src/**/*.ts and test/**/*.ts", "src/**/*.ts and test/**/*.ts"],
    ["*.ts and *.js", "*.ts and *.js"],
    ["**/*.md, **/*.txt", "**/*.md, **/*.txt"],
    ["**src/cli/** and *a/b*", "<bold>src/cli/</> and <italic>a/b</>"],
    ["2 * 3 * 4, ~5 and ~6", "2 * 3 * 4, ~5 and ~6"],
    // Without blanks round words, as in Chinese.
    ["**重点：**内容，这是**“重点”**的", "<bold>重点：</>内容，这是<bold>“重点”</>的"],
    ["`a*b*` ``c`d`` ` e ` `f", "<code>a*b*</> <code>c`d</> <code>e</> `f"],
    ["\\*a\\* \\`b\\` \\a C:\\dir", "*a* `b` \\a C:\\dir"],
    ["a\\\nb  \nc\nd", "a\nb\nc\nd"],
    [
      "[a](b) [c](<d e> 'title') [](f) [g](g)",
      "<link>a</><faint> (b)</> <link>c</><faint> (d e)</> <link>f</> <link>g</>",
    ],
    [
      "![alt *x*](a.png) [![b](c)](d)",
      "<link>alt </><italic link>x</><faint> (a.png)</> <link>b</><link faint> (c)</><faint> (d)</>",
    ],
    ["[a] [b][c] [d](e f", "[a] [b][c] [d](e f"],
    ["[a](b_(c)) [*d](e)*", "<link>a</><faint> (b_(c))</> <link>*d</><faint> (e)</>*"],
    ["<https://a.b/_c_> <me@a.b>", "<link>https://a.b/_c_</> <link>me@a.b</>"],
    [
      "https://a.b/c_d_e?f=*g*. (http://h.i/(j)) 见https://k.l。",
      "<link>https://a.b/c_d_e?f=*g</>*. (<link>http://h.i/(j)</>) 见<link>https://k.l</>。",
    ],
    [
      "a<b a <b> c </b> <br/>d <!-- *e* --> Map<string, A>",
      "a<b a <b> c </b> \nd <!-- *e* --> Map<string, A>",
    ],
    ["&lt;b&gt; &amp;amp; &copy; &#65;&#x42; &nothing; &", "<b> &amp; © AB &nothing; &"],
  ])("%s", (text, spans) => {
    expect(read(text)).toBe(spans);
  });

  it.each([
    ["&#27;[31m &#x9b;1m &#8238;", "[31m 1m "],
    ["[a](&#27;]8;;http://x&#7;)", "<link>a</>"],
    ["&NewLine;&Tab;x", "  x"],
  ])("a reference brings no sequence to the terminal: %s", (text, spans) => {
    expect(read(text)).toBe(spans);
  });

  it("keeps the marks of code and of what is struck out where no style can stand for them", () => {
    expect(
      parseInline("**a** `b` ~~c~~", { isOpen: false, keepsMarks: true })
        .spans.map(({ text }) => text)
        .join(""),
    ).toBe("a `b` ~~c~~");
  });

  it.each([
    ["a **bo", "a <bold>bo</>"],
    ["a **", "a "],
    ["a **bold*", "a <bold>bold</>"],
    ["**a *b", "<bold>a </><bold italic>b</>"],
    ["a `co", "a <code>co</>"],
    ["a `code`", "a <code>code</>"],
    ["a ~~b", "a <strike>b</>"],
    ["[te", "[te"],
    ["see [", "see "],
    ["[text](http://a", "<link>text</>"],
    ["snake_", "snake"],
    ["a \\", "a "],
    ["5 * 3", "5 * 3"],
  ])("shows what is still being written without its marks: %s", (text, spans) => {
    expect(readOpen(text)).toBe(spans);
  });

  it("pairs marks as the reference implementation of CommonMark does", () => {
    const parser = new Parser();
    const pieces = fc.constantFrom("*", "**", "***", "_", "a", "b ", " ", ".", "(", "é");
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 24 }), (parts) => {
        // What begins with a letter begins no list. "__a__" is a name to us.
        const text = `a${parts.join("")}a`;
        fc.pre(!text.includes("__"));
        expect(read(text)).toBe(tagged(referenceSpans(parser, text)));
      }),
      { numRuns: 2000 },
    );
  });
});

function referenceSpans(parser: Parser, text: string): Span[] {
  const spans: Span[] = [];
  const walker = parser.parse(text).walker();
  const depth = { emph: 0, strong: 0 };
  for (let event = walker.next(); event; event = walker.next()) {
    const { type, literal } = event.node;
    if (type === "emph" || type === "strong") depth[type] += event.entering ? 1 : -1;
    if (type !== "text" || literal === null) continue;
    const style = (depth.strong > 0 ? STYLE.bold : 0) | (depth.emph > 0 ? STYLE.italic : 0);
    const last = spans.at(-1);
    if (last?.style === style) last.text += literal;
    else spans.push({ text: literal, style });
  }
  return spans;
}
