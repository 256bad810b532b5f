import { graphemesOf, hasCertainWidth, widthOfGrapheme } from "../cell-width.js";

/** One grapheme as it is shown. */
export interface StyledCell {
  text: string;
  width: number;
  /** Sequences that are in force for it. */
  style: string;
}

/** A style, or the beginning or end of a link; it takes no cell. */
const SEQUENCE = /\x1b\[[\d;]*m|\x1b\]8;[^\x07\x1b]*(?:\x07|\x1b\\)/g;

/** Which code ends what another one begins. */
function endOf(code: string): string | undefined {
  const number = Number(code.split(";")[0]);
  if (number === 1 || number === 2) return "22";
  if (number === 3 || number === 4 || number === 7 || number === 9) return String(number + 20);
  if ((number >= 30 && number <= 38) || (number >= 90 && number <= 97)) return "39";
  if ((number >= 40 && number <= 48) || (number >= 100 && number <= 107)) return "49";
  return undefined;
}

/** The cells of a line that holds no control characters but styles and links of ours. */
export function styledCells(line: string): StyledCell[] {
  const cells: StyledCell[] = [];
  let on: string[] = [];
  let at = 0;
  const take = (text: string) => {
    const style = on.join("");
    for (const grapheme of graphemesOf(text)) {
      cells.push({ text: grapheme, width: widthOfGrapheme(grapheme), style });
    }
  };
  for (const match of line.matchAll(SEQUENCE)) {
    take(line.slice(at, match.index));
    at = match.index + match[0].length;
    on = after(on, match[0]);
  }
  take(line.slice(at));
  return cells;
}

/** The sequences in force after one more. */
function after(on: readonly string[], sequence: string): string[] {
  if (sequence.startsWith("\x1b]")) {
    const others = on.filter((one) => !one.startsWith("\x1b]"));
    return /^\x1b\]8;[^;]*;(?:\x07|\x1b\\)$/.test(sequence) ? others : [...others, sequence];
  }
  const code = sequence.slice(2, -1);
  if (code === "" || code === "0") return on.filter((one) => one.startsWith("\x1b]"));
  if (endOf(code) !== undefined) return [...on, sequence];
  return on.filter((one) => endOf(one.slice(2, -1)) !== code);
}

export function cellsWidth(cells: readonly StyledCell[]): number {
  return cells.reduce((sum, cell) => sum + cell.width, 0);
}

/** What writes the cells from the given column on. All styles are off before and after. */
export function writeCells(cells: readonly StyledCell[], column: number): string {
  let written = "";
  let style = "";
  for (const cell of cells) {
    if (cell.style !== style) {
      written += turnOff(style) + cell.style;
      style = cell.style;
    }
    written += cell.text;
    column += cell.width;
    // Where a terminal draws it narrower or wider, what follows stands in its place all the same.
    if (!hasCertainWidth(cell.text)) written += `\x1b[${column + 1}G`;
  }
  return written + turnOff(style);
}

function turnOff(style: string): string {
  if (style === "") return "";
  return style.includes("\x1b]") ? "\x1b[m\x1b]8;;\x1b\\" : "\x1b[m";
}
