/** Finds several words, in any letter case and any form of accents, also inside other words. */
export interface WordFinder {
  /** Number of different words. */
  readonly size: number;
  /**
   * The words that a line of JSON may hold, by their numbers, told from its bytes alone: decoding costs several times
   * as much. `line` has one character a byte.
   */
  mayHold(line: string): number[];
  /** Every place of a word, in order. Offsets are those of `text`, which must be NFC. */
  places(text: string): WordPlace[];
}

export interface WordPlace {
  word: number;
  start: number;
  end: number;
}

/** @param words in each, blanks separate words */
export function createWordFinder(words: readonly string[]): WordFinder {
  const different = new Set(
    words.flatMap((word) => word.normalize("NFC").toLowerCase().split(/\s+/)).filter((word) => word !== ""),
  );
  const inBytes = [...different].map((word) => new RegExp(Array.from(word, bytesOf).join(""), "i"));
  const inText = [...different].map((word) => new RegExp(escaped(word), "giu"));
  return {
    size: different.size,
    mayHold: (line) => inBytes.flatMap((pattern, word) => (pattern.test(line) ? [word] : [])),
    places(text) {
      const found = inText.flatMap((pattern, word) =>
        Array.from(text.matchAll(pattern), ({ index, 0: { length } }) => ({
          word,
          start: index,
          end: index + length,
        })),
      );
      return found.sort((a, b) => a.start - b.start || b.end - a.end);
    },
  };
}

/** A few bytes, whatever they are. */
const ANY = "[^]{1,12}?";
/** Letters with a third case besides the lower and the upper one. */
const THREE_CASES = /^[ǆǉǌǳθ]$/;

/** A pattern for the bytes of a character as JSON writes it, in every case, composed or not. */
function bytesOf(character: string): string {
  if (/^[\w-]$/.test(character)) return character;
  if (THREE_CASES.test(character) || Array.from(character.toUpperCase()).length > 1) return ANY;
  const cases = new Set([character, character.toLowerCase(), character.toUpperCase()]);
  const forms = new Set([...cases].flatMap((one) => [one.normalize("NFC"), one.normalize("NFD")]));
  // With two accents there are more forms than these.
  if ([...forms].some((form) => Array.from(form).length > 2)) return ANY;
  const patterns = [...forms].map((form) =>
    escaped(Buffer.from(JSON.stringify(form).slice(1, -1), "utf8").toString("latin1")),
  );
  return patterns.length === 1 ? (patterns[0] ?? "") : `(?:${patterns.join("|")})`;
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
