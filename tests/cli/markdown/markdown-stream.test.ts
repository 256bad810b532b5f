import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { widthOf } from "../../../src/cli/render/terminal.js";
import { printable } from "../../../src/printable.js";
import { markdownStream, painted, withoutStyles } from "./rendered.js";

/** What Markdown is made of, and what breaks it. */
const PIECES = [
  ...["word ", "snake_case_name ", "src/**/*.ts ", "a", " ", "  ", "\n", "\n\n", "  \n", "\\\n", "\t"],
  ...[
    "*",
    "**",
    "***",
    "_",
    "__",
    "~~",
    "`",
    "``",
    "```",
    "```ts\n",
    "~~~",
    "[",
    "](",
    ")",
    "![",
    "](http://a.b/c) ",
  ],
  ...["# ", "### ", "- ", "  - ", "    - ", "1. ", "7) ", "- [x] ", "> ", ">> ", "---\n", "===\n", "* * *\n"],
  ...[
    "|",
    " | ",
    "| a | b |\n",
    "|---|:-:|\n",
    "<div>\n",
    "</div>",
    "<b>",
    "<!--",
    "-->",
    "<br>",
    "&amp;",
    "&#27;",
    "\\*",
  ],
  ...[
    "https://example.com/a_b ",
    "const x = 'y'; // z\n",
    "/* ",
    "*/",
    "`code` ",
    "**bold** ",
    "你好，世界。",
    "「文",
    "：**",
    "👩‍💻 ",
    "é",
  ],
  ...[
    "x".repeat(90),
    "long text of many words ".repeat(12),
    "中文没有空格".repeat(30),
    "    ",
    "\u001b[31m",
    "\u009b",
    "\r\n",
  ],
];

const text = fc
  .array(
    fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...PIECES) }, { weight: 1, arbitrary: fc.string() }),
    {
      maxLength: 60,
    },
  )
  .map((pieces) => printable(pieces.join("")));

const rendering = fc.record({
  columns: fc.constantFrom(20, 40, 80),
  colourLevel: fc.constantFrom<0 | 1>(0, 1),
  unicode: fc.boolean(),
});

/** The text in parts that are as long as the numbers say, over and over. */
function split(whole: string, lengths: readonly number[]): string[] {
  const characters = Array.from(whole);
  const parts: string[] = [];
  for (let at = 0; at < characters.length;) {
    const length = lengths[parts.length % lengths.length] ?? 1;
    parts.push(characters.slice(at, at + length).join(""));
    at += length;
  }
  return parts;
}

const lengths = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 });

describe("Markdown that is written bit by bit", () => {
  it("gives the same lines for any split of any text, whatever was looked at meanwhile", () => {
    fc.assert(
      fc.property(text, lengths, rendering, (whole, parts, how) => {
        const stream = markdownStream(how);
        let printed = "";
        for (const part of split(whole, parts)) {
          printed += stream.write(part);
          stream.open();
        }
        expect(printed + stream.end()).toBe(painted(whole, how));
      }),
      { numRuns: 300 },
    );
  });

  it("sends a terminal nothing but its own styles, whatever the text holds", () => {
    fc.assert(
      fc.property(text, lengths, rendering, (whole, parts, how) => {
        const stream = markdownStream(how);
        let all = "";
        for (const part of split(whole, parts)) all += stream.write(part) + stream.open();
        all += stream.end();
        const rest = how.colourLevel === 0 ? all : withoutStyles(all);
        expect(printable(rest)).toBe(rest);
      }),
      { numRuns: 300 },
    );
  });

  it("fits everything into the width but code, HTML and words that are too long", () => {
    const pieces = PIECES.filter((piece) => !/[`~<]|[!-~]{10}| {4}|\t|^ +$/.test(piece) && piece !== "a");
    const tame = fc.array(fc.constantFrom(...pieces.map((piece) => `${piece} `)), { maxLength: 60 });
    fc.assert(
      fc.property(tame, rendering, (parts, how) => {
        const whole = printable(parts.join(""));
        for (const row of withoutStyles(painted(whole, how)).split("\n")) {
          expect(widthOf(row)).toBeLessThanOrEqual(how.columns);
        }
      }),
      { numRuns: 200 },
    );
  });

  it("shows every word at once, printed or open", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("one", "two**", "**three", "`four`", "\n- five", "\n\n# six", "\n> seven"), {
          minLength: 1,
          maxLength: 80,
        }),
        (words) => {
          const stream = markdownStream({ columns: 30 });
          let printed = "";
          for (const word of words) {
            printed += stream.write(`${word} `);
            const letters = (shown: string) => shown.match(/[a-z]+/g)?.at(-1);
            expect(letters(withoutStyles(printed + stream.open()))).toBe(letters(word));
          }
        },
      ),
      { numRuns: 100 },
    );
  });

  it.each([
    ["a mark that may still become something else", "Text\n\n-", "Text"],
    ["a number that may begin a list", "Text\n\n1.", "Text"],
    ["a task without its box", "- a\n- [", "• a"],
    ["a fence that is being written", "Text\n\n``", "Text"],
    ["code that has not ended", "```ts\nlet a\nlet", "ts\nlet a\nlet"],
    ["bold text that has not ended", "- some **bo", "• some bo"],
    ["the head of a table", "See:\n| a | b", "See:\n\na │ b\n──┼──"],
    ["the line below it", "| a | b |\n|--", "a │ b\n──┼──"],
    ["a row of it", "| a | b |\n|---|---|\n| some **c", "a      │ b\n───────┼──\nsome c │"],
    ["a line with bars that has turned out to be text", "| a | b |\nc", "| a | b |\nc"],
    ["a heading", "## Ti", "Ti"],
  ])("shows what is open as it will be: %s", (_what, text, rows) => {
    const stream = markdownStream();
    expect(withoutStyles(stream.write(text) + stream.open())).toBe(`${rows}\n`);
  });

  it("begins anew after its end", () => {
    const stream = markdownStream();
    const first = stream.write("> - `a\n```\nb") + stream.end();
    expect(stream.write("> - `a\n```\nb") + stream.end()).toBe(first);
  });

  it.each([
    ["a paragraph without an end", "word ".repeat(3000)],
    ["a paragraph in Chinese", "这是没有空格的一段话，".repeat(1000)],
    ["a paragraph with marks", "some **bold** text and `code` with [a link](http://a.b). ".repeat(300)],
    ["a list", "- an item with **bold** text\n".repeat(500)],
    [
      "a list in lists",
      Array.from({ length: 500 }, (_, index) => `${"  ".repeat(index % 7)}- item\n`).join(""),
    ],
    ["code", `\`\`\`ts\n${"const x = 1; // y\n".repeat(1000)}`],
    ["code in a list", `1. do\n\n   \`\`\`sh\n${"   ls -l\n".repeat(1000)}`],
    ["a quote", "> quoted text\n> and more\n>\n".repeat(300)],
    ["a table", `| a | b |\n|---|---|\n${"| some | cell |\n".repeat(500)}`],
    ["a line of code without an end", `\`\`\`\n${"x".repeat(30_000)}`],
    ["stars that pair with nothing", "*".repeat(10_000)],
    ["words after stars that pair with nothing", "*a ".repeat(5000)],
    ["brackets", "[".repeat(10_000)],
    ["ticks", "`a ``b ".repeat(2000)],
  ])("keeps little open: %s", (_what, whole) => {
    const stream = markdownStream({ columns: 80 });
    let most = 0;
    for (const part of split(whole, [31])) {
      stream.write(part);
      most = Math.max(most, withoutStyles(stream.open()).length);
    }
    // What waits for the end of a mark, of a line of code, or of the columns of a table.
    expect(most).toBeLessThan(4500);
    expect(whole.length).toBeGreaterThan(2 * most);
  });
});
