import { cellsWidth, styledCells } from "../bottom/styled-row.js";
import type { StyledCell } from "../bottom/styled-row.js";
import type { Messages } from "../messages/catalogue.js";
import { fit } from "./terminal.js";
import type { Colours } from "./terminal.js";
import { wordMarks } from "./word-marks.js";
import type { MarkedPiece } from "./word-marks.js";

export interface DiffLook {
  colours: Colours;
  messages: Messages;
  /** Makes foreign text safe for the terminal. */
  safe: (text: string) => string;
  /** Cells of a row; longer lines go on below, under their number. */
  columns: number;
}

/** A line of a hunk: what became of it, and its number, in the old file if it was removed, else in the new one. */
interface DiffLine {
  kind: "added" | "removed" | "same" | "no-line-end";
  number: number;
  pieces: readonly MarkedPiece[];
}

type Hunk = DiffLine[];

const TAB = 4;
/** Least cells for the text of a line, however narrow the terminal is. */
const MIN_TEXT = 8;
/** Characters of a diff that are compared word by word. */
const MAX_COMPARED = 100_000;

/**
 * A unified diff of one file as rows that fit the width, each complete in its styles. Of a long one the first `most`
 * lines; `hidden` tells how many are left out.
 */
export function diffRows(
  diff: string,
  look: DiffLook,
  most = Number.POSITIVE_INFINITY,
): { rows: string[]; hidden: number } {
  const hunks = hunksOf(diff);
  const shown = withWordMarks(firstLines(hunks, most));
  const hidden = countLines(hunks) - countLines(shown);
  const digits = String(Math.max(1, ...shown.flat().map(({ number }) => number))).length;
  const { dim } = look.colours;
  const gap = dim(
    `${" ".repeat(Math.max(0, digits - look.messages.glyphs.ellipsis.length))}${look.messages.glyphs.ellipsis}`,
  );
  const rows = shown.flatMap((hunk, index) => [
    ...(index === 0 ? [] : [gap]),
    ...hunk.flatMap((line) => rowsOf(line, digits, look)),
  ]);
  return { rows: hunks.length === 0 ? remarks(diff, look) : rows, hidden };
}

/** Lines that a change adds and takes away. */
export interface ChangeCount {
  added: number;
  removed: number;
}

/** The file that a unified diff changes, as it is named there. */
export function changedPath(diff: string): string {
  return /^\+\+\+ (?:b\/)?(.*)$/m.exec(diff)?.[1] ?? "";
}

/** Whether the file was not there before. */
export function makesFile(diff: string): boolean {
  return /^--- \/dev\/null$/m.test(diff);
}

/** Whether it tells which lines change; without, there were too many differences, or a file without a line. */
export function hasLines(diff: string): boolean {
  return hunkLines(diff).length > 0;
}

export function countChanges(diff: string): ChangeCount {
  const lines = hunkLines(diff);
  return {
    added: lines.filter((line) => line.startsWith("+")).length,
    removed: lines.filter((line) => line.startsWith("-")).length,
  };
}

/** The hunks of a unified diff of one file, without the lines that name it. */
function hunkLines(diff: string): string[] {
  const lines = diff.replace(/\n$/, "").split("\n");
  const first = lines.findIndex((line) => line.startsWith("@@"));
  return first === -1 ? [] : lines.slice(first);
}

function hunksOf(diff: string): Hunk[] {
  const hunks: Hunk[] = [];
  let [before, after] = [0, 0];
  for (const line of hunkLines(diff)) {
    const start = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(line);
    if (start) {
      [before, after] = [Number(start[1]), Number(start[2])];
      hunks.push([]);
      continue;
    }
    const pieces = [{ text: line.slice(1), isChanged: false }];
    const hunk = hunks.at(-1);
    if (line.startsWith("+")) hunk?.push({ kind: "added", number: after++, pieces });
    else if (line.startsWith("-")) hunk?.push({ kind: "removed", number: before++, pieces });
    else if (line.startsWith("\\")) hunk?.push({ kind: "no-line-end", number: 0, pieces: [] });
    else {
      hunk?.push({ kind: "same", number: after++, pieces });
      before++;
    }
  }
  return hunks.map(withoutSameEnd);
}

/** Only a change of it is worth a word: that one version has no line end, and the other does. */
function withoutSameEnd(hunk: Hunk): Hunk {
  const lacking = hunk.flatMap(({ kind }, index) => (kind === "no-line-end" ? [hunk[index - 1]?.kind] : []));
  const isSame = lacking.length === 2 || lacking[0] === "same";
  return isSame ? hunk.filter(({ kind }) => kind !== "no-line-end") : hunk;
}

function countLines(hunks: readonly Hunk[]): number {
  return hunks.reduce((sum, hunk) => sum + hunk.length, 0);
}

function firstLines(hunks: readonly Hunk[], most: number): Hunk[] {
  let left = most;
  const shown: Hunk[] = [];
  for (const hunk of hunks) {
    if (left <= 0) break;
    shown.push(hunk.slice(0, left));
    left -= hunk.length;
  }
  return shown;
}

/** Lines that stand for each other are compared: the first removed with the first that was added after it, and so on. */
function withWordMarks(hunks: readonly Hunk[]): Hunk[] {
  let left = MAX_COMPARED;
  const textOf = ({ pieces }: DiffLine) => pieces.map(({ text }) => text).join("");
  function mark(removed: readonly DiffLine[], added: readonly DiffLine[]): DiffLine[] {
    const marked = { removed: [...removed], added: [...added] };
    for (const [index, line] of removed.entries()) {
      const other = added[index];
      if (other === undefined || left <= 0) break;
      left -= textOf(line).length + textOf(other).length;
      const marks = wordMarks(textOf(line), textOf(other));
      if (marks === undefined) continue;
      marked.removed[index] = { ...line, pieces: marks.before };
      marked.added[index] = { ...other, pieces: marks.after };
    }
    return [...marked.removed, ...marked.added];
  }
  return hunks.map((hunk) => {
    const lines: DiffLine[] = [];
    for (let at = 0; at < hunk.length;) {
      const removed = runOf(hunk, at, "removed");
      const added = runOf(hunk, at + removed.length, "added");
      const run = removed.length + added.length;
      lines.push(...(run === 0 ? hunk.slice(at, at + 1) : mark(removed, added)));
      at += Math.max(1, run);
    }
    return lines;
  });
}

/** The lines of one kind that stand together from `start` on. */
function runOf(hunk: Hunk, start: number, kind: DiffLine["kind"]): DiffLine[] {
  const end = hunk.findIndex((line, index) => index >= start && line.kind !== kind);
  return hunk.slice(start, end === -1 ? hunk.length : end);
}

function rowsOf({ kind, number, pieces }: DiffLine, digits: number, look: DiffLook): string[] {
  const { colours, messages } = look;
  const indent = " ".repeat(digits + 3);
  const room = Math.max(MIN_TEXT, look.columns - indent.length);
  if (kind === "no-line-end")
    return [indent + colours.dim(fit(messages.tools.noLineEnd, room, messages.glyphs.ellipsis))];
  const paint = kind === "added" ? colours.green : kind === "removed" ? colours.red : (text: string) => text;
  const sign = kind === "added" ? "+" : kind === "removed" ? "-" : " ";
  const text = pieces.map((piece) => painted(piece, look)).join("");
  const [first = "", ...rest] = ASCII.test(text)
    ? slices(text, room).map((slice) => paint(slice))
    : brokenRows(styledCells(paint(text)), room);
  const head = `${colours.dim(String(number).padStart(digits))} ${paint(sign)} `;
  return [`${head}${first}`.trimEnd(), ...rest.map((row) => indent + row)];
}

/** Text of which each character is a cell: most of it, and all of a line that is very long. */
const ASCII = /^[\x20-\x7e]*$/;

function slices(text: string, length: number): string[] {
  const count = Math.max(1, Math.ceil(text.length / length));
  return Array.from({ length: count }, (_, index) => text.slice(index * length, (index + 1) * length));
}

/** What changed within a line is underlined; blanks, of which that would show little, are set in inverse. */
function painted({ text, isChanged }: MarkedPiece, { colours, safe }: DiffLook): string {
  // A carriage return alone is no line end here.
  const shown = safe(text).replaceAll("\n", " ");
  if (!isChanged) return shown;
  return /^\s*$/.test(text) ? colours.inverse(shown) : colours.bold.underline(shown);
}

/** Rows of at most `columns` cells, each with its styles begun and ended. */
function brokenRows(cells: readonly StyledCell[], columns: number): string[] {
  const rows: StyledCell[][] = [[]];
  let width = 0;
  for (const cell of cells) {
    const wide = cell.text === "\t" ? TAB - (width % TAB) : cell.width;
    const shown = cell.text === "\t" ? { ...cell, text: " ".repeat(wide), width: wide } : cell;
    if (width > 0 && width + wide > columns) {
      rows.push([]);
      width = 0;
    }
    rows.at(-1)?.push(shown);
    width += wide;
  }
  return rows.map(styledText);
}

function styledText(cells: readonly StyledCell[]): string {
  let text = "";
  let style = "";
  for (const cell of cells) {
    if (cell.style !== style) text += (style === "" ? "" : OFF) + cell.style;
    style = cell.style;
    text += cell.text;
  }
  return text + (style === "" || cellsWidth(cells) === 0 ? "" : OFF);
}

const OFF = "\x1b[0m";

/** What stands in place of hunks, such as that there were too many differences. */
function remarks(diff: string, { safe, colours }: DiffLook): string[] {
  return diff
    .split("\n")
    .filter((line) => line !== "" && !/^(?:---|\+\+\+|={3}|Index: )/.test(line))
    .map((line) => colours.dim(safe(line)));
}
