import { createTwoFilesPatch } from "diff";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { en } from "../../../src/cli/messages/en.js";
import { countChanges, diffRows } from "../../../src/cli/render/diff.js";
import { createColours, widthOf } from "../../../src/cli/render/terminal.js";
import { wordMarks } from "../../../src/cli/render/word-marks.js";
import { printable, visible } from "../../../src/printable.js";

const patch = (before: string, after: string) => createTwoFilesPatch("a/f", "b/f", before, after);

function rows(before: string, after: string, columns = 60, colourLevel: 0 | 1 = 0): string[] {
  const look = { colours: createColours(colourLevel), messages: en, safe: printable, columns };
  return diffRows(patch(before, after), look).rows;
}

const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");

describe("a diff on a terminal", () => {
  it("numbers its lines, the removed as in the old file and the others as in the new one", () => {
    expect(rows("one\ntwo\nthree\n", "one\n2\n2.5\nthree\n")).toEqual([
      "1   one",
      "2 - two",
      "2 + 2",
      "3 + 2.5",
      "4   three",
    ]);
  });

  it("sets places that lie apart off from each other", () => {
    const after = numbered(30).replace("line 3\n", "LINE 3\n").replace("line 25\n", "");
    expect(rows(numbered(30), after)).toEqual([
      " 1   line 1",
      " 2   line 2",
      " 3 - line 3",
      " 3 + LINE 3",
      " 4   line 4",
      " 5   line 5",
      " 6   line 6",
      " 7   line 7",
      " …",
      "21   line 21",
      "22   line 22",
      "23   line 23",
      "24   line 24",
      "25 - line 25",
      "25   line 26",
      "26   line 27",
      "27   line 28",
      "28   line 29",
    ]);
  });

  it("takes lines that look like a diff for what they are", () => {
    expect(rows("-- a\n@@ -1 +1 @@\n", "++ b\n@@ -1 +1 @@\n")).toEqual([
      "1 - -- a",
      "1 + ++ b",
      "2   @@ -1 +1 @@",
    ]);
    expect(countChanges(patch("-- a\n", "++ b\n++ c\n"))).toEqual({ added: 2, removed: 1 });
  });

  it("goes on with a long line under its number, in whole cells", () => {
    expect(rows("", "0123456789abcdef\n", 14)).toEqual(["1 + 0123456789", "    abcdef"]);
    expect(rows("", "你好你好你好\n", 13)).toEqual(["1 + 你好你好", "    你好"]);
  });

  it("sets tabs at stops of the text", () => {
    expect(rows("", "\ta\tb\n")).toEqual(["1 +     a   b"]);
  });

  it("tells that a last line has no end", () => {
    expect(rows("a", "a\n")).toEqual(["1 - a", `    ${en.tools.noLineEnd}`, "1 + a"]);
    expect(rows("a", "b")).toEqual(["1 - a", "1 + b"]);
    expect(rows("a\nb", "c\nb")).toEqual(["1 - a", "1 + c", "2   b"]);
  });

  it("underlines the words that changed, and shows blanks that did in inverse", () => {
    const [before = "", after = ""] = rows("const limit = 3;\n", "const limit = 30;\n", 60, 1);
    expect(before).toContain("\x1b[31m\x1b[1m\x1b[4m3\x1b[0m");
    expect(after).toContain("\x1b[32m\x1b[1m\x1b[4m30\x1b[0m");
    expect(rows("\tif (a)\n", "    if (a)\n", 60, 1)[1]).toContain("\x1b[7m    \x1b[0m");
  });

  it("marks nothing in lines that have little in common", () => {
    expect(rows("return a + b;\n", "throw new Error(text);\n", 60, 1).join("")).not.toContain("\x1b[4m");
  });

  it("cuts a long diff, and says how many lines are left out", () => {
    const look = { colours: createColours(0), messages: en, safe: printable, columns: 60 };
    const { rows: shown, hidden } = diffRows(patch("", numbered(100)), look, 40);
    expect([shown.length, shown.at(-1), hidden]).toEqual([40, "40 + line 40", 60]);
  });

  it("says what stands in the place of a diff that would be too long", () => {
    const look = { colours: createColours(0), messages: en, safe: printable, columns: 60 };
    const diff = "--- a/f\n+++ b/f\n(too different to show line by line: 9 lines before, 8 after)\n";
    expect(diffRows(diff, look).rows).toEqual([
      "(too different to show line by line: 9 lines before, 8 after)",
    ]);
  });

  it("holds no foreign sequence and fits the width, whatever the lines hold", () => {
    const styles = /\x1b\[\d+m/g;
    const text = fc.string({
      unit: fc.constantFrom(
        "a",
        " ",
        "\t",
        "\n",
        "你",
        "\x1b[2J",
        "\x1b]0;t\x07",
        "\u202e",
        "\r",
        "+",
        "-",
        "e\u0301",
        "😀",
      ),
    });
    fc.assert(
      fc.property(
        text,
        text,
        fc.integer({ min: 20, max: 90 }),
        fc.boolean(),
        (before, after, columns, asks) => {
          const colours = createColours(1);
          const safe = asks ? (one: string) => visible(one, colours.inverse) : printable;
          const look = { colours, messages: en, safe, columns };
          for (const row of diffRows(patch(before, after), look).rows) {
            const plain = row.replace(styles, "");
            expect(plain).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202e]/);
            expect(widthOf(plain)).toBeLessThanOrEqual(columns);
            // Each row ends the styles that it begins.
            expect(row.match(styles)?.at(-1) ?? "\x1b[0m").toMatch(/\[(?:0|22|39)m/);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe("the words that differ between two lines", () => {
  it("are not looked for in lines that are very long", () => {
    expect(wordMarks("a".repeat(2_000), "a".repeat(2_001))).toBeUndefined();
  });

  it("add up to the lines", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        const marks = wordMarks(before, after);
        if (marks === undefined) return;
        expect(marks.before.map(({ text }) => text).join("")).toBe(before);
        expect(marks.after.map(({ text }) => text).join("")).toBe(after);
      }),
    );
  });
});
