import type { Messages } from "../messages/catalogue.js";
import { columnsOf, wrap } from "./terminal.js";

/** Stands before every line that is not ours, so that none of them can pass for a part of a question. */
export function gutterOf({ glyphs }: Messages): string {
  return `  ${glyphs.gutter} `;
}

/** Cells that a block has for text beside the gutter. */
export function blockColumns(output: { columns?: number }): number {
  return columnsOf(output) - GUTTER_CELLS;
}

const GUTTER_CELLS = 4;

/** Lines of the width of the terminal, each after `before`; what a long line goes on with is marked as not ours. */
export function block(
  lines: readonly string[],
  before: string,
  { output, messages }: { output: { columns?: number }; messages: Messages },
): string[] {
  const gutter = gutterOf(messages);
  return lines.flatMap((line) => {
    const [first = "", ...rest] = wrap(line, blockColumns(output));
    return [before + first, ...rest.map((part) => gutter + part)];
  });
}
