import type { FileLines } from "./edit-lines.js";
import type { Replacement } from "./edit-match.js";
import { listChanges } from "./list-changes.js";

/** A base character with its marks, or a syllable of Hangul letters: what composing may make one character of. */
const CLUSTER = /[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?|\P{M}\p{M}*|\p{M}+/gu;
/** Beyond this many changes in a folded text its new form is taken whole. */
const MAX_CHANGES = 2_000;

const ASCII_FOR: [RegExp, string][] = [
  [/[‘’‚‛′]/g, "'"],
  [/[“”„‟″]/g, '"'],
  [/[‐‑‒–—―−]/g, "-"],
  [/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, " "],
];

/** A line with composed accents, and plain quotes, dashes and blanks in place of typographic ones. */
export function foldLine(line: string): string {
  if (isAscii(line)) return line;
  return ASCII_FOR.reduce(
    (text, [characters, ascii]) => text.replace(characters, ascii),
    line.normalize("NFC"),
  );
}

/**
 * Places of a text that is the same once both sides are folded. Only what differs between old and new text changes
 * there: the rest keeps the file's quotes, dashes and accents.
 */
export function foldedMatch(file: FileLines, oldText: string, newText: string): Replacement[] {
  const folded = file.lines.map(foldLine);
  const wanted = oldText.split("\n").map(foldLine).join("\n");
  const starts: number[] = [];
  let length = 0;
  for (const line of folded) {
    starts.push(length);
    length += line.length + 1;
  }
  const text = folded.join("\n");
  const places: Replacement[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    const start = toRaw(file, starts, at);
    const end = toRaw(file, starts, at + wanted.length);
    if (start === undefined || end === undefined) continue;
    const found = file.text.slice(start, end);
    places.push({ start, end, text: sameChange(found, oldText, newText) ?? newText });
  }
  return places;
}

/** Where in the file an offset of the folded text is; undefined inside a character with its marks. */
function toRaw(file: FileLines, foldedStarts: readonly number[], offset: number): number | undefined {
  let [low, high] = [0, foldedStarts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((foldedStarts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  let rest = offset - (foldedStarts[low] ?? 0);
  let raw = file.starts[low] ?? 0;
  for (const cluster of clusters(file.lines[low] ?? "")) {
    if (rest <= 0) break;
    rest -= foldLine(cluster).length;
    raw += cluster.length;
  }
  return rest === 0 ? raw : undefined;
}

/** The change from old to new text, made on the file's form of the old one. */
function sameChange(found: string, oldText: string, newText: string): string | undefined {
  const [inFile, before, after] = [clusters(found), clusters(oldText), clusters(newText)];
  if (inFile.length !== before.length) return undefined;
  const changes = listChanges(before, after, MAX_CHANGES);
  if (changes === undefined) return undefined;
  let at = 0;
  const parts = changes.flatMap(({ added, removed, count, value }) => {
    if (added) return value;
    const from = at;
    at += count;
    return removed ? [] : inFile.slice(from, at);
  });
  return parts.join("");
}

export function isAscii(text: string): boolean {
  return /^[\x00-\x7f]*$/.test(text);
}

function clusters(text: string): string[] {
  return text.match(CLUSTER) ?? [];
}
