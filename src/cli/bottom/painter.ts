import { graphemesOf, widthOfGrapheme } from "../cell-width.js";
import { cellsWidth, styledCells, writeCells } from "./styled-row.js";
import type { StyledCell } from "./styled-row.js";

/** The rows at the bottom of what is shown, which may change at any time, and the place of the cursor in them. */
export interface Area {
  rows: readonly string[];
  cursor: { row: number; column: number };
}

export interface PaintedStream {
  write(text: string): unknown;
  columns?: number;
  rows?: number;
}

/**
 * Draws what scrolls away and, below it, an area that changes. Only what differs from what is shown is written; what
 * has scrolled is never touched again.
 */
export interface Painter {
  /** `text` goes on above the area, where the text before it ended; it closes its own styles. */
  paint(text: string, area: Area): void;
  /** The window has another size: the terminal has broken the rows anew, and they are drawn again. */
  resized(): void;
  /** Takes the area away; the cursor stands at the beginning of a line. */
  clear(): void;
  /** Others have written: the next paint begins on the cursor's line. */
  forget(): void;
}

const SYNCHRONISED = { begin: "\x1b[?2026h", end: "\x1b[?2026l" };
const TAB = 8;
/** A style or link, a tab, or text between them. */
const PIECE = /\x1b\[[\d;]*m|\x1b\]8;[^\x07\x1b]*(?:\x07|\x1b\\)|\t|[^\x1b\t]+/g;

const nothing: Area = { rows: [], cursor: { row: 0, column: 0 } };

export function createPainter(output: PaintedStream): Painter {
  /** The cells of the area's rows; none while it is not shown. */
  let shown: StyledCell[][] = [];
  let area = nothing;
  /** Where the cursor is, counted from the area's first row. */
  let at = { row: 0, column: 0 };
  /** The line above the area that has not ended, as far as it stands in its last row. */
  let open = { line: "", column: 0, last: "" };

  const columns = () => output.columns || 80;
  const screenRows = () => output.rows || 24;

  function moveTo(row: number, column: number): string {
    let sequence = "";
    if (row < at.row) sequence += `\x1b[${at.row - row}A`;
    if (row > at.row) sequence += `\x1b[${row - at.row}B`;
    if (column === at.column - 1) sequence += "\b";
    else if (column === 0 && at.column !== 0) sequence += "\r";
    else if (column !== at.column) sequence += `\x1b[${column + 1}G`;
    at = { row, column };
    return sequence;
  }

  /** From the area's place to the end of the open line. The area is erased or overwritten afterwards. */
  function toOpenEnd(): string {
    let sequence = moveTo(0, 0);
    if (open.column > 0) {
      sequence += "\x1b[A";
      const width = widthOfGrapheme(open.last);
      // At the right edge the terminal waits with the line break, which it forgets when the cursor moves.
      sequence +=
        open.column >= columns() && width > 0
          ? `\x1b[${columns() - width + 1}G${open.last}`
          : `\x1b[${open.column + 1}G`;
    }
    return sequence;
  }

  /** Text as it is written from the end of the open line on. */
  function goOn(text: string): string {
    let written = "";
    const parts = text.split("\n");
    for (const [index, part] of parts.entries()) {
      if (index > 0) {
        written += "\n";
        open = { line: "", column: 0, last: "" };
      }
      for (const [piece] of part.matchAll(PIECE)) {
        if (piece.startsWith("\x1b")) written += piece;
        else written += advance(piece);
      }
    }
    return written;
  }

  function advance(piece: string): string {
    const text = piece === "\t" ? " ".repeat(TAB - (open.column % TAB)) : piece;
    for (const grapheme of graphemesOf(text)) {
      const width = widthOfGrapheme(grapheme);
      open.column = open.column + width > columns() ? width : open.column + width;
      if (width > 0) open.last = grapheme;
    }
    open.line += text;
    return text;
  }

  /** Draws the area below the open line, at the end of which the cursor stands. */
  function drawAll(rows: StyledCell[][]): string {
    if (rows.length === 0) return "";
    let written = open.column > 0 ? "\n" : "";
    written += rows.map((cells) => writeCells(cells, 0)).join("\n");
    shown = rows;
    at = { row: rows.length - 1, column: cellsWidth(rows.at(-1) ?? []) };
    return written;
  }

  /** Draws what differs from what is shown. */
  function drawChanges(rows: StyledCell[][]): string {
    let written = "";
    for (const [row, cells] of rows.entries()) {
      const before = shown[row];
      if (before === undefined) {
        written += `${moveTo(row - 1, at.column)}\n`;
        at = { row, column: 0 };
        written += writeCells(cells, 0);
        at.column = cellsWidth(cells);
        continue;
      }
      const same = sameCells(before, cells);
      if (same === before.length && same === cells.length) continue;
      const column = cellsWidth(cells.slice(0, same));
      written += moveTo(row, column) + writeCells(cells.slice(same), column);
      at.column = cellsWidth(cells);
      if (at.column < cellsWidth(before)) written += "\x1b[K";
    }
    if (rows.length < shown.length) written += `${moveTo(rows.length, 0)}\x1b[J`;
    shown = rows;
    return written;
  }

  function erase(): string {
    if (shown.length === 0) return "";
    const written = `${moveTo(0, 0)}\x1b[J${toOpenEnd()}`;
    shown = [];
    return written;
  }

  function send(written: string, isLong: boolean): void {
    if (written === "") return;
    output.write(isLong ? SYNCHRONISED.begin + written + SYNCHRONISED.end : written);
  }

  function clipped({ rows, cursor }: Area): { rows: StyledCell[][]; cursor: Area["cursor"] } {
    // The rightmost column stays empty, so that no row breaks by itself.
    const most = columns() - 1;
    // One row stays for the open line above.
    const hidden = Math.max(0, rows.length - screenRows() + 1);
    return {
      rows: rows.slice(hidden).map((row) => {
        let width = 0;
        return styledCells(row).filter((cell) => (width += cell.width) <= most);
      }),
      cursor: { row: Math.max(0, cursor.row - hidden), column: Math.min(cursor.column, most) },
    };
  }

  return {
    paint(text, wanted) {
      const isSame =
        wanted.rows.length === area.rows.length &&
        wanted.rows.every((row, index) => row === area.rows[index]);
      area = wanted;
      const { rows, cursor } = clipped(wanted);
      const place = () => moveTo(Math.min(cursor.row, rows.length - 1), cursor.column);
      const wasShown = shown.length > 0;
      if (rows.length === 0) {
        send(erase() + goOn(text), wasShown);
      } else if (text === "") {
        const drawn = wasShown ? drawChanges(rows) : drawAll(rows);
        send(drawn + place(), !wasShown);
      } else if (isSame && wasShown && fitsOpenRow(text)) {
        const written = toOpenEnd() + goOn(text);
        at = { row: -1, column: open.column };
        send(written + place(), false);
      } else {
        send(erase() + goOn(text) + drawAll(rows) + place(), true);
      }
    },

    resized() {
      const width = columns();
      const above = shown.slice(0, at.row);
      const rowsOf = (cells: number) => Math.max(1, Math.ceil(cells / width));
      const up =
        above.reduce((sum, cells) => sum + rowsOf(cellsWidth(cells)), 0) + Math.floor(at.column / width);
      const wasShown = shown.length > 0;
      const { line } = open;
      open = { line: "", column: 0, last: "" };
      goOn(line);
      if (!wasShown) return;
      at = { row: up, column: at.column };
      const start = `${moveTo(0, 0)}\x1b[J${toOpenEnd()}`;
      shown = [];
      const { rows, cursor } = clipped(area);
      const drawn = drawAll(rows);
      send(start + drawn + moveTo(Math.min(cursor.row, rows.length - 1), cursor.column), true);
    },

    forget() {
      shown = [];
      open = { line: "", column: 0, last: "" };
      area = nothing;
      send("\r", false);
    },

    clear() {
      const written = erase();
      send(written + (open.column > 0 ? "\n" : ""), false);
      open = { line: "", column: 0, last: "" };
      area = nothing;
    },
  };

  function fitsOpenRow(text: string): boolean {
    if (open.column === 0 || open.column >= columns() || /[\n\t]/.test(text)) return false;
    return open.column + cellsWidth(styledCells(text)) <= columns();
  }
}

/** How many cells are the same at the beginning. */
function sameCells(a: readonly StyledCell[], b: readonly StyledCell[]): number {
  const most = Math.min(a.length, b.length);
  for (let index = 0; index < most; index++) {
    const [one, other] = [a[index], b[index]];
    if (one?.text !== other?.text || one?.style !== other?.style) return index;
  }
  return most;
}
