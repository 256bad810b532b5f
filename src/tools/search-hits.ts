/** One matching line. */
export interface SearchHit {
  /** From 1. */
  line: number;
  /** The line, cut around the match if it is long. */
  text: string;
}

export interface SearchOutcome {
  /** By path below the searched folder. */
  files: Map<string, SearchHit[]>;
  /** Matching lines. */
  total: number;
  /** Why the search ended early. */
  cutBy?: "time" | "count";
  /** Paths that could not be read, in the words of whoever tried. */
  problems: string[];
}

export type SearchAnswer = SearchOutcome | { invalidPattern: string };

export interface SearchRequest {
  pattern: string;
  literal: boolean;
  /** Folder, or folder and the one file in it. */
  folder: string;
  file: string | undefined;
  /** Judges paths below the folder. */
  wanted: (path: string) => boolean;
  glob: string | undefined;
}

/** A search ends when it has this many matching lines. */
export const MAX_HITS = 2_000;
export const SEARCH_TIMEOUT_MS = 20_000;
/** Larger files are skipped in a folder. */
export const MAX_SEARCHED_BYTES = 20 * 1024 * 1024;
const MAX_HIT_CHARS = 240;
/** Kept before the match when a line is cut. */
const LEAD_CHARS = 80;

/** The line, or the part of it around `start` to `end`. */
export function cutAround(line: string, start: number, end: number): string {
  if (line.length <= MAX_HIT_CHARS) return line;
  const from = Math.max(0, Math.min(start - LEAD_CHARS, line.length - MAX_HIT_CHARS));
  const to = Math.min(line.length, Math.max(from + MAX_HIT_CHARS, Math.min(end, from + 2 * MAX_HIT_CHARS)));
  return `${from > 0 ? "…" : ""}${line.slice(from, to)}${to < line.length ? "…" : ""}`;
}

export function addHit(outcome: SearchOutcome, path: string, hit: SearchHit): void {
  const hits = outcome.files.get(path);
  if (hits === undefined) outcome.files.set(path, [hit]);
  else hits.push(hit);
  outcome.total++;
}
