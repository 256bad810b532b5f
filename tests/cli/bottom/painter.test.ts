import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createPainter } from "../../../src/cli/bottom/painter.js";
import type { Area } from "../../../src/cli/bottom/painter.js";
import { createScreen } from "../screen.js";

const area = (rows: string[], row = Math.max(0, rows.length - 1), column = 0): Area => ({
  rows,
  cursor: { row, column },
});

function setUp(columns = 20, rows = 10) {
  const screen = createScreen(columns, rows);
  let before = 0;
  return {
    screen,
    painter: createPainter(screen.output),
    /** What was written since the last call. */
    news: () => {
      const all = screen.written();
      const added = all.slice(before);
      before = all.length;
      return added;
    },
  };
}

describe("the painter", () => {
  it("keeps the area below what is printed", async () => {
    const { screen, painter } = setUp();
    painter.paint("one\n", area(["> a", "status"], 0, 3));
    painter.paint("two\nthree", area(["> a", "status"], 0, 3));
    expect(await screen.lines()).toEqual(["one", "two", "three", "> a", "status"]);
    expect(screen.cursor()).toEqual({ row: 3, column: 3 });
    painter.clear();
    expect(await screen.lines()).toEqual(["one", "two", "three"]);
  });

  it("writes one byte for a key at the end of a row", () => {
    const { painter, news } = setUp();
    painter.paint("", area(["spinner", "> hell", "status"], 1, 6));
    news();
    painter.paint("", area(["spinner", "> hello", "status"], 1, 7));
    expect(news()).toBe("o");
  });

  it("writes few bytes for a token at the end of the open line", () => {
    const { painter, news } = setUp(80);
    const below = area(["spinner", "> hello", "status"], 1, 7);
    painter.paint("Some words", below);
    news();
    painter.paint(" more", below);
    expect(news().length).toBeLessThan(30);
  });

  it("never writes again what has scrolled", async () => {
    const { screen, painter, news } = setUp(20, 5);
    const below = area(["> x", "status"], 0, 3);
    for (let line = 0; line < 20; line++) painter.paint(`line ${line}\n`, below);
    news();
    painter.paint("last\n", below);
    expect(news()).not.toContain("line");
    expect(await screen.lines()).toEqual([
      ...Array.from({ length: 20 }, (_, line) => `line ${line}`),
      "last",
      "> x",
      "status",
    ]);
  });

  it("goes on with a line that fills its row exactly", async () => {
    const { screen, painter } = setUp(5);
    for (const token of ["abc", "de", "fg", "你", "好", "h"]) painter.paint(token, area(["> x"], 0, 3));
    expect(await screen.lines()).toEqual(["abcde", "fg你", "好h", "> x"]);
  });

  it("shrinks and grows, and stays within the screen", async () => {
    const { screen, painter } = setUp(20, 6);
    painter.paint("top\n", area(["a"]));
    painter.paint("", area(["a", "b", "c"], 1));
    expect(await screen.lines()).toEqual(["top", "a", "b", "c"]);
    painter.paint("", area(["b"]));
    expect(await screen.lines()).toEqual(["top", "b"]);
    painter.paint("", area(["1", "2", "3", "4", "5", "6", "7", "8"]));
    expect(await screen.lines()).toEqual(["top", "4", "5", "6", "7", "8"]);
  });

  it("puts what follows an emoji where it belongs, however wide the terminal draws it", async () => {
    const { screen, painter } = setUp();
    painter.paint("", area(["> 👩‍🚀x", "s"], 0, 5));
    expect((await screen.lines())[0]!.indexOf("x")).toBeGreaterThan(2);
    expect(screen.cursor()).toEqual({ row: 0, column: 5 });
    expect(screen.written()).toContain("\x1b[5Gx");
  });

  it("draws the same as from scratch, whatever was shown before", async () => {
    const row = fc
      .array(fc.constantFrom("a", "b", " ", "你", "é", "\x1b[2mdim\x1b[22m", "\x1b[31mred\x1b[39m"), {
        maxLength: 12,
      })
      .map((parts) => parts.join(""));
    const step = fc.record({
      text: fc.array(fc.constantFrom("x", "long word ", "你", "\n", "\t", "\x1b[1mbold\x1b[22m"), {
        maxLength: 6,
      }),
      rows: fc.array(row, { maxLength: 5 }),
      cursor: fc.tuple(fc.nat(4), fc.nat(10)),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        const [changing, fresh] = [setUp(20, 12), setUp(20, 12)];
        for (const { text, rows, cursor } of steps) {
          changing.painter.paint(text.join(""), area(rows, cursor[0], cursor[1]));
        }
        const { rows, cursor } = steps.at(-1)!;
        const text = steps.flatMap((one) => one.text).join("");
        fresh.painter.paint(text, area(rows, cursor[0], cursor[1]));
        expect(await changing.screen.lines()).toEqual(await fresh.screen.lines());
        if (rows.length > 0) expect(changing.screen.cursor()).toEqual(fresh.screen.cursor());
      }),
      { numRuns: 150 },
    );
  });
});

describe("a window that changes its size", () => {
  it.each([10, 14, 40])("is drawn anew at %i columns, without leaving anything behind", async (columns) => {
    const { screen, painter } = setUp(20);
    const below = area(["queue of messages", "> a long draft h", "s"], 1, 16);
    painter.paint("printed\nthis line is still open", below);
    screen.resize(columns, 10);
    painter.resized();
    const shown = await screen.lines();
    expect(shown[0]).toBe("printed");
    expect(shown.slice(-3).map((row) => row.trimEnd())).toEqual(
      below.rows.map((row) => row.slice(0, columns - 1).trimEnd()),
    );
    expect(shown.slice(1, -3).join("").replaceAll(" ", "")).toBe("thislineisstillopen");
  });
});
