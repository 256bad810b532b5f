import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";

/** Beyond this many milliseconds a diff of two very different large files is not worth waiting for. */
const TIME_LIMIT_MS = 2_000;

/** Unified diff of one file; `before` is undefined for a new one. */
export function unifiedDiff(display: string, before: string | undefined, after: string): string {
  const oldName = before === undefined ? "/dev/null" : `a/${display}`;
  const patch = createTwoFilesPatch(oldName, `b/${display}`, before ?? "", after, undefined, undefined, {
    context: 3,
    timeout: TIME_LIMIT_MS,
    headerOptions: FILE_HEADERS_ONLY,
  });
  if (patch !== undefined) return patch;
  const counts = `${countLines(before ?? "")} lines before, ${countLines(after)} after`;
  return `--- ${oldName}\n+++ b/${display}\n(too different to show line by line: ${counts})\n`;
}

/** A last line without a newline counts. */
export function countLines(text: string): number {
  if (text === "") return 0;
  return text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}
