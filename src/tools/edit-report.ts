import { lineNumberAt } from "./edit-feedback.js";
import type { Replacement } from "./edit-match.js";
import type { FileChange } from "./file-change.js";

/** Lines shown before and after the changed ones. */
const CONTEXT_LINES = 3;
const MAX_REGION_LINES = 60;
const MAX_LINE_CHARS = 500;

/** What the model is told about an edit: where it landed, what was adjusted, and the new region. */
export function describeEdit(
  { path, before, after }: FileChange,
  replacements: readonly Replacement[],
  notes: readonly string[],
): string {
  const old = before?.text ?? "";
  const note = notes.length === 0 ? "" : ` (${notes.join("; ")})`;
  const [first] = replacements;
  if (first === undefined || replacements.length > 1) {
    const lines = replacements.map(({ start }) => lineNumberAt(old, start));
    const shown = lines.slice(0, 20).join(", ") + (lines.length > 20 ? ", …" : "");
    return `Edited ${path.display}: ${replacements.length} places, lines ${shown}${note}.`;
  }
  const firstLine = lineNumberAt(after, first.start);
  const lastBefore = Math.max(firstLine, lineNumberAt(old, Math.max(first.start, first.end - 1)));
  const end = first.start + first.text.length;
  const lastAfter = Math.max(firstLine, lineNumberAt(after, Math.max(first.start, end - 1)));
  const lines = after.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const from = Math.max(1, firstLine - CONTEXT_LINES);
  const to = Math.min(lines.length, lastAfter + CONTEXT_LINES);
  const region = lines
    .slice(from - 1, Math.min(to, from - 1 + MAX_REGION_LINES))
    .map((line) => (line.length <= MAX_LINE_CHARS ? line : `${line.slice(0, MAX_LINE_CHARS)}[… line cut]`));
  const cut = to - from + 1 > region.length ? [`[… up to line ${to}]`] : [];
  const head = `Edited ${path.display} lines ${firstLine}-${lastBefore}${note}. Now lines ${from}-${to} are:`;
  return [head, ...region, ...cut].join("\n");
}
