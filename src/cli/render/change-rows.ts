import { printable } from "../../printable.js";
import type { Messages } from "../messages/catalogue.js";
import { diffRows } from "./diff.js";
import type { Colours } from "./terminal.js";

/** Most lines of a change that are shown unasked. */
const MAX_LINES = 40;

/** What a call has changed, below its line; the end of a long diff is left out. */
export function changeRows(
  diff: string,
  { messages, colours, columns }: { messages: Messages; colours: Colours; columns: number },
): string[] {
  const look = { colours, messages, safe: printable, columns: columns - 3 };
  const { rows, hidden } = diffRows(diff, look, MAX_LINES);
  return [
    ...rows.map((row) => `  ${row}`),
    ...(hidden > 0 ? [colours.dim(`  ${messages.tool.moreLines(hidden)}`)] : []),
  ];
}
