/** A run of "*", "_" or "~" that may begin or end emphasis. Positions are those of the nodes of a text. */
export interface Delimiter {
  node: number;
  marker: string;
  /** Characters of the run, and how many of them are not yet used. */
  length: number;
  left: number;
  canOpen: boolean;
  canClose: boolean;
  /** Where it stands in the text. */
  at: number;
}

export interface Emphasis {
  opener: Delimiter;
  closer: Delimiter;
  kind: "bold" | "italic" | "strike";
}

type CharacterClass = "blank" | "punctuation" | "letter";

const ASCII_LETTER = /^[A-Za-z0-9]$/;
const PUNCTUATION = /^[\p{P}\p{S}]$/u;
const EAST_ASIAN =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uffef]$/u;

function classOf(character: string): CharacterClass {
  if (character === "" || character === " " || character === "\n") return "blank";
  if (character < "\x7f") return ASCII_LETTER.test(character) ? "letter" : "punctuation";
  if (PUNCTUATION.test(character)) return "punctuation";
  return /\s/.test(character) ? "blank" : "letter";
}

/** Of a script that is written without blanks between words. */
export function isEastAsian(character: string): boolean {
  return character > "\u10ff" && EAST_ASIAN.test(character);
}

/** A run between two characters ("" for none); undefined if it can be nothing but text. */
export function delimiterBetween(
  before: string,
  run: string,
  after: string,
): Pick<Delimiter, "canOpen" | "canClose"> | undefined {
  const marker = run[0];
  if (marker === "~" && run.length !== 2) return undefined;
  // A path or a pattern of files.
  if (marker === "*" && before === "/" && /^[/.\w]$/.test(after)) return undefined;
  const [classBefore, classAfter] = [classOf(before), classOf(after)];
  // Chinese and Japanese have no blanks round their words: there the letter beside a mark is as good as a blank.
  const left =
    classAfter !== "blank" && (classAfter === "letter" || classBefore !== "letter" || isEastAsian(before));
  const right =
    classBefore !== "blank" && (classBefore === "letter" || classAfter !== "letter" || isEastAsian(after));
  if (!left && !right) return undefined;
  return marker === "_"
    ? {
        canOpen: left && (!right || classBefore === "punctuation"),
        canClose: right && (!left || classAfter === "punctuation"),
      }
    : { canOpen: left, canClose: right };
}

/** Pairs the delimiters, as CommonMark does, and takes those away that lie between a pair. */
export function pairDelimiters(delimiters: Delimiter[], from = 0): Emphasis[] {
  const found: Emphasis[] = [];
  /** Below it, no run opens what such a closer ends. */
  const searched = new Map<string, number>();
  /** Delimiters before the one at work that can still open. */
  const open: Delimiter[] = [];
  for (const closer of delimiters.slice(from)) {
    while (closer.canClose && closer.left > 0) {
      const kind = `${closer.marker}${String(closer.canOpen)}${closer.length % 3}`;
      const bottom = searched.get(kind) ?? 0;
      let index = open.length - 1;
      while (index >= bottom && !fits(open[index], closer)) index--;
      const opener = index >= bottom ? open[index] : undefined;
      if (opener === undefined) {
        searched.set(kind, open.length);
        break;
      }
      const used = closer.marker === "~" || (opener.left >= 2 && closer.left >= 2) ? 2 : 1;
      found.push({ opener, closer, kind: closer.marker === "~" ? "strike" : used === 2 ? "bold" : "italic" });
      opener.left -= used;
      closer.left -= used;
      open.length = opener.left > 0 ? index + 1 : index;
      for (const [name, limit] of searched) searched.set(name, Math.min(limit, open.length));
    }
    if (closer.canOpen && closer.left > 0) open.push(closer);
  }
  delimiters.splice(from, delimiters.length - from, ...open);
  return found;
}

function fits(opener: Delimiter | undefined, closer: Delimiter): boolean {
  if (opener?.marker !== closer.marker) return false;
  const both = opener.canClose || closer.canOpen;
  const odd =
    (opener.length + closer.length) % 3 === 0 && (opener.length % 3 !== 0 || closer.length % 3 !== 0);
  return !(both && odd);
}
