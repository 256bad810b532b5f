import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRepetitionWatch } from "../../src/model/repetition.js";

const INTRODUCTION =
  "I looked at the parser first.\n\nIt reads tokens one by one and keeps what it has seen in a list.\n\n";
const LINE = "I will now check the file src/parser.ts for the missing token.";
const PARAGRAPH =
  "The parser fails since the token is missing.\nSo I have to look at the lexer, which makes the tokens.\nThen I can mend the parser and run its tests again.\n\n";

/** Writes the text in pieces, and then more of it than any watch would wait for; what the watch says. */
function watch(
  text: string,
  pieces: (text: string) => string[] = (whole) => whole.match(/\s*\S+|\s+$/g) ?? [],
) {
  const repetition = createRepetitionWatch();
  for (const piece of pieces(text)) {
    const kept = repetition.add(piece);
    if (kept !== undefined) return text.slice(0, kept);
  }
  return undefined;
}

describe("a text that repeats itself is noticed, and its first copy kept", () => {
  test.each<[string, string, string]>([
    ["a line", `${LINE}\n`.repeat(40), LINE],
    ["a line with an empty one between", `${LINE}\n\n`.repeat(40), LINE],
    ["a sentence without a line break", `${LINE} `.repeat(40), LINE],
    ["a paragraph", PARAGRAPH.repeat(12), PARAGRAPH.trim()],
    [
      "a long block",
      `${Array.from({ length: 30 }, (_, i) => `Step ${i} mends the parser.`).join("\n")}\n`.repeat(8),
      "Step 29 mends the parser.",
    ],
    ["a short sentence, many times", "Let me check again. ".repeat(200), "Let me check again."],
    [
      "a Chinese sentence",
      "我现在再检查一下这个文件里面缺少的那个标记，然后重新运行测试。".repeat(40),
      "测试。",
    ],
    ["a line among a few others", `${`${LINE}\n`.repeat(4)}Well.\n`.repeat(20), LINE],
  ])("%s", (_, repeated, end) => {
    const kept = watch(INTRODUCTION + repeated);
    expect(kept?.trimEnd().endsWith(end.trim().slice(-20))).toBe(true);
    expect(kept?.startsWith(INTRODUCTION)).toBe(true);
    expect(kept?.length).toBeLessThan(INTRODUCTION.length + repeated.length / 3);
  });

  test("in whatever pieces it comes", () => {
    const text = INTRODUCTION + PARAGRAPH.repeat(30);
    const sizes = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 5, maxLength: 40 });
    fc.assert(
      fc.property(sizes, (lengths) => {
        const cut = (whole: string) => {
          const pieces: string[] = [];
          for (let at = 0, index = 0; at < whole.length; index++) {
            const length = lengths[index % lengths.length] ?? 1;
            pieces.push(whole.slice(at, at + length));
            at += length;
          }
          return pieces;
        };
        expect(watch(text, cut)).toBe(INTRODUCTION + PARAGRAPH);
      }),
      { numRuns: 50 },
    );
  });
});

describe("what repeats itself for a reason is left alone", () => {
  const numbered = (count: number, line: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => line(index)).join("\n");
  const fenced = (code: string, label = "ts") => `\`\`\`${label}\n${code}\n\`\`\`\n`;

  test.each<[string, string]>([
    ["a rule of dashes", `${"-".repeat(80)}\n`.repeat(100)],
    ["a long rule on one line", "=".repeat(6000)],
    [
      "a table with empty cells",
      `| name | value | note |\n|------|-------|------|\n${"|      |       |      |\n".repeat(120)}`,
    ],
    ["a table with the same row", "| to be done | to be done | nobody knows yet | later |\n".repeat(20)],
    [
      "tables with the same head",
      numbered(
        30,
        (i) =>
          `| Name of file | Number of lines | Last change |\n| --- | --- | --- |\n| f${i}.ts | ${i} | today |\n`,
      ),
    ],
    ["CSV", numbered(400, (i) => `${i},Berlin,Germany,2024-01-01,active,customer`)],
    ["CSV with equal rows", "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0\n".repeat(200)],
    [
      "a drawing",
      "  /\\_/\\    /\\_/\\    /\\_/\\    /\\_/\\  \n ( o.o )  ( o.o )  ( o.o )  ( o.o ) \n".repeat(40),
    ],
    ["a grid of letters", "x o x o x o x o\n".repeat(150)],
    ["code with equal short lines", fenced("print()\n".repeat(300), "python")],
    ["the same without a fence", "    i += 1\n".repeat(300)],
    ["equal calls", fenced("    expect(parse(text)).toEqual(expectedTokensOfText);\n".repeat(12))],
    ["equal elements", fenced('<div class="cell"></div>\n'.repeat(64), "html")],
    ["equal elements without a fence", '<li class="entry"><a href="#">Entry</a></li>\n'.repeat(24)],
    [
      "equal records of JSON",
      fenced('  {\n    "name": "unknown",\n    "value": null\n  },\n'.repeat(20), "json"),
    ],
    [
      "a list of similar lines",
      numbered(200, (i) => `- src/file-${i}.ts: no change is needed in this file.`),
    ],
    [
      "a list with equal remarks",
      numbered(
        60,
        (i) => `${i + 1}. src/file-${i}.ts\n   - No changes are needed in this file, it is fine as it is.`,
      ),
    ],
    [
      "files with the same remark",
      numbered(60, (i) => `**src/file-${i}.ts**\nNo changes are needed in this file, it is fine as it is.\n`),
    ],
    [
      "a chorus",
      numbered(
        4,
        (i) =>
          `Verse ${i} tells of the sea, the wind and the ship, and what became of them.\n\nHey ho, the wind and the rain, hey ho, and home again.\n`,
      ),
    ],
    ["three copies", PARAGRAPH.repeat(3) + INTRODUCTION.repeat(2)],
    [
      "a sentence a few times",
      `${LINE}\n`.repeat(4) +
        INTRODUCTION +
        numbered(90, (i) => `${i} is a number, and ${i + 1} is the next.`),
    ],
    ["laughter", "ha".repeat(400)],
  ])("%s", (_, text) => {
    expect(watch(INTRODUCTION + text + INTRODUCTION)).toBeUndefined();
  });

  test("prose of any kind, without a thought of its cost", () => {
    const words = fc.constantFrom(
      "parser",
      "token",
      "reads",
      "the",
      "a",
      "list",
      "of",
      "and",
      "then",
      "writes",
      "\n",
    );
    fc.assert(
      fc.property(fc.array(words, { minLength: 200, maxLength: 2000 }), (text) => {
        expect(watch(text.join(" "))).toBeUndefined();
      }),
      { numRuns: 100 },
    );
  });
});
