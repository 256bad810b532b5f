import { diffArrays } from "diff";
import { countLines } from "./file-diff.js";
import { likeness } from "./likeness.js";

/** Lines of an answer about an edit that found no place. */
const MAX_FEEDBACK_LINES = 60;
/** A file as short as this is shown whole if nothing in it resembles the given text. */
const SHORT_FILE_LINES = 40;
/** Lines of a file that are looked at for the nearest place. */
const MAX_SEARCHED_LINES = 50_000;
const MAX_LINE_CHARS = 200;
/** Lines shown before and after a region that is to be copied. */
const REGION_MARGIN = 3;
/** A file as short as this may as well be written anew. */
const REWRITABLE_LINES = 200;

/**
 * Says why there was no place for the edit, and helps more each time that edits of the file go wrong: the nearest
 * place as a line diff, then its lines to copy, then another way.
 */
export function explainMiss(display: string, text: string, oldText: string, misses: number): string {
  const total = countLines(text);
  const fileLines = text.split("\n").slice(0, MAX_SEARCHED_LINES);
  const oldLines = oldText.replace(/^\n+|\n+$/g, "").split("\n");
  const head = `old_text does not occur in ${display} (${total} lines).`;
  const nearest = nearestPlace(fileLines, oldLines);
  const advice = misses < 3 ? "" : `\n${otherWay(total, nearest)}`;
  if (nearest === undefined) {
    return `${head}\n${whereElse(fileLines, oldText)}\nNothing was changed. Read the file, then repeat the edit with its exact text.${advice}`;
  }
  const { start, equal } = nearest;
  const end = Math.min(start + oldLines.length, total);
  if (misses >= 2) {
    const from = Math.max(0, start - REGION_MARGIN);
    const to = Math.min(total, end + REGION_MARGIN);
    const region = capLines(fileLines.slice(from, to).map(clip));
    return `${head} Nothing was changed. Lines ${from + 1}-${to} of the file are:\n${region}\nCopy the lines to change from these, character for character, as old_text.${advice}`;
  }
  const place = `Nearest: lines ${start + 1}-${end}, ${equal} of ${oldLines.length} lines equal. "-" is your text, "+" is the file:`;
  return `${head} ${place}\n${lineDiff(oldLines, fileLines, start)}\nNothing was changed. Repeat the edit with the file's text.`;
}

/** What to do once repeating the edit has failed twice. */
function otherWay(total: number, nearest: Place | undefined): string {
  if (total <= REWRITABLE_LINES) {
    return `This is the third edit of the file that fails. It has only ${total} lines: read it once more and write all of it with write_file.`;
  }
  const where =
    nearest === undefined ? "search for a word of it with search_code" : "take it from the lines above";
  return `This is the third edit of the file that fails. Use an old_text of 1 to 3 lines; ${where}.`;
}

/** Lists the places where an ambiguous text occurs. */
export function explainAmbiguity(display: string, text: string, starts: readonly number[]): string {
  const shown = starts.slice(0, 10).map((start) => {
    const line = lineNumberAt(text, start);
    return `  ${line}: ${clip(text.split("\n", line)[line - 1] ?? "")}`;
  });
  const more = starts.length > shown.length ? [`  and ${starts.length - shown.length} more`] : [];
  return [
    `old_text occurs ${starts.length} times in ${display}, at lines:`,
    ...shown,
    ...more,
    "Nothing was changed. Add lines before or after it to old_text so that it is unique, or set replace_all.",
  ].join("\n");
}

export function lineNumberAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) line++;
  return line;
}

interface Place {
  start: number;
  equal: number;
}

/** The window of the file most like the given lines, if at least half like it. */
function nearestPlace(fileLines: readonly string[], oldLines: readonly string[]): Place | undefined {
  const wanted = oldLines.map((line) => line.trim());
  const lines = fileLines.map((line) => line.trim());
  const equalAt = (start: number): number =>
    wanted.filter((line, index) => line !== "" && line === lines[start + index]).length;

  const last = Math.max(0, lines.length - wanted.length);
  const windows = Array.from({ length: last + 1 }, (_, start) => ({ start, equal: equalAt(start) }));
  const mostEqual = windows.reduce((most, { equal }) => Math.max(most, equal), 0);
  const candidates =
    mostEqual > 0
      ? windows.filter(({ equal }) => equal >= mostEqual - 1 && equal > 0).slice(0, 50)
      : likeLongestLine(lines, wanted, last).map((start) => ({ start, equal: 0 }));

  let best: (Place & { likeness: number }) | undefined;
  for (const candidate of candidates) {
    const sum = wanted.reduce(
      (total, line, index) => total + likeness(line, lines[candidate.start + index] ?? ""),
      0,
    );
    const mean = sum / wanted.length;
    if (mean >= 0.5 && (best === undefined || mean > best.likeness)) best = { ...candidate, likeness: mean };
  }
  return best === undefined ? undefined : { start: best.start, equal: equalAt(best.start) };
}

/** Where the window would begin if the longest given line were one of the five file lines most like it. */
function likeLongestLine(lines: readonly string[], wanted: readonly string[], last: number): number[] {
  const longest = wanted.reduce(
    (best, line, index) => (line.length > (wanted[best]?.length ?? 0) ? index : best),
    0,
  );
  const text = wanted[longest] ?? "";
  return lines
    .map((line, index) => ({ index, like: likeness(text, line) }))
    .filter(({ like }) => like >= 0.5)
    .sort((a, b) => b.like - a.like)
    .slice(0, 5)
    .map(({ index }) => Math.min(last, Math.max(0, index - longest)));
}

function lineDiff(oldLines: string[], fileLines: readonly string[], start: number): string {
  const found = fileLines.slice(start, start + oldLines.length);
  const changes = diffArrays(oldLines, found, { comparator: (a, b) => a.trimEnd() === b.trimEnd() });
  // If only blanks differ, they are made visible.
  const blanksOnly = oldLines.every((line, index) => line.trim() === found[index]?.trim());
  const show = (line: string): string => clip(blanksOnly ? visibleIndent(line) : line);

  const result: string[] = [];
  let number = start + 1;
  for (const change of changes) {
    for (const line of change.value) {
      if (change.removed) result.push(`-      ${show(line)}`);
      else result.push(`${change.added ? "+" : " "} ${String(number++).padStart(4)} ${show(line)}`);
    }
  }
  return capLines(result);
}

function visibleIndent(line: string): string {
  return line.replace(/^[ \t]+/, (blanks) => blanks.replaceAll("\t", "→").replaceAll(" ", "·"));
}

/** The places of the longest word of the given text, or the whole file if it is short. */
function whereElse(fileLines: readonly string[], oldText: string): string {
  if (fileLines.length <= SHORT_FILE_LINES) return `The file is:\n${capLines(fileLines.map(clip))}`;
  const words = oldText.match(/[\p{L}_$][\p{L}\p{N}_$]{3,}/gu) ?? [];
  for (const word of [...new Set(words)].sort((a, b) => b.length - a.length).slice(0, 10)) {
    const hits = fileLines.flatMap((line, index) =>
      line.includes(word) ? [`  ${index + 1}: ${clip(line)}`] : [],
    );
    if (hits.length > 0) return `"${word}" occurs at:\n${hits.slice(0, 5).join("\n")}`;
  }
  return "No word of it occurs in the file.";
}

function capLines(lines: readonly string[]): string {
  const room = MAX_FEEDBACK_LINES - 5;
  if (lines.length <= room) return lines.join("\n");
  return [...lines.slice(0, room), `[${lines.length - room} more lines]`].join("\n");
}

function clip(line: string): string {
  return line.length <= MAX_LINE_CHARS ? line : `${line.slice(0, MAX_LINE_CHARS)}…`;
}
