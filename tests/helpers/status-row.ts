/** The line above the prompt of a session names the mode, at least. */
const STATUS = /^(?:.* [·-] )?(?:default|accept-edits|plan|bypass)(?: [·-] .*)?$/;

/** The screen without the status of a session, the line that stands last above the cursor; and that line. */
export function withoutStatus(
  lines: readonly string[],
  cursorRow: number,
): { lines: string[]; status: string } {
  const row = lines.findLastIndex((line, index) => index <= cursorRow && STATUS.test(line));
  if (row === -1) return { lines: [...lines], status: "" };
  return { lines: lines.filter((_, index) => index !== row), status: lines[row] ?? "" };
}
