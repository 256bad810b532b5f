import { severityOf } from "../processes/notable-lines.js";
import type { Severity } from "../processes/notable-lines.js";
import { printable } from "../printable.js";
import { screenRows } from "./screen-rows.js";

/** A line of output as the model is shown it. */
export interface OutputLine {
  text: string;
  /** Lines of the output that it stands for. */
  lines: number;
  severity: Severity | undefined;
}

/** Repeated this often, lines are shown once with a count. */
const MIN_REPEATS = 3;
/** Longest group of lines that is recognised when it comes again and again. */
const MAX_GROUP = 4;
/** Empty lines in a row. */
const MAX_BLANK = 2;

/** Lines as a terminal would show them, what is repeated once. */
export function outputLines(text: string): OutputLine[] {
  const rows = screenRows(text.replaceAll("\0", "\n")).map((row) => printable(row).trimEnd());
  const result: OutputLine[] = [];
  for (let at = 0; at < rows.length;) {
    const { group, repeats } = repetitionAt(rows, at);
    const block = rows.slice(at, at + group);
    const isBlank = block.every((row) => row === "");
    if (isBlank) {
      const shown = Math.min(repeats, MAX_BLANK);
      for (let index = 0; index < shown; index++) {
        result.push({ text: "", lines: index === 0 ? repeats - shown + 1 : 1, severity: undefined });
      }
    } else {
      result.push(...block.map((row) => ({ text: row, lines: 1, severity: severityOf(row) })));
      if (repeats > 1) {
        const what = group === 1 ? "line" : `${group} lines`;
        const count = `[the ${what} above ${repeats} times in all]`;
        result.push({ text: count, lines: group * (repeats - 1), severity: undefined });
      }
    }
    at += group * repeats;
  }
  return result;
}

/** The shortest group of lines at `at` that comes again at once, often enough to be counted; else the one line. */
function repetitionAt(rows: readonly string[], at: number): { group: number; repeats: number } {
  const longest = rows[at] === "" ? 1 : MAX_GROUP;
  for (let group = 1; group <= longest; group++) {
    let end = at + group;
    while (end < rows.length && rows[end] === rows[end - group]) end++;
    const repeats = Math.floor((end - at) / group);
    const isBlank = rows[at] === "";
    if (repeats >= (isBlank ? 2 : MIN_REPEATS)) return { group, repeats };
  }
  return { group: 1, repeats: 1 };
}
