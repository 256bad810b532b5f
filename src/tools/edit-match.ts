import { reindenter } from "./edit-indent.js";

/** One place of the file that is replaced; offsets into the text. */
export interface Replacement {
  start: number;
  end: number;
  text: string;
}

export type EditMatch =
  | {
      kind: "match";
      replacements: Replacement[];
      /** What differed from the given text. */ adjusted?: string;
    }
  | { kind: "ambiguous"; /** Offsets of the places. */ starts: number[] }
  | { kind: "already-applied"; start: number }
  | { kind: "missing" };

/** As many places as an answer about ambiguity lists; more are only counted up to this. */
const MAX_PLACES = 1_000;

/**
 * Finds where an edit belongs. All texts have "\n" line ends. Each level must match in exactly one place (at any
 * number of places for `replaceAll`, which is exact or ignores trailing blanks only): a level that matches in
 * several places ends the search, a level without a match leads to the next one.
 */
export function matchEdit(text: string, oldText: string, newText: string, replaceAll: boolean): EditMatch {
  const exact = exactMatch(text, oldText, newText, replaceAll);
  if (exact.kind !== "missing") return exact;
  if (newText.trim().length >= 10 && text.includes(newText)) {
    return { kind: "already-applied", start: text.indexOf(newText) };
  }
  const file = splitLines(text);
  for (const request of lineRequests(oldText, newText)) {
    const trailing = lineMatch(
      file,
      request,
      sameButTrailing,
      replaceAll,
      "blanks at line ends were ignored",
    );
    if (trailing.kind !== "missing") return trailing;
  }
  if (replaceAll) return { kind: "missing" };
  for (const request of lineRequests(oldText, newText)) {
    const indented = lineMatch(file, request, sameButIndent, false, "indentation was adjusted to the file's");
    if (indented.kind !== "missing") return indented;
  }
  return { kind: "missing" };
}

function exactMatch(text: string, oldText: string, newText: string, replaceAll: boolean): EditMatch {
  const starts: number[] = [];
  // Overlapping places count as several, but replacing all of them takes one after the other.
  const step = replaceAll ? oldText.length : 1;
  for (let at = text.indexOf(oldText); at !== -1; at = text.indexOf(oldText, at + step)) {
    if (!replaceAll && starts.length === MAX_PLACES) break;
    starts.push(at);
  }
  const [first] = starts;
  if (first === undefined) return { kind: "missing" };
  if (starts.length > 1 && !replaceAll) return { kind: "ambiguous", starts };
  // An insertion that is repeated finds its old text again, inside the new one.
  const lead = newText.indexOf(oldText);
  if (starts.length === 1 && lead !== -1 && text.startsWith(newText, first - lead)) {
    return { kind: "already-applied", start: first - lead };
  }
  const replacements = starts.map((start) => ({ start, end: start + oldText.length, text: newText }));
  return { kind: "match", replacements };
}

/** The text by lines, with the offset at which each begins. */
interface FileLines {
  text: string;
  lines: string[];
  starts: number[];
}

function splitLines(text: string): FileLines {
  const lines = text.split("\n");
  const starts: number[] = [];
  let at = 0;
  for (const line of lines) {
    starts.push(at);
    at += line.length + 1;
  }
  return { text, lines, starts };
}

interface LineRequest {
  oldLines: string[];
  newLines: string[];
  /** The lines go away with their line end. */
  deletes: boolean;
}

/** The edit as whole lines: as given, and without the blank lines around it. */
function lineRequests(oldText: string, newText: string): LineRequest[] {
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

/** The new lines as they fit the place whose lines are `found`, or undefined if the place does not match. */
type Comparison = (request: LineRequest, found: string[], file: FileLines) => string[] | undefined;

const sameButTrailing: Comparison = ({ oldLines, newLines }, found) =>
  oldLines.every((line, index) => line.trimEnd() === found[index]?.trimEnd()) ? newLines : undefined;

const sameButIndent: Comparison = ({ oldLines, newLines }, found, file) => {
  if (!oldLines.every((line, index) => line.trim() === found[index]?.trim())) return undefined;
  const indent = reindenter(oldLines, found, newLines, file.lines);
  return indent === undefined ? undefined : newLines.map((line, index) => indent(line, index));
};

function lineMatch(
  file: FileLines,
  request: LineRequest,
  compare: Comparison,
  replaceAll: boolean,
  adjusted: string,
): EditMatch {
  const count = request.oldLines.length;
  const firstText = request.oldLines[0]?.trim();
  const replacements: Replacement[] = [];
  for (let index = 0; index + count <= file.lines.length; index++) {
    if (file.lines[index]?.trim() !== firstText) continue;
    const found = file.lines.slice(index, index + count);
    const lines = compare(request, found, file);
    if (lines === undefined) continue;
    const start = file.starts[index] ?? 0;
    const end = start + found.join("\n").length;
    const newlineToo = request.deletes && end < file.text.length ? 1 : 0;
    replacements.push({ start, end: end + newlineToo, text: request.deletes ? "" : lines.join("\n") });
    if (replaceAll) index += count - 1;
    else if (replacements.length === MAX_PLACES) break;
  }
  if (replacements.length === 0) return { kind: "missing" };
  if (replacements.length > 1 && !replaceAll) {
    return { kind: "ambiguous", starts: replacements.map(({ start }) => start) };
  }
  return { kind: "match", replacements, adjusted };
}

/** The text after the replacements, which do not overlap and are in order. */
export function applyReplacements(text: string, replacements: readonly Replacement[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, text: replacement } of replacements) {
    parts.push(text.slice(at, start), replacement);
    at = end;
  }
  parts.push(text.slice(at));
  return parts.join("");
}
