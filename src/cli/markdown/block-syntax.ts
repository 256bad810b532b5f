// How blocks begin. Lines come without their end, without what belongs to the blocks round them, and with spaces for
// the tabs that they begin with.

export interface Fence {
  /** The characters that end it, at least so many. */
  run: string;
  indent: number;
  language: string;
}

export interface ListMarker {
  /** Columns before the marker, and from the beginning of the line to the text. */
  markerIndent: number;
  indent: number;
  /** Undefined for a bullet. */
  number: number | undefined;
  /** "-", "+", "*", "." or ")". */
  type: string;
  task: "done" | "todo" | undefined;
  text: string;
}

const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/;
const FENCE = /^( {0,3})(?:(`{3,})([^`]*)|(~{3,})(.*))$/;
const RULE = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const UNDERLINE = /^ {0,3}(?:(=+)|-+)[ \t]*$/;
const QUOTE = /^ {0,3}> ?/;
const MARKER = /^( *)([-+*]|(\d{1,9})([.)]))(?:( +)([^ ].*)?)?$/;
const TASK = /^\[([ xX])\](?: +|$)/;

export function indentOf(line: string): number {
  return /^ */.exec(line)?.[0].length ?? 0;
}

export function isBlank(line: string): boolean {
  return line.trim() === "";
}

/** The level and the text of a heading. */
export function headingOf(line: string): { level: number; text: string } | undefined {
  const [, marks = "", text = ""] = HEADING.exec(line) ?? [];
  if (marks === "") return undefined;
  const shown = text.trim();
  const closing = /(?:^|[ \t])#+$/.exec(shown);
  return { level: marks.length, text: closing ? shown.slice(0, closing.index).trimEnd() : shown };
}

export function fenceOf(line: string): Fence | undefined {
  const [, indent = "", ticks = "", afterTicks = "", tildes = "", afterTildes = ""] = FENCE.exec(line) ?? [];
  const run = ticks + tildes;
  if (run === "") return undefined;
  const language = (afterTicks + afterTildes).trim().split(/[\s{,]/, 1)[0] ?? "";
  return { run, indent: indent.length, language };
}

export function closesFence(line: string, { run }: Fence): boolean {
  const text = line.trim();
  return text.length >= run.length && text === run.charAt(0).repeat(text.length);
}

export function isRule(line: string): boolean {
  return RULE.test(line);
}

/** The level of the heading whose text stands above such a line. */
export function underlineOf(line: string): 1 | 2 | undefined {
  const match = UNDERLINE.exec(line);
  return match ? (match[1] === undefined ? 2 : 1) : undefined;
}

/** What a line holds behind the mark of a quote. */
export function quotedOf(line: string): string | undefined {
  const mark = QUOTE.exec(line)?.[0];
  return mark === undefined ? undefined : line.slice(mark.length);
}

export function listMarkerOf(line: string): ListMarker | undefined {
  const match = MARKER.exec(line);
  if (!match) return undefined;
  const [, before = "", marker = "", digits, delimiter, blanks = "", text = ""] = match;
  // More blanks belong to code that begins in the item.
  const gap = text === "" || blanks.length > 4 ? 1 : blanks.length;
  const task = TASK.exec(text);
  return {
    markerIndent: before.length,
    indent: before.length + marker.length + gap,
    number: digits === undefined ? undefined : Number(digits),
    type: delimiter ?? marker,
    task: task ? (task[1] === " " ? "todo" : "done") : undefined,
    text: blanks.slice(gap) + text.slice(task?.[0].length ?? 0),
  };
}

const HTML_TO_END: readonly [begin: RegExp, end: RegExp][] = [
  [/^ {0,3}<!--/, /-->/],
  [/^ {0,3}<(?:script|pre|style|textarea)(?:[\s>]|$)/i, /<\/(?:script|pre|style|textarea)>/i],
];
const HTML_TO_BLANK_LINE =
  /^ {0,3}<\/?(?:address|article|aside|blockquote|body|center|dd|details|dialog|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|nav|ol|option|p|section|source|summary|table|tbody|td|tfoot|th|thead|title|tr|ul)(?:\s|\/?>|$)/i;

/** How a block of HTML that begins with the line ends: with such a line, or with a blank one. */
export function htmlOf(line: string): { end: RegExp | undefined } | undefined {
  const toEnd = HTML_TO_END.find(([begin]) => begin.test(line));
  if (toEnd) return { end: toEnd[1] };
  return HTML_TO_BLANK_LINE.test(line) ? { end: undefined } : undefined;
}

/** Spaces for the tabs that a line begins with. */
export function expandIndent(line: string): string {
  const indent = /^[ \t]*/.exec(line)?.[0] ?? "";
  if (!indent.includes("\t")) return line;
  let columns = 0;
  for (const character of indent) columns = character === "\t" ? columns + 4 - (columns % 4) : columns + 1;
  return " ".repeat(columns) + line.slice(indent.length);
}

/** Without so many columns of its indent; tabs behind them stay. */
export function withoutIndent(line: string, most: number): string {
  let columns = 0;
  let at = 0;
  while (columns < most && /[ \t]/.test(line.charAt(at))) {
    columns += line.charAt(at) === "\t" ? 4 - (columns % 4) : 1;
    at++;
  }
  return " ".repeat(Math.max(0, columns - most)) + line.slice(at);
}

/** Whether a line that is still written may turn out to be nothing but marks: it is not shown yet. */
export function mayBecomeMark(line: string): boolean {
  return /^[-*_=#>`~|+:\s]+$|^\s*\d{1,9}[.)]\s*$|^\s*[-+*]\s+\[[ xX]?\]?\s*$/.test(line);
}
