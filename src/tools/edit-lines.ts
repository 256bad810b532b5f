import { reindenter } from "./edit-indent.js";
import type { Replacement } from "./edit-match.js";
import { listChanges } from "./list-changes.js";

/** As many places as an answer about ambiguity counts. */
export const MAX_PLACES = 1_000;

/** The text by lines, with the offset at which each begins. */
export interface FileLines {
  text: string;
  lines: string[];
  starts: number[];
}

export function splitLines(text: string): FileLines {
  const lines = text.split("\n");
  const starts: number[] = [];
  let at = 0;
  for (const line of lines) {
    starts.push(at);
    at += line.length + 1;
  }
  return { text, lines, starts };
}

export interface LineRequest {
  oldLines: string[];
  newLines: string[];
  /** The lines go away with their line end. */
  deletes: boolean;
}

/** The edit as whole lines: as given, and without the blank lines around it. */
export function lineRequests(oldText: string, newText: string): LineRequest[] {
  const oldLines = dropLastNewline(oldText).split("\n");
  const newLines = dropLastNewline(newText).split("\n");
  const deletes = newText === "";
  if (oldLines.every(isBlank)) return [];
  const requests = [{ oldLines, newLines, deletes }];

  const lead = isBlank(oldLines[0]) ? 1 : 0;
  const tail = isBlank(oldLines.at(-1)) ? 1 : 0;
  if (lead + tail > 0) {
    const newLead = lead === 1 && newLines.length > 1 && isBlank(newLines[0]) ? 1 : 0;
    const newTail = tail === 1 && newLines.length > 1 && isBlank(newLines.at(-1)) ? 1 : 0;
    requests.push({
      oldLines: oldLines.slice(lead, oldLines.length - tail),
      newLines: newLines.slice(newLead, newLines.length - newTail),
      deletes,
    });
  }
  return requests;
}

function dropLastNewline(text: string): string {
  return text.endsWith("\n") ? text.slice(0, -1) : text;
}

function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === "";
}

/** How lines are compared. */
export interface Level {
  /** Lines with the same key are taken for the same. */
  key: (line: string) => string;
  /** Indentation may differ, by one rule for all lines. */
  reindents: boolean;
  /** What the model is told. */
  note: string;
}

/** Every place where the lines stand; for `replaceAll` without overlap. */
export function lineMatch(
  file: FileLines,
  request: LineRequest,
  level: Level,
  replaceAll: boolean,
): Replacement[] {
  const wanted = request.oldLines.map(level.key);
  const keys = file.lines.map(level.key);
  const count = wanted.length;
  const replacements: Replacement[] = [];
  for (let index = 0; index + count <= keys.length; index++) {
    if (!wanted.every((key, offset) => key === keys[index + offset])) continue;
    const found = file.lines.slice(index, index + count);
    const lines = carryOver(request, found, level.reindents ? file.lines : undefined);
    if (lines === undefined) continue;
    replacements.push(replaceLines(file, index, count, request.deletes ? undefined : lines));
    if (replaceAll) index += count - 1;
    else if (replacements.length === MAX_PLACES) break;
  }
  return replacements;
}

/** Replaces whole lines; undefined takes them away with their line end. */
export function replaceLines(
  file: FileLines,
  index: number,
  count: number,
  lines: readonly string[] | undefined,
): Replacement {
  const start = file.starts[index] ?? 0;
  const last = index + count - 1;
  const end = (file.starts[last] ?? 0) + (file.lines[last]?.length ?? 0);
  if (lines !== undefined) return { start, end, text: lines.join("\n") };
  return { start, end: Math.min(end + 1, file.text.length), text: "" };
}

/**
 * The edit from old to new lines, made on the lines found in the file: what the edit leaves alone stays as the file
 * has it, new lines get the file's indentation. Undefined if no rule leads from the one indentation to the other.
 */
function carryOver(
  { oldLines, newLines }: LineRequest,
  found: readonly string[],
  wholeFile: readonly string[] | undefined,
): string[] | undefined {
  const indent = wholeFile && reindenter(oldLines, found, newLines, wholeFile);
  if (wholeFile !== undefined && indent === undefined) return undefined;
  let [oldAt, newAt] = [0, 0];
  return listChanges(oldLines, newLines).flatMap(({ added, removed, count, value }) => {
    const [from, first] = [oldAt, newAt];
    if (!added) oldAt += count;
    if (!removed) newAt += count;
    if (removed) return [];
    if (!added) return found.slice(from, from + count);
    return indent ? value.map((line, index) => indent(line, first + index)) : value;
  });
}
