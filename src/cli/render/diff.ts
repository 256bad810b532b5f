import type { Colours } from "./terminal.js";

/** The hunks of a unified diff of one file, without the lines that name it. */
function hunkLines(diff: string): string[] {
  const lines = diff.replace(/\n$/, "").split("\n");
  const first = lines.findIndex((line) => line.startsWith("@@"));
  return first === -1 ? [] : lines.slice(first);
}

/** Lines to show of a unified diff; `safe` makes each line safe for the terminal. */
export function diffLines(diff: string, colours: Colours, safe: (line: string) => string): string[] {
  return hunkLines(diff).map((line) => {
    const shown = safe(line);
    if (line.startsWith("+")) return colours.green(shown);
    if (line.startsWith("-")) return colours.red(shown);
    return line.startsWith("@@") ? colours.cyan(shown) : shown;
  });
}

export function countChanges(diff: string): { added: number; removed: number } {
  const lines = hunkLines(diff);
  return {
    added: lines.filter((line) => line.startsWith("+")).length,
    removed: lines.filter((line) => line.startsWith("-")).length,
  };
}
