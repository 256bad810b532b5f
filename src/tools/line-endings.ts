import type { Replacement } from "./edit-match.js";
import { listChanges } from "./list-changes.js";

/** Above this many changed lines of a text with mixed endings, all get the commonest one. */
const MAX_CHANGED_LINES = 5_000;

/** What ends most lines of a file; a lone CR only where nothing else does. */
type Ending = "\n" | "\r\n" | "\r";

/** What a model writes, with "\n" line ends. */
export function toLf(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

/** The content of a file with "\n" line ends. A lone CR in a file with other line ends is a character like any. */
export function linesToLf(content: string): string {
  return endsLinesWithCr(content) ? content.replaceAll("\r", "\n") : toLf(content);
}

/** Every line of the file ends in a lone CR, as on the Macintosh of old. */
export function endsLinesWithCr(content: string): boolean {
  return content.includes("\r") && !content.includes("\n");
}

/** The text with the endings of `original`: unchanged lines keep their own, new lines get the commonest. */
export function restoreEndings(text: string, original: string): string {
  return withEndings(text, original, commonestEnding(original));
}

/**
 * Puts replacements, whose offsets count every line end as one character, into a text that may have CRLF. Nothing
 * outside them changes; inside them unchanged lines keep their endings and new ones get the commonest of the text.
 */
export function replaceInOriginal(original: string, replacements: readonly Replacement[]): string {
  const commonest = commonestEnding(original);
  const parts: string[] = [];
  let from = 0;
  const toOriginal = offsetMapper(original);
  for (const { start, end, text } of replacements) {
    const [first, last] = [toOriginal(start), toOriginal(end)];
    parts.push(original.slice(from, first), withEndings(text, original.slice(first, last), commonest));
    from = last;
  }
  parts.push(original.slice(from));
  return parts.join("");
}

function commonestEnding(text: string): Ending {
  if (endsLinesWithCr(text)) return "\r";
  const { crlf, lf } = countEndings(text);
  return crlf > lf ? "\r\n" : "\n";
}

function countEndings(text: string): { crlf: number; lf: number } {
  const crlf = text.split("\r\n").length - 1;
  return { crlf, lf: text.split("\n").length - 1 - crlf };
}

/** Offsets must be asked for in order. */
function offsetMapper(original: string): (offset: number) => number {
  let crlfBefore = 0;
  let next = original.indexOf("\r\n");
  return (offset) => {
    while (next !== -1 && next - crlfBefore < offset) {
      crlfBefore++;
      next = original.indexOf("\r\n", next + 2);
    }
    return offset + crlfBefore;
  };
}

function withEndings(text: string, original: string, commonest: Ending): string {
  if (commonest === "\r") return text.replaceAll("\n", "\r");
  const { crlf, lf } = countEndings(original);
  if (commonest === "\n" && crlf === 0) return text;
  if (commonest === "\r\n" && lf === 0) return text.replaceAll("\n", "\r\n");
  const before = original.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  const endings: string[] = original.split("\n").map((line) => (line.endsWith("\r") ? "\r\n" : "\n"));
  const after = text.split("\n");
  // The last piece has no ending of its own; whatever follows it in the new text is new.
  endings[endings.length - 1] = commonest;

  const changes = listChanges(before, after, MAX_CHANGED_LINES);
  if (changes === undefined) return after.join(commonest);
  const result: string[] = [];
  let at = 0;
  for (const change of changes) {
    if (change.removed) at += change.count;
    else if (change.added) result.push(...change.value.map((line) => line + commonest));
    else result.push(...change.value.map((line) => line + (endings[at++] ?? commonest)));
  }
  return result.slice(0, -1).join("") + (after.at(-1) ?? "");
}
