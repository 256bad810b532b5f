import { widthOf } from "../render/terminal.js";
import type { Look } from "./look.js";
import { parseInline } from "./inline.js";
import type { InlineOptions } from "./inline.js";
import { STYLE, styled } from "./span.js";
import type { Span } from "./span.js";
import { widthOfSpans, wrapSpans } from "./wrap-spans.js";

type Alignment = "left" | "right" | "centre";

/** A table as it is written; it is never changed itself. */
export interface Table {
  readonly alignments: readonly Alignment[];
  readonly head: readonly Span[][];
  /** Rows that are not printed yet. */
  readonly rows: readonly Span[][][];
  /** Set with the first print, after which the columns do not change. */
  readonly layout?: Layout;
}

interface Layout {
  /** Cells of each column; undefined where a table has no room. */
  widths: readonly number[] | undefined;
  /** Whether a line stands between rows, since some take several lines. */
  hasLines: boolean;
}

/** After so many rows the columns are set. */
const ROWS_FOR_LAYOUT = 20;
/** A table whose columns would be narrower on average is shown as a list. */
const LEAST_COLUMN = 8;

const CELL_PARTS = /\\[^]|\||[^\\|]+|\\$/g;
const CELL_PARTS_WITH_CODE = /\\[^]|\||`+[^`]*`+|[^\\|`]+|`|\\$/g;
const DELIMITER_ROW = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

/** The table that begins with these two lines, if they are a head and the row of dashes below it. */
export function beginTable(head: string, line: string, inline: InlineOptions): Table | undefined {
  if (!line.includes("-") || !(line.includes("|") || head.includes("|")) || !DELIMITER_ROW.test(line)) {
    return undefined;
  }
  const names = cellsOf(head);
  const marks = cellsOf(line);
  if (names.length !== marks.length) return undefined;
  return {
    alignments: marks.map(alignmentOf),
    head: names.map((name) => styled(parseInline(name, inline).spans, STYLE.bold)),
    rows: [],
  };
}

function alignmentOf(mark: string): Alignment {
  if (!mark.endsWith(":")) return "left";
  return mark.startsWith(":") ? "centre" : "right";
}

/** Adds a row; what has more cells than the head loses them. */
export function withRow(table: Table, line: string, inline: InlineOptions): Table {
  let cells = cellsOf(line, CELL_PARTS);
  // Models write bars in code without the backslash.
  if (cells.length > table.head.length) cells = cellsOf(line, CELL_PARTS_WITH_CODE);
  const row = table.head.map((_, column) => parseInline(cells[column] ?? "", inline).spans);
  return { ...table, rows: [...table.rows, row] };
}

/** The texts between the bars of a line; a bar after a backslash is part of its cell. */
function cellsOf(line: string, parts = CELL_PARTS): string[] {
  const inner = line.trim().replace(/^\|/, "");
  const cells: string[] = [];
  let cell = "";
  for (const [part] of inner.matchAll(parts)) {
    if (part === "|") {
      cells.push(cell.trim());
      cell = "";
    } else {
      cell += part === "\\|" ? "|" : part;
    }
  }
  if (cell.trim() !== "" || cells.length === 0) cells.push(cell.trim());
  return cells;
}

/**
 * Rows that are final, painted: none until enough of the table is known, then each with its line. `isAll`: the table
 * has ended.
 */
export function printTable(
  table: Table,
  { width, look, isAll }: { width: number; look: Look; isAll: boolean },
): { rest: Table; rows: string[] } {
  if (table.layout === undefined && !isAll && table.rows.length < ROWS_FOR_LAYOUT)
    return { rest: table, rows: [] };
  const layout = table.layout ?? layoutOf(table, width);
  const rest = { ...table, layout, rows: [] };
  const { widths, hasLines } = layout;
  const isFirst = table.layout === undefined;
  if (widths === undefined) {
    const records = table.rows.map((row) => recordLines(table, row, width, look));
    return {
      rest,
      rows: records.flatMap((lines, index) => (isFirst && index === 0 ? lines : ["", ...lines])),
    };
  }
  const line = look.dim(
    widths
      .map((cells) => look.marks.rule.repeat(cells))
      .join(look.marks.rule + look.marks.cross + look.marks.rule),
  );
  const body = table.rows.flatMap((row, index) => [
    ...(hasLines && !(isFirst && index === 0) ? [line] : []),
    ...rowLines(row, widths, table.alignments, look),
  ]);
  return {
    rest,
    rows: isFirst ? [...rowLines(table.head, widths, table.alignments, look), line, ...body] : body,
  };
}

function layoutOf({ head, rows }: Table, width: number): Layout {
  const all = [head, ...rows];
  const wanted = head.map((_, column) =>
    Math.max(1, ...all.map((row) => Math.max(...linesOf(row[column] ?? []).map(widthOfSpans)))),
  );
  const room = width - 3 * (head.length - 1);
  const sum = wanted.reduce((total, cells) => total + cells, 0);
  if (sum <= room) return { widths: wanted, hasLines: false };
  if (room < head.length * LEAST_COLUMN) return { widths: undefined, hasLines: false };
  return { widths: shared(wanted, room), hasLines: true };
}

function linesOf(spans: readonly Span[]): Span[][] {
  return wrapSpans(spans, { width: Number.MAX_SAFE_INTEGER });
}

/** Shares the room: who wants less than an equal part gets it, the others share the rest. */
function shared(wanted: readonly number[], room: number): number[] {
  const widths = wanted.map(() => 0);
  let left = room;
  let columns = [...wanted.keys()].sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0));
  while (columns.length > 0) {
    const [column = 0, ...others] = columns;
    const width = Math.min(wanted[column] ?? 0, Math.floor(left / columns.length));
    widths[column] = width;
    left -= width;
    columns = others;
  }
  return widths;
}

function rowLines(
  row: readonly Span[][],
  widths: readonly number[],
  alignments: readonly Alignment[],
  look: Look,
): string[] {
  const cells = widths.map((width, column) => wrapSpans(row[column] ?? [], { width }));
  const height = Math.max(...cells.map((lines) => lines.length));
  const bar = look.dim(look.marks.column);
  return Array.from({ length: height }, (_, line) =>
    cells
      .map((lines, column) =>
        aligned(lines[line] ?? [], widths[column] ?? 0, alignments[column] ?? "left", look),
      )
      .join(` ${bar} `)
      .trimEnd(),
  );
}

function aligned(spans: readonly Span[], width: number, alignment: Alignment, look: Look): string {
  const text = look.paint(spans);
  const missing = Math.max(0, width - widthOfSpans(spans));
  const before = alignment === "right" ? missing : alignment === "centre" ? Math.floor(missing / 2) : 0;
  return " ".repeat(before) + text + " ".repeat(missing - before);
}

/** A row as "name: value" lines, for a table that has no room. */
function recordLines({ head }: Table, row: readonly Span[][], width: number, look: Look): string[] {
  return head.flatMap((name, column) => {
    const spans = [
      ...name,
      { text: widthOf(textOf(name)) > 0 ? ": " : "", style: STYLE.none },
      ...(row[column] ?? []),
    ];
    return wrapSpans(spans, { width }).map((line) => look.paint(line).trimEnd());
  });
}

function textOf(spans: readonly Span[]): string {
  return spans.map(({ text }) => text).join("");
}
