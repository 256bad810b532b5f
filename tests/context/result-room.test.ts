import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SUMMARY_ROOM } from "../../src/context/context-budget.js";
import { createResultRoom } from "../../src/context/result-room.js";
import { estimateTokens } from "../../src/context/token-estimate.js";
import { SAMPLES } from "./samples.js";

const MARK = /\[… \d+ characters left out, the context window is nearly full …\]/;
const LEAST_TOKENS = 250;
const MARK_TOKENS = 30;
const loneHalves = (text: string) => text.match(/\p{Surrogate}/gu)?.length ?? 0;
const kilobytes = (count: number) => "The parser loses the last line.\n".repeat(32 * count);

const roomOf = (window: number, used: number) => {
  const room = createResultRoom(() => window);
  room.start(used);
  return room;
};

describe("a tool result", () => {
  test("that fits is stored as it is", () => {
    const text = kilobytes(4);
    expect(roomOf(16_384, 5000).fit(text)).toBe(text);
  });

  test("that does not fit keeps its beginning and its end around a mark", () => {
    const fitted = roomOf(8192, 5000).fit(`first line\n${kilobytes(20)}last line\n`);
    expect(fitted).toMatch(MARK);
    expect(fitted.startsWith("first line\n")).toBe(true);
    expect(fitted.endsWith("last line\n")).toBe(true);
    expect(estimateTokens(fitted)).toBeLessThanOrEqual(8192 - 5000 - SUMMARY_ROOM + MARK_TOKENS);
  });

  test("never shrinks below what still says something, however full the window is", () => {
    const fitted = roomOf(4096, 10_000).fit(kilobytes(20));
    expect(estimateTokens(fitted)).toBeGreaterThan(LEAST_TOKENS * 0.7);
    expect(estimateTokens(fitted)).toBeLessThanOrEqual(LEAST_TOKENS + MARK_TOKENS);
  });

  test("shares the room with the other results of its reply, and a new reply begins anew", () => {
    const room = roomOf(8192, 4000);
    const sizes = Array.from({ length: 4 }, () => estimateTokens(room.fit(kilobytes(6))));
    const [first = 0, second = 0, ...others] = sizes;
    expect(first).toBeGreaterThan(1000);
    expect(second).toBeLessThan(first);
    for (const size of others) expect(size).toBeLessThanOrEqual(LEAST_TOKENS + MARK_TOKENS);
    expect(first + second).toBeLessThanOrEqual(8192 - 4000 - SUMMARY_ROOM + 2 * MARK_TOKENS + LEAST_TOKENS);
    room.start(4000);
    expect(estimateTokens(room.fit(kilobytes(6)))).toBe(first);
  });

  test("is fitted to a window that turned out to be smaller", () => {
    let window = 16_384;
    const room = createResultRoom(() => window);
    const before = room.maxChars();
    window = 4096;
    room.start(2000);
    expect(room.maxChars()).toBeLessThan(before / 2);
    expect(estimateTokens(room.fit(kilobytes(20)))).toBeLessThanOrEqual(
      4096 - 2000 - SUMMARY_ROOM + MARK_TOKENS,
    );
  });

  test("takes no more than its room and tears no character, whatever it is made of", () => {
    const piece = fc.oneof(fc.constantFrom(...Object.values(SAMPLES), "😀", "中", "\n"), fc.string());
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.integer({ min: 0, max: 9000 }), (pieces, used) => {
        const text = pieces.join("");
        const fitted = roomOf(8192, used).fit(text);
        const limit = Math.max(LEAST_TOKENS, 8192 - used - SUMMARY_ROOM);
        expect(estimateTokens(fitted)).toBeLessThanOrEqual(limit + MARK_TOKENS);
        expect(loneHalves(fitted)).toBeLessThanOrEqual(loneHalves(text));
        if (estimateTokens(text) <= limit) expect(fitted).toBe(text);
        else expect(fitted).toMatch(MARK);
      }),
    );
  });
});

describe("the most that a tool is asked to give", () => {
  test.each([
    { window: 4096, used: 0, chars: 2867 },
    { window: 8192, used: 0, chars: 5734 },
    { window: 131_072, used: 0, chars: 24_000 },
    { window: 8192, used: 8000, chars: 800 },
  ])("is $chars characters in a window of $window with $used used", ({ window, used, chars }) => {
    expect(roomOf(window, used).maxChars()).toBe(chars);
  });
});
