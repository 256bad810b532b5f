import { columnsOf, wrap } from "./terminal.js";

/** Stands before every line that is not ours, so that none of them can pass for a part of a question. */
export const GUTTER = "  │ ";

/** Lines of the width of the terminal, each after `before`; what a long line goes on with is marked as not ours. */
export function block(lines: readonly string[], before: string, output: { columns?: number }): string[] {
  return lines.flatMap((line) => {
    const [first = "", ...rest] = wrap(line, columnsOf(output) - GUTTER.length);
    return [before + first, ...rest.map((part) => GUTTER + part)];
  });
}
