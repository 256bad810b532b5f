import fc from "fast-check";
import { expect, test } from "vitest";
import { createWordFinder } from "../../src/sessions/word-finder.js";

/** A line of JSON as its bytes, one character each. */
const bytesOf = (text: string) => Buffer.from(JSON.stringify({ text }), "utf8").toString("latin1");

const texts = fc
  .oneof(
    fc.string({ unit: "binary", maxLength: 20 }),
    fc.string({ unit: "grapheme", maxLength: 20 }),
    fc.string({
      unit: fc.constantFrom(
        "a",
        "B",
        "é",
        "É",
        "ß",
        "ñ",
        "ệ",
        "한",
        "数",
        "Д",
        '"',
        "\\",
        "\n",
        "e\u0301",
        ".",
      ),
      maxLength: 20,
    }),
  )
  .map((text) => text.normalize("NFC"));

test("no word that a text holds is missed by its bytes, composed or not, in any case", () => {
  fc.assert(
    fc.property(texts, fc.nat(20), fc.nat(20), fc.boolean(), (text, from, length, decomposed) => {
      const characters = Array.from(text);
      const word = characters.slice(from, from + length).join("");
      const finder = createWordFinder([word]);
      const places = finder.places(text);
      if (finder.size !== 1 || places.length === 0) return;
      expect(finder.mayHold(bytesOf(decomposed ? text.normalize("NFD") : text))).toEqual([0]);
    }),
    { numRuns: 2_000 },
  );
});

test.each(["ᾼ", "ǅ", "ẞ", "ϴ", "ŉ"])("nor one with a letter of odd cases: %s", (letter) => {
  const finder = createWordFinder([`a${letter}b`]);
  expect(finder.places(`a${letter}b`)).toHaveLength(1);
  expect(finder.mayHold(bytesOf(`a${letter}b`))).toEqual([0]);
});

test("the places of a word are those of the text itself", () => {
  const finder = createWordFinder(["Limit", "tri"]);
  expect(finder.places("no limits: LIMIT retries")).toEqual([
    { word: 0, start: 3, end: 8 },
    { word: 0, start: 11, end: 16 },
    { word: 1, start: 19, end: 22 },
  ]);
});

test("a word that is given twice, or in two cases, counts once", () => {
  expect(createWordFinder(["one two", "ONE", "", " "]).size).toBe(2);
});
