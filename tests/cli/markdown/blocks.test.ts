import { describe, expect, it } from "vitest";
import { painted, shown } from "./rendered.js";

type Case = [what: string, markdown: readonly string[], lines: readonly string[]];

/** On 40 columns. */
const CASES: readonly Case[] = [
  [
    "a heading is set off from what stands above",
    ["text", "## Title ##", "more"],
    ["text", "", "Title", "more"],
  ],
  ["a line of marks below a line of text makes it a heading", ["Title", "=====", "text"], ["Title", "text"]],
  ["blank lines are one", ["a", "", "", "", "b"], ["a", "", "b"]],
  [
    "a paragraph is wrapped at words",
    ["The quick brown fox jumps over the lazy dog, and runs."],
    ["The quick brown fox jumps over the lazy", "dog, and runs."],
  ],
  ["a paragraph keeps the lines that were written", ["a  ", "b\\", "c", "d"], ["a", "b", "c", "d"]],
  [
    "Chinese is broken anywhere but before its punctuation",
    ["我们需要确认所有的文字都能够在正确的位置换行，标点不会出现在行首。"],
    ["我们需要确认所有的文字都能够在正确的位置", "换行，标点不会出现在行首。"],
  ],
  [
    "and where only the punctuation has no room, a character goes with it",
    ["一二三四五六七八九十一二三四五六七八九十。"],
    ["一二三四五六七八九十一二三四五六七八九", "十。"],
  ],
  [
    "a bracket does not end a row",
    ["一二三四五六七八九十一二三四五六七八九「十」"],
    ["一二三四五六七八九十一二三四五六七八九", "「十」"],
  ],
  [
    "an address stays whole",
    [`see https://a.b/${"c".repeat(40)} now`],
    ["see", `https://a.b/${"c".repeat(40)}`, "now"],
  ],
  [
    "lists hang",
    ["- one", "- two with more words than fit into one row", "  1. sub", "     - deep", "- three"],
    ["• one", "• two with more words than fit into one", "  row", "  1. sub", "     ▪ deep", "• three"],
  ],
  [
    "a list that is indented by four is a list",
    ["- a", "    - b", "        - c"],
    ["• a", "  ◦ b", "    ▪ c"],
  ],
  [
    "a list below a number may be indented by two",
    ["1. a", "  - b", "  - c", "2. d"],
    ["1. a", "   ◦ b", "   ◦ c", "2. d"],
  ],
  ["numbers go on as they were written", ["3. a", "4. b", "10. c"], ["3. a", "4. b", "10. c"]],
  ["numbers that are all the same are counted", ["1. a", "1. b", "1. c"], ["1. a", "2. b", "3. c"]],
  [
    "a list keeps its blank lines",
    ["- a", "", "- b", "- c", "", "text"],
    ["• a", "", "• b", "• c", "", "text"],
  ],
  ["an item may hold paragraphs", ["- a", "", "  b", "- c"], ["• a", "", "  b", "• c"]],
  ["an item may be empty", ["-", "- b"], ["•", "• b"]],
  ["tasks have boxes", ["- [ ] todo", "- [x] done", "1. [X] both"], ["☐ todo", "☑ done", "1. ☑ both"]],
  [
    "a number in running text begins no list",
    ["in the year", "1984. it was"],
    ["in the year", "1984. it was"],
  ],
  [
    "a quote has a bar",
    ["> a", "> b", ">", "> - c", "after", "", "end"],
    ["│ a", "│ b", "│", "│ • c", "│   after", "", "end"],
  ],
  ["quotes nest", ["> > a", "> b"], ["│ │ a", "│ │ b"]],
  [
    "code has its language above, nothing before it, and stays as it is",
    ["Run:", "```sh", "ls -l  |  wc", "", `echo ${"x".repeat(50)}`, "```", "Done."],
    ["Run:", "", "sh", "ls -l  |  wc", "", `echo ${"x".repeat(50)}`, "", "Done."],
  ],
  ["code keeps its tabs", ["```make", "all:", "\tcc", "```"], ["make", "all:", "\tcc"]],
  [
    "code in a list stands at the edge, without the indent of the list",
    ["1. do", "   ```py", "   if x:", "       y", "   ```", "2. next"],
    ["1. do", "", "py", "if x:", "    y", "", "2. next"],
  ],
  [
    "code in a list may have lost its indent",
    ["- do", "  ```", "ls", "  ```", "- next"],
    ["• do", "", "ls", "", "• next"],
  ],
  ["code that an item begins with", ["- ```", "  a", "  ```"], ["•", "a"]],
  ["a longer fence holds shorter ones", ["````md", "```js", "x", "```", "````"], ["md", "```js", "x", "```"]],
  ["tildes are a fence", ["~~~", "`x`", "~~~"], ["`x`"]],
  ["code in a quote ends with it", ["> ```", "> a", "b"], ["a", "", "b"]],
  ["indented lines are code", ["    a", "", "      b", "c"], ["a", "", "  b", "", "c"]],
  ["lines of dashes are rules", ["a", "", "---", "* * *"], ["a", "", "─".repeat(40), "─".repeat(40)]],
  [
    "a table aligns its columns",
    ["| Name | Size | |", "|:--|--:|:-:|", "| a | 1 | mid |", "| `b|c` | 22 | x |", "| d"],
    ["Name │ Size │", "─────┼──────┼────", "a    │    1 │ mid", "b|c  │   22 │  x", "d    │      │"],
  ],
  ["a table needs no bars at its sides", ["a | b", "--- | ---", "1 | 2"], ["a │ b", "──┼──", "1 │ 2"]],
  [
    "a table may follow a line of text",
    ["See:", "|a|b|", "|-|-|", "|1|2|", "end"],
    ["See:", "", "a │ b", "──┼──", "1 │ 2", "", "end"],
  ],
  [
    "a wide table wraps its cells",
    [
      "| Name | Meaning |",
      "|---|---|",
      "| a | words that do not fit into what is left |",
      "| b | 一二三四五六七八九十一二三四五六七八九十 |",
    ],
    [
      "Name │ Meaning",
      "─────┼──────────────────────────────────",
      "a    │ words that do not fit into what",
      "     │ is left",
      "─────┼──────────────────────────────────",
      "b    │ 一二三四五六七八九十一二三四五六",
      "     │ 七八九十",
    ],
  ],
  [
    "a table with more columns than there is room is a list of its cells",
    ["|a|b|c|d|e|f|", "|-|-|-|-|-|-|", "|one thing|two things|three|four|five|six things|", "|1|2|3|4|5|6|"],
    [
      ...["a: one thing", "b: two things", "c: three", "d: four", "e: five", "f: six things"],
      ...["", "a: 1", "b: 2", "c: 3", "d: 4", "e: 5", "f: 6"],
    ],
  ],
  ["a line break in a cell is one", ["|a|b|", "|-|-|", "|x<br>y|z|"], ["a │ b", "──┼──", "x │ z", "y │"]],
  ["a bar in text is no table", ["a | b", "c | d"], ["a | b", "c | d"]],
  [
    "HTML is shown as it is",
    ["<div>", "  **x**", "</div>", "", "a <b>b</b>"],
    ["<div>", "  **x**", "</div>", "", "a <b>b</b>"],
  ],
  ["a comment too", ["<!-- a", "", "b --> c", "d"], ["<!-- a", "", "b --> c", "d"]],
  ["marks that touch the text are text", ["#x", "1.x", "-x"], ["#x", "1.x", "-x"]],
];

describe("Markdown on a terminal", () => {
  it.each(CASES)("%s", (_what, markdown, lines) => {
    expect(shown(markdown.join("\n"))).toEqual(lines);
    expect(shown(`${markdown.join("\n")}\n`)).toEqual(lines);
  });

  it("is a picture to look at", () => {
    const answer = [
      "# What I did",
      "The tests in `tests/parse_input.test.ts` failed since **`parse()` never _returned_** its value:",
      "1. I read `src/**/*.ts`, see [the handbook](https://example.com/handbook).",
      "   - nothing *else* calls it",
      "2. I mended it:",
      "   ```ts",
      "   return parse(text);",
      "   ```",
      "",
      "| File | Change |",
      "|---|---:|",
      "| src/parse.ts | +1 −0 |",
      "",
      "> It was ~~never~~ seldom tested.",
    ].join("\n");
    expect(shown(answer, { columns: 60 })).toEqual([
      "What I did",
      "The tests in tests/parse_input.test.ts failed since parse()",
      "never returned its value:",
      "1. I read src/**/*.ts, see the handbook",
      "   (https://example.com/handbook).",
      "   ◦ nothing else calls it",
      "2. I mended it:",
      "",
      "ts",
      "return parse(text);",
      "",
      "File         │ Change",
      "─────────────┼───────",
      "src/parse.ts │  +1 −0",
      "",
      "│ It was never seldom tested.",
    ]);
    expect(painted(answer, { columns: 60, colourLevel: 0, unicode: false }).split("\n")).toEqual([
      "# What I did",
      "The tests in `tests/parse_input.test.ts` failed since",
      "`parse()` never returned its value:",
      "1. I read `src/**/*.ts`, see the handbook",
      "   (https://example.com/handbook).",
      "   - nothing else calls it",
      "2. I mended it:",
      "",
      "```ts",
      "return parse(text);",
      "```",
      "",
      "File         | Change",
      "-------------+-------",
      "src/parse.ts |  +1 −0",
      "",
      "| It was ~~never~~ seldom tested.",
      "",
    ]);
  });

  it("leaves half of the width to what is nested deeply", () => {
    const deep = Array.from({ length: 60 }, (_, level) => `${"  ".repeat(level)}- word and word and word`);
    for (const line of shown(deep.join("\n"))) expect(line.length).toBeLessThanOrEqual(40);
  });
});
