import { foldedMatch, foldLine, isAscii } from "./edit-fold.js";
import { lineMatch, lineRequests, MAX_PLACES, splitLines } from "./edit-lines.js";
import type { FileLines, Level } from "./edit-lines.js";
import { copiedMarks, newTextWithoutMarks, unescaped } from "./edit-marks.js";

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

/** Whole lines whose first blanks, or last ones, may differ; the strictest first. */
const TRAILING: Level = {
  key: (line) => line.trimEnd(),
  reindents: false,
  note: "blanks at line ends were ignored",
};
const LINE_LEVELS: Level[] = [
  { key: (line) => line.trim(), reindents: true, note: "indentation was adjusted to the file's" },
  { key: collapse, reindents: true, note: "blanks inside the lines were adjusted to the file's" },
];
const FOLDED: Level = {
  key: (line) => collapse(foldLine(line)),
  reindents: true,
  note: "quotes, dashes, accents and blanks were adjusted to the file's",
};

/**
 * Finds where an edit belongs. All texts have "\n" line ends. Each level must match in exactly one place (at any
 * number of places for `replaceAll`, which is exact or ignores trailing blanks only): a level that matches in
 * several places ends the search, a level without a match leads to the next one. What the model seems to have copied
 * along (line numbers, a fence, diff marks) is taken away only if the text as given matches nowhere.
 */
export function matchEdit(text: string, oldText: string, newText: string, replaceAll: boolean): EditMatch {
  const cleaned = newTextWithoutMarks(text, oldText, newText);
  const given = matchText(text, oldText, cleaned.newText, replaceAll);
  if (given.kind !== "missing") return noted(given, cleaned.note);
  if (!replaceAll) {
    for (const attempt of copiedMarks(text, oldText, newText)) {
      const match = matchText(text, attempt.oldText, attempt.newText, false);
      if (match.kind !== "missing") return noted(match, attempt.note);
    }
    // What was guessed of the characters must be in the file as it is.
    for (const attempt of unescaped(oldText, newText)) {
      const match = exactMatch(text, attempt.oldText, attempt.newText, false);
      if (match.kind !== "missing") return noted(match, attempt.note);
    }
  }
  const start = newText.trim().length >= 10 ? text.indexOf(newText) : -1;
  return start === -1 ? { kind: "missing" } : { kind: "already-applied", start };
}

function noted(match: EditMatch, note: string | undefined): EditMatch {
  if (match.kind !== "match" || note === undefined) return match;
  return { ...match, adjusted: match.adjusted === undefined ? note : `${note}; ${match.adjusted}` };
}

function matchText(text: string, oldText: string, newText: string, replaceAll: boolean): EditMatch {
  const exact = exactMatch(text, oldText, newText, replaceAll);
  if (exact.kind !== "missing") return exact;
  const file = splitLines(text);
  const tolerant = tolerantMatch(file, oldText, newText, replaceAll);
  if (tolerant.kind !== "match") return tolerant;
  return alreadyApplied(text, tolerant.replacements) ?? tolerant;
}

function tolerantMatch(file: FileLines, oldText: string, newText: string, replaceAll: boolean): EditMatch {
  const requests = lineRequests(oldText, newText);
  const byLines = (level: Level): EditMatch => {
    for (const request of requests) {
      const match = asMatch(lineMatch(file, request, level, replaceAll), level.note, replaceAll);
      if (match.kind !== "missing") return match;
    }
    return { kind: "missing" };
  };
  const trailing = byLines(TRAILING);
  if (trailing.kind !== "missing" || replaceAll) return trailing;
  for (const level of LINE_LEVELS) {
    const match = byLines(level);
    if (match.kind !== "missing") return match;
  }
  const spaced = asMatch(spacedMatch(file.text, oldText, newText), "blanks inside the line were ignored");
  if (spaced.kind !== "missing" || isAscii(file.text + oldText)) return spaced;
  const folded = asMatch(
    foldedMatch(file, oldText, newText),
    "quotes, dashes and accents were matched in spite of another form",
  );
  return folded.kind === "missing" ? byLines(FOLDED) : folded;
}

function asMatch(replacements: Replacement[], adjusted: string, replaceAll = false): EditMatch {
  if (replacements.length === 0) return { kind: "missing" };
  if (replacements.length > 1 && !replaceAll) {
    return { kind: "ambiguous", starts: replacements.map(({ start }) => start).slice(0, MAX_PLACES) };
  }
  return { kind: "match", replacements, adjusted };
}

/** A change that changes nothing, or an insertion whose text stands round the place already. */
function alreadyApplied(text: string, [first, second]: readonly Replacement[]): EditMatch | undefined {
  if (first === undefined || second !== undefined) return undefined;
  const lead = first.text === "" ? -1 : first.text.indexOf(text.slice(first.start, first.end));
  const there = lead !== -1 && text.startsWith(first.text, first.start - lead);
  return there ? { kind: "already-applied", start: first.start - lead } : undefined;
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

/** Places of a part of a line in which only the number of blanks between the words differs. */
function spacedMatch(text: string, oldText: string, newText: string): Replacement[] {
  const words = oldText.trim().split(/[ \t]+/);
  const sameEdges = [/^\s*/, /\s*$/].every((edge) => edge.exec(oldText)?.[0] === edge.exec(newText)?.[0]);
  if (words.length < 2 || /\n/.test(oldText.trim() + newText.trim()) || !sameEdges) return [];
  const inner = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("[ \\t]+");
  const before = /^[\p{L}\p{N}_]/u.test(oldText.trim()) ? "(?<![\\p{L}\\p{N}_])" : "";
  const after = /[\p{L}\p{N}_]$/u.test(oldText.trim()) ? "(?![\\p{L}\\p{N}_])" : "";
  const places = text.matchAll(new RegExp(before + inner + after, "gu"));
  return Array.from(places, ({ 0: found, index }) => ({
    start: index,
    end: index + found.length,
    text: newText.trim(),
  }));
}

function collapse(line: string): string {
  return line.trim().replace(/[ \t]+/g, " ");
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
