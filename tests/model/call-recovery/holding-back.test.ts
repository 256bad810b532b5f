import { describe, expect, test } from "vitest";
import { createCallStream } from "../../../src/model/call-recovery/call-stream.js";
import { TOOLS } from "./samples.js";

/** Writes a text by the character; gives how much was held back at most, and what was in the end. */
function heldBack(text: string): { most: number; last: number } {
  const stream = createCallStream(TOOLS, "reply");
  let given = 0;
  let most = 0;
  for (const [index, char] of Array.from(text).entries()) {
    given += stream.write(char).length;
    most = Math.max(most, index + 1 - given);
  }
  return { most, last: text.length - given };
}

/** Enough to tell the beginning of a mark or of a code fence. */
const FEW = 24;

describe("while a reply streams", () => {
  test.each([
    [
      "prose",
      "Read the list and run_command it; then call it. Writing takes time, so commentary helps.\n\nAll good.",
    ],
    ["one long line", "A sentence that goes on, and on. ".repeat(300)],
    [
      "Markdown",
      "# Title\n\n- a [link](http://x)\n- [ ] task\n1. one\n\n> quote\n\n| a | b |\n| - | - |\n*end*",
    ],
    ["inline code and HTML", "Use `<tool_call>` or `{`, a <div class='x'> or <b>bold</b>, 1 < 2 and a[0]."],
    [
      "a mention of a mark",
      "The <tool_call> tag opens it, [TOOL_CALLS] begins a list, and <tools> holds them all.",
    ],
    ["code in a fence", "I'll show it.\n\n```ts\nconst a = { name: 'x' };\n```\nThat is all.\n"],
    ["a fence of JSON that is no call", '```json\n{"scripts": {"test": "vitest"},\n "name": "a"}\n```\n'],
    ["JSON that is no call", '{"version": 1, "files": ["a", "b", "c"]}'],
    ["a list in brackets", "[1, 2, 3] are the numbers, [a] the letter."],
    ["a React-like heading", "Action: Remove the file from the list of things that are kept."],
  ])("%s flows", (_, text) => {
    expect(heldBack(text).most).toBeLessThanOrEqual(FEW);
  });

  test.each([
    ["a call in marks", '<tool_call>\n{"name": "read_file", "arguments": {"path": "a"'],
    ["a call in JSON", '{"name": "read_file", "arguments": {"path": "a"'],
    ["a call in a fence", '```json\n{"name": "read_file", "arguments": {"path": "a"}}\n```\n'],
    ["a call in Python", 'read_file(path="a"'],
  ])("%s is held back", (_, text) => {
    expect(heldBack(text).last).toBe(text.length);
    const lead = "I'll read it.\n\n";
    if (!text.startsWith("read_file")) expect(heldBack(lead + text).last).toBe(text.length + 2);
  });

  test("a fence is let go when something comes after it", () => {
    const fence = '```json\n{"name": "read_file", "arguments": {"path": "a"}}\n```\n';
    expect(heldBack(`${fence}So it is written.`).last).toBe(0);
  });
});
