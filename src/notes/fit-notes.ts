import type { NotesFile } from "./find-notes.js";

/** Share of a context window that notes may take: 2,048 tokens of 16,384, which small models still heed. */
export const NOTES_SHARE = 1 / 8;

/** A file of notes with what of it there is room for. */
export interface FittedNotes extends NotesFile {
  /** Of what is told. */
  tokens: number;
  /** Of the whole file. */
  wholeTokens: number;
}

/**
 * Cuts what does not fit into `room` tokens off the ends of the longest files, at the border of a paragraph if one
 * fits, so that a long file pushes no short one out.
 */
export function fitNotes(
  files: readonly NotesFile[],
  room: number,
  tokensOf: (text: string) => number,
): FittedNotes[] {
  const sized = files.map((file) => ({ ...file, wholeTokens: Math.ceil(tokensOf(file.text)) }));
  const share = largestShare(
    sized.map(({ wholeTokens }) => wholeTokens),
    room,
  );
  return sized.map((file) => {
    if (file.wholeTokens <= share) return { ...file, tokens: file.wholeTokens };
    const text = beginningOf(file.text, share, tokensOf);
    return { ...file, text, tokens: Math.ceil(tokensOf(text)) };
  });
}

/** Most tokens of one file, so that all together take no more than `room`. */
function largestShare(sizes: readonly number[], room: number): number {
  let left = room;
  const ascending = [...sizes].sort((a, b) => a - b);
  for (const [index, size] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - index));
    if (size > share) return share;
    left -= size;
  }
  return Infinity;
}

/** As many whole paragraphs as fit; of a first one that is too long, lines; of a first line, characters. */
function beginningOf(text: string, room: number, tokensOf: (text: string) => number): string {
  for (const pieces of [paragraphs(text), text.split(/(?<=\n)/), Array.from(text)]) {
    const kept = most(pieces.length, (number) => tokensOf(pieces.slice(0, number).join("")) <= room);
    if (kept > 0) return pieces.slice(0, kept).join("").trimEnd();
  }
  return "";
}

/** The largest number up to `limit` for which `fits` holds, as it then does for all smaller ones. */
function most(limit: number, fits: (number: number) => boolean): number {
  let [low, high] = [0, limit];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** With the blank lines behind them. A blank line in a fenced block ends none. */
function paragraphs(text: string): string[] {
  const result: string[] = [];
  let current = "";
  let fence: string | undefined;
  let blank = false;
  for (const line of text.split(/(?<=\n)/)) {
    if (blank && fence === undefined && line.trim() !== "") {
      result.push(current);
      current = "";
    }
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined) {
      if (fence === undefined) fence = mark;
      else if (mark.startsWith(fence)) fence = undefined;
    }
    blank = line.trim() === "";
    current += line;
  }
  return current === "" ? result : [...result, current];
}
