import { Chalk } from "chalk";
import type { ChalkInstance } from "chalk";
import { graphemesOf, mayBreakBetween, widthOfGrapheme } from "../cell-width.js";
import { hasUnicode } from "../unicode.js";

/** What is needed of an output stream; process.stdout and process.stderr have it. */
export interface OutputStream {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
}

export interface TerminalTraits {
  /** 0: no colours; 1: the sixteen colours that every terminal's own theme makes readable. */
  colourLevel: 0 | 1;
  /** Whether a line may be drawn over, as a spinner does. */
  animated: boolean;
  /** Whether more than ASCII may be drawn; what a model or a file says is shown as it is. */
  unicode: boolean;
}

/**
 * What may be sent to a stream. One that is no terminal gets no escape byte whatever the environment says;
 * NO_COLOR beats FORCE_COLOR, which beats TERM=dumb.
 */
export function terminalTraits(
  stream: Pick<OutputStream, "isTTY">,
  settings: {
    environment: Record<string, string | undefined>;
    noColor: boolean;
    plain?: boolean | undefined;
    ascii?: boolean | undefined;
  },
): TerminalTraits {
  const { NO_COLOR, FORCE_COLOR, TERM } = settings.environment;
  const unicode = hasUnicode(settings.environment, settings);
  if (stream.isTTY !== true || settings.plain === true) return { colourLevel: 0, animated: false, unicode };
  const dumb = TERM === "dumb";
  const off = settings.noColor || Boolean(NO_COLOR) || FORCE_COLOR === "0" || FORCE_COLOR === "false";
  const colour = !off && (!dumb || FORCE_COLOR !== undefined);
  return { colourLevel: colour ? 1 : 0, animated: !dumb, unicode };
}

export type Colours = ChalkInstance;

export function createColours(level: TerminalTraits["colourLevel"]): Colours {
  return new Chalk({ level });
}

/** A style of ours; it takes no cell. */
const STYLE = /(\x1b\[\d+m)/;
const STYLES = new RegExp(STYLE.source, "g");
const ANY_STYLE = new RegExp(STYLE, "g");

/**
 * Breaks a line of printable text, which may have styles of ours, so that no part takes more than `columns` cells: after
 * a blank or at a wide character, unless that would leave half of the row empty. Nothing is lost. Parts but the first
 * leave room for an indent of `indent` cells.
 */
export function wrap(line: string, columns: number, indent = 0): string[] {
  const parts: string[] = [];
  let part = "";
  let width = 0;
  let before = "";
  /** Where a row may end: how much of `part`, and of its cells, stands before. */
  let end = { length: 0, width: 0 };
  for (const [at, run] of line.split(STYLE).entries()) {
    if (at % 2 === 1) {
      part += run;
      continue;
    }
    for (const grapheme of graphemesOf(run)) {
      const cells = grapheme === "\t" ? TAB_CELLS : widthOfGrapheme(grapheme);
      const isWide = cells === 2 || widthOfGrapheme(before) === 2;
      if (grapheme !== " " && isWide && mayBreakBetween(before, grapheme))
        end = { length: part.length, width };
      const room = parts.length === 0 ? columns : columns - indent;
      if (width > 0 && width + cells > room) {
        const kept = end.width > room / 2 ? end : { length: part.length, width };
        parts.push(part.slice(0, kept.length));
        part = part.slice(kept.length);
        width -= kept.width;
        end = { length: 0, width: 0 };
      }
      part += grapheme;
      width += cells;
      before = grapheme;
      if (grapheme === " ") end = { length: part.length, width };
    }
  }
  return [...parts, part];
}

/** What a line of a list or a table begins with, up to its last column. */
const FIRST_COLUMN = /^ *\S.*? {2,}(?=\S)/;

/** Rows of a line of ours: what goes on stands below where its text, or the second column of a table, begins. */
export function hang(line: string, columns: number): string[] {
  const plain = line.replaceAll(ANY_STYLE, "");
  if (widthOf(plain) <= columns) return [line];
  const column = widthOf(FIRST_COLUMN.exec(plain)?.[0] ?? "");
  const indent = column > 0 && column <= columns / 2 ? column : widthOf(/^ */.exec(plain)?.[0] ?? "");
  const [first = "", ...rest] = wrap(line, columns, indent);
  return [first, ...rest.map((part) => " ".repeat(indent) + part)];
}

/** Lines in rows where they are read on a terminal; a pipe gets each of them whole. */
export function inRows(lines: readonly string[], output: OutputStream): string[] {
  return output.isTTY === true ? lines.flatMap((line) => hang(line, columnsOf(output))) : [...lines];
}

/** Most that a tab takes. */
const TAB_CELLS = 8;

/**
 * A line, which may have styles of ours, with spaces for its tabs: how far a tab goes depends on what stands before the
 * line, and so could not be measured.
 */
export function withoutTabs(line: string): string {
  const [first = "", ...rest] = line.split("\t");
  return rest.reduce(
    (text, part) => text + " ".repeat(TAB_CELLS - (widthOf(withoutStyles(text)) % TAB_CELLS)) + part,
    first,
  );
}

export function withoutStyles(line: string): string {
  return line.replace(STYLES, "");
}

/** Cells that printable text takes on one line. */
export function widthOf(text: string): number {
  return graphemesOf(text).reduce((width, grapheme) => width + widthOfGrapheme(grapheme), 0);
}

/** Cuts printable text so that it takes at most `columns` cells; the cut shows as `ellipsis`. */
export function fit(text: string, columns: number, ellipsis: string): string {
  let width = 0;
  /** Length of the longest beginning that leaves room for the ellipsis. */
  let kept = 0;
  let end = 0;
  for (const grapheme of graphemesOf(text)) {
    width += widthOfGrapheme(grapheme);
    if (width > columns) return text.slice(0, kept) + ellipsis.slice(0, Math.max(1, columns));
    end += grapheme.length;
    if (width <= columns - ellipsis.length) kept = end;
  }
  return text;
}

/** Columns of the stream; 80 where it has none or says 0. */
export function columnsOf(stream: { columns?: number }): number {
  return stream.columns || 80;
}

export interface LineWriter {
  /** Goes on with the current line. */
  write: (text: string) => void;
  /** Ends the current line if anything stands on it. */
  endLine: () => void;
  /** Writes lines of their own. */
  lines: (...lines: string[]) => void;
}

/** Writes to a stream and knows whether a line stands open. */
export function createLineWriter(stream: OutputStream): LineWriter {
  let open = false;
  const write = (text: string) => {
    if (text === "") return;
    stream.write(text);
    open = !text.endsWith("\n");
  };
  const endLine = () => {
    if (open) write("\n");
  };
  return {
    write,
    endLine,
    lines(...lines) {
      endLine();
      for (const line of lines) write(`${line}\n`);
    },
  };
}
