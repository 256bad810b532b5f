import { graphemesOf, mayBreakBetween, widthOfGrapheme } from "../cell-width.js";
import { widthOf } from "../render/terminal.js";
import type { Span } from "./span.js";

const ASCII = /^[\x20-\x7e]*$/;
const PARTS = /\n| +|[^ \n]+/g;

/** What is not broken, or the blank between two such. */
interface Word {
  spans: Span[];
  width: number;
  /** Whether a row may end after it, although no blank follows. */
  isWide: boolean;
}

export interface WrapOptions {
  /** Cells of a row. */
  width: number;
  /** A word of more cells than a row but not more than these stays whole, for the terminal to break: an address. */
  longestWord?: number;
}

/**
 * Breaks spans into rows, at blanks and between wide characters. Rows but the last do not depend on what may follow
 * after a blank; the last row keeps that blank.
 */
export function wrapSpans(spans: readonly Span[], options: WrapOptions): Span[][] {
  const width = Math.max(1, options.width);
  const longestWord = Math.max(width, options.longestWord ?? width);
  const rows: Span[][] = [];
  let row: Span[] = [];
  let used = 0;
  let blank: Span | undefined;
  let word: Word | undefined;

  function endRow(): void {
    rows.push(row);
    row = [];
    used = 0;
    blank = undefined;
  }

  function place({ spans: parts, width: cells }: Word): void {
    const wanted = cells + (blank === undefined ? 0 : 1);
    if (used > 0 && used + wanted > width) endRow();
    if (blank !== undefined && used > 0) {
      row.push(blank);
      used++;
    }
    blank = undefined;
    if (cells <= longestWord) {
      row.push(...parts);
      used += cells;
      return;
    }
    for (const part of parts) {
      for (const text of graphemesOf(part.text)) {
        const cell = widthOfGrapheme(text);
        if (used > 0 && used + cell > width) endRow();
        row.push({ text, style: part.style });
        used += cell;
      }
    }
  }

  function endWord(): void {
    if (word !== undefined) place(word);
    word = undefined;
  }

  function addToWord(text: string, style: number, cells: number, isWide: boolean): void {
    if (word === undefined) word = { spans: [{ text, style }], width: cells, isWide };
    else {
      const last = word.spans.at(-1);
      if (last?.style === style) last.text += text;
      else word.spans.push({ text, style });
      word.width += cells;
      word.isWide = isWide;
    }
  }

  function addMixed(text: string, style: number): void {
    for (const grapheme of graphemesOf(text)) {
      const cells = widthOfGrapheme(grapheme);
      const before = word?.spans.at(-1)?.text ?? "";
      if (word !== undefined && (cells === 2 || word.isWide) && mayBreakBetween(before, grapheme)) endWord();
      addToWord(grapheme, style, cells, cells === 2);
    }
  }

  for (const { text, style } of spans) {
    for (const [part] of text.matchAll(PARTS)) {
      if (part === "\n") {
        endWord();
        endRow();
      } else if (part.startsWith(" ")) {
        endWord();
        blank ??= { text: " ", style };
      } else if (ASCII.test(part) && word?.isWide !== true) {
        addToWord(part, style, part.length, false);
      } else {
        addMixed(part, style);
      }
    }
  }
  endWord();
  if (blank !== undefined && used > 0) row.push(blank);
  rows.push(row);
  return rows;
}

/** Cells of spans that stand on one row. */
export function widthOfSpans(spans: readonly Span[]): number {
  return spans.reduce((sum, { text }) => sum + widthOf(text), 0);
}
