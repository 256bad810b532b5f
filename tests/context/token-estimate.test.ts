import fc from "fast-check";
import { getEncoding } from "js-tiktoken";
import { describe, expect, test } from "vitest";
import { estimateTokens } from "../../src/context/token-estimate.js";
import { tokenise } from "../../src/demo/tokenise.js";
import { SAMPLES } from "./samples.js";

const TOKENISERS: Readonly<Record<string, (text: string) => number>> = {
  o200k_base: countWith("o200k_base"),
  cl100k_base: countWith("cl100k_base"),
  "the scripted one": (text) => tokenise(text).length,
};

function countWith(name: "o200k_base" | "cl100k_base"): (text: string) => number {
  const encoding = getEncoding(name);
  return (text) => encoding.encode(text, [], []).length;
}

const CASES = Object.keys(TOKENISERS).flatMap((tokeniser) =>
  Object.keys(SAMPLES).map((kind) => ({ tokeniser, kind })),
);

describe("the token estimate", () => {
  test.each(CASES)("of $kind is near what $tokeniser counts", ({ tokeniser, kind }) => {
    const text = SAMPLES[kind]!;
    const ratio = estimateTokens(text) / TOKENISERS[tokeniser]!(text);
    expect(ratio).toBeGreaterThan(0.6);
    expect(ratio).toBeLessThan(1.7);
  });

  test("of Chinese is never off by two, for any mixture with code", () => {
    const { Chinese, TypeScript } = SAMPLES as { Chinese: string; TypeScript: string };
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 150 }), fc.integer({ min: 0, max: 400 }), (chinese, code) => {
        const text = Chinese.slice(0, 20 + chinese) + TypeScript.slice(0, code);
        for (const [name, count] of Object.entries(TOKENISERS)) {
          const ratio = estimateTokens(text) / count(text);
          expect(ratio, `${name}: ${text}`).toBeGreaterThan(0.5);
          expect(ratio, `${name}: ${text}`).toBeLessThan(2);
        }
      }),
    );
  });

  test("of a text is the sum over its lines, so its cost grows with the length and no faster", () => {
    const line = fc.constantFrom(...Object.values(SAMPLES)).map((text) => `x${text.replaceAll("\n", " ")}x`);
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 20 }), (lines) => {
        const single = lines.reduce((sum, text) => sum + estimateTokens(`${text}\n`), 0);
        expect(estimateTokens(lines.map((text) => `${text}\n`).join(""))).toBeCloseTo(single, 6);
      }),
    );
  });

  test.each([
    ["one word", "a"],
    ["one line of punctuation", "=-"],
    ["capitals and small letters in turn", "aB"],
    ["blanks", " "],
    ["line breaks", "\n"],
    ["one line without a blank in Chinese", "中"],
    ["halves of characters", "\ud83d"],
  ])("comes to an end for megabytes of %s", (_, piece) => {
    const tokens = estimateTokens(piece.repeat(2_000_000 / piece.length));
    expect(tokens).toBeGreaterThan(0);
    expect(tokens).toBeLessThan(4_000_000);
  });

  test("of nothing is nothing, and of any text not negative", () => {
    expect(estimateTokens("")).toBe(0);
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1 }), (text) => {
        expect(estimateTokens(text)).toBeGreaterThan(0);
      }),
    );
  });
});
