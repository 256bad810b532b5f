import { describe, expect, it } from "vitest";
import { graphemesOf, widthOfGrapheme } from "../../src/cli/cell-width.js";

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

describe("what a reader takes for a character", () => {
  it("is what Unicode says, for every character between others", () => {
    const different: string[] = [];
    for (let code = 0x20; code < 0xffff; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const character = String.fromCharCode(code);
      const text = `a${character}中${character}`;
      const segments = Array.from(segmenter.segment(text), ({ segment }) => segment);
      if (graphemesOf(text).join("|") !== segments.join("|")) different.push(code.toString(16));
    }
    expect(different).toEqual([]);
  });

  it.each([
    ["a", 1],
    ["é", 1],
    ["中", 2],
    ["，", 2],
    ["─", 1],
    ["•", 1],
    ["한", 2],
    ["👍", 2],
    ["\u0301", 0],
  ])("%s takes its cells", (grapheme, cells) => {
    expect(widthOfGrapheme(grapheme)).toBe(cells);
  });
});
