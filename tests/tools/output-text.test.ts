import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createOutputBuffer } from "../../src/processes/output-buffer.js";
import { outputText } from "../../src/tools/output-text.js";

function shown(output: string | Buffer, maxChars: number, room = 256 * 1024): string {
  const buffer = createOutputBuffer(room);
  buffer.add(Buffer.from(output));
  return outputText(buffer.take(), maxChars).text;
}

const numbered = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => `line ${from + at}\n`).join("");

describe("output for the model", () => {
  it("is whole where it fits", () => {
    expect(shown("\n\na\n\n\n\nb  \n\n", 500)).toBe("a\n\n\nb");
  });

  it.each([
    { title: "one line", output: "a\na\na\na\nb\n", text: "a\n[the line above 4 times in all]\nb" },
    {
      title: "a group of lines",
      output: "refused\nretrying\n".repeat(50),
      text: "refused\nretrying\n[the 2 lines above 50 times in all]",
    },
    { title: "nothing that comes twice", output: "a\na\nb\nb\n", text: "a\na\nb\nb" },
    { title: "single blank lines", output: "a\n\nb\n\nc\n", text: "a\n\nb\n\nc" },
  ])("says once what is repeated: $title", ({ output, text }) => {
    expect(shown(output, 500)).toBe(text);
  });

  it("of names with zero bytes between them has a line each", () => {
    expect(shown("a name.txt\0another name.txt\0", 500)).toBe("a name.txt\nanother name.txt");
  });

  it("keeps errors from the middle with what follows them, and counts every line that is left out", () => {
    const output = [
      numbered(1_000),
      "FAIL test/a.test.js\n  expected 1\n  received 2\n",
      numbered(1_000, 2_000),
      "warning: something is deprecated\n",
      numbered(1_000, 4_000),
    ].join("");
    const text = shown(output, 3_000);
    expect(text.length).toBeLessThanOrEqual(3_000);
    expect(text).toMatch(
      /left out …\]\nFAIL test\/a\.test\.js\n {2}expected 1\n {2}received 2\n\[… \d+ lines/,
    );
    expect(text).toContain("warning: something is deprecated\n");
    expect(text).toMatch(/^line 0\n/);
    expect(text).toMatch(/\nline 4999\n\[\d+ of 3004 lines are shown\./);
    const left = [...text.matchAll(/\[… (\d+) lines? left out …\]/g)].reduce(
      (sum, [, n]) => sum + Number(n),
      0,
    );
    const lines = text.split("\n").filter((line) => !line.startsWith("[")).length;
    expect(left + lines).toBe(3_004);
  });

  it("shows the first of many errors, and the end", () => {
    const errors = Array.from({ length: 2_000 }, (_, at) => `a.c:${at}: error: bad\n`).join("");
    const text = shown(`${numbered(500)}${errors}${numbered(500, 500)}`, 3_000);
    expect(text).toContain("a.c:0: error: bad\na.c:1: error: bad\n");
    expect(text).toContain("line 999\n");
  });

  it("cuts within lines that are too long, beginning and end kept", () => {
    const text = shown(`first\n${"x".repeat(9_000)}END\nlast\n`, 1_000);
    expect(text).toMatch(/^first\nx+\[… \d+ characters left out …\]x+END\nlast\n\[Long lines were cut\./);
    expect(text.length).toBeLessThanOrEqual(1_000);
  });

  it("counts what the buffer had dropped before", () => {
    const text = shown(numbered(100_000), 2_000, 20_000);
    const [, left] = /\[… (\d+) lines left out …\]/.exec(text) ?? [];
    expect(Number(left) + text.split("\n").filter((line) => line.startsWith("line")).length).toBe(100_000);
    expect(shown("y".repeat(100_000), 2_000, 20_000)).toMatch(/\n\[… 80000 bytes left out …\]\n/);
  });

  it("never exceeds its limit, whatever it is made of", () => {
    const line = fc.oneof(
      fc.string({ unit: "binary", maxLength: 60 }),
      fc.constantFrom("error: x", "warning: y", "", "same", "\x1b[2A", "50%\r", "好".repeat(80)),
      fc.string({ maxLength: 1_500 }),
    );
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 200 }),
        fc.integer({ min: 300, max: 4_000 }),
        fc.integer({ min: 500, max: 20_000 }),
        (lines, maxChars, room) => {
          const text = shown(lines.join("\n"), maxChars, room);
          expect(text.length).toBeLessThanOrEqual(maxChars);
          expect(text).not.toMatch(/\p{Surrogate}/u);
        },
      ),
      { numRuns: 300 },
    );
  });
});
