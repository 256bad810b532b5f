import { widthOfGrapheme } from "../cell-width.js";
import type { Draft, Pasted, Unit } from "./draft.js";

/** One row of a draft that is broken to the width of the terminal. */
export interface DraftRow {
  /** The first unit, and the one after the last; a line end belongs to no row. */
  start: number;
  end: number;
}

/** How folded text is shown. */
export type Label = (folded: Pasted) => string;

const TAB = "    ";

export function shownUnit(unit: Unit, label: Label): string {
  if (typeof unit !== "string") return label(unit);
  return unit === "\t" ? TAB : unit;
}

function widthOfUnit(unit: Unit, label: Label): number {
  const shown = shownUnit(unit, label);
  if (typeof unit === "string" && unit !== "\t") return widthOfGrapheme(shown);
  return Array.from(shown).reduce((sum, character) => sum + widthOfGrapheme(character), 0);
}

/** Breaks at line ends, and where a row is full: after a blank if it has one. There is always a row. */
export function breakRows(units: readonly Unit[], width: number, label: Label): DraftRow[] {
  const rows: DraftRow[] = [];
  let start = 0;
  let cells = 0;
  /** After the last blank of the row. */
  let breakable = -1;
  for (let index = 0; index < units.length; index++) {
    const unit = units[index] ?? "";
    if (unit === "\n") {
      rows.push({ start, end: index });
      [start, cells, breakable] = [index + 1, 0, -1];
      continue;
    }
    const unitWidth = widthOfUnit(unit, label);
    if (cells + unitWidth > width && index > start) {
      const end = breakable > start ? breakable : index;
      rows.push({ start, end });
      start = end;
      cells = units.slice(start, index).reduce<number>((sum, one) => sum + widthOfUnit(one, label), 0);
      breakable = -1;
    }
    cells += unitWidth;
    if (unit === " ") breakable = index + 1;
  }
  return [...rows, { start, end: units.length }];
}

export interface Place {
  row: number;
  column: number;
}

/** Where the cursor is shown. Between two rows of one line it stands at the beginning of the second. */
export function placeOf({ units, cursor }: Draft, rows: readonly DraftRow[], label: Label): Place {
  let row = 0;
  while (row + 1 < rows.length && (rows[row + 1]?.start ?? 0) <= cursor) row++;
  const start = rows[row]?.start ?? 0;
  const column = units.slice(start, cursor).reduce<number>((sum, unit) => sum + widthOfUnit(unit, label), 0);
  return { row, column };
}

/** The place of the cursor in a row that is nearest to a column. */
export function cursorAt(units: readonly Unit[], rows: readonly DraftRow[], at: Place, label: Label): number {
  const { start, end } = rows[at.row] ?? { start: 0, end: units.length };
  // At the end of a row that goes on, the cursor would stand in the next one.
  const last = rows[at.row + 1]?.start === end ? end - 1 : end;
  let column = 0;
  let cursor = start;
  while (cursor < last) {
    const width = widthOfUnit(units[cursor] ?? "", label);
    if (column + width / 2 > at.column) break;
    column += width;
    cursor++;
  }
  return cursor;
}
