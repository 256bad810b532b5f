/** Sequences that a terminal acts on, in the forms of ECMA-48; anything else is text. */
const PIECE =
  /\x1b\[(?<values>[\d;?]*)[ -/]*(?<action>[@-~])?|\x1b\][^\x07\x1b\n]*(?:\x07|\x1b\\)?|\x1b[PX^_][^\x1b]*(?:\x1b\\)?|\x1b[ -/]*[0-Z\\-~]?|(?<control>[\r\n\b])|(?<text>[^\x1b\r\n\b]+)/g;

/** A sequence that asks for a place farther away than this means nothing to a stream without a screen. */
const MAX_DISTANCE = 500;

/**
 * The lines that a terminal shows after a text was written to it: what a progress bar has written over is gone. The
 * terminal is as high as it has to be, and each character takes one column.
 */
export function screenRows(text: string): string[] {
  if (!/[\r\b\x1b]/.test(text)) return text.split("\n");
  const rows: string[][] = [[]];
  let row = 0;
  let column = 0;
  /** Where the screen began that was cleared last. */
  let top = 0;

  function lineAt(index: number): string[] {
    while (rows.length <= index) rows.push([]);
    return rows[index] ?? [];
  }

  function write(characters: string): void {
    const line = lineAt(row);
    while (line.length < column) line.push(" ");
    for (const character of characters) {
      if (column > 0 && /\p{M}/u.test(character)) line[column - 1] = `${line[column - 1] ?? ""}${character}`;
      else line[column++] = character;
    }
  }

  function move(action: string, values: readonly number[]): void {
    const [first = 0, second = 0] = values;
    const count = Math.min(Math.max(1, first), MAX_DISTANCE);
    switch (action) {
      case "A":
      case "F":
        row = Math.max(top, row - count);
        break;
      case "B":
      case "E":
        row += count;
        break;
      case "C":
        column += count;
        break;
      case "D":
        column = Math.max(0, column - count);
        break;
      case "G":
        column = count - 1;
        break;
      case "H":
      case "f":
        row = top + count - 1;
        column = Math.min(Math.max(1, second), MAX_DISTANCE) - 1;
        break;
      case "K":
        erase(first);
        break;
      case "J":
        clear(first);
        break;
    }
    if (action === "E" || action === "F") column = 0;
  }

  /** 0: from the cursor on; 1: up to it; 2: the line. */
  function erase(what: number): void {
    const line = lineAt(row);
    if (what === 0) line.length = Math.min(line.length, column);
    else line.fill(" ", 0, what === 1 ? column + 1 : line.length);
  }

  /** A screen that is cleared is kept, as what has scrolled away. */
  function clear(what: number): void {
    if (what === 0) {
      erase(0);
      rows.length = row + 1;
    } else if (what >= 2) {
      top = rows.length;
      row = top;
      column = 0;
    }
  }

  for (const { groups = {} } of text.matchAll(PIECE)) {
    if (groups["text"] !== undefined) write(groups["text"]);
    else if (groups["action"] !== undefined)
      move(groups["action"], (groups["values"] ?? "").split(";").map(Number));
    else if (groups["control"] === "\n") {
      row++;
      column = 0;
      lineAt(row);
    } else if (groups["control"] === "\r") column = 0;
    else if (groups["control"] === "\b") column = Math.max(0, column - 1);
  }
  return rows.map((line) => line.join("").trimEnd());
}
