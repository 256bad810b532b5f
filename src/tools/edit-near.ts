import { reindenter } from "./edit-indent.js";
import { lineRequests, replaceLines, splitLines } from "./edit-lines.js";
import type { FileLines } from "./edit-lines.js";
import type { Replacement } from "./edit-match.js";
import { likeness } from "./likeness.js";
import { listChanges } from "./list-changes.js";

/** The least that a place must have in common with the given lines; set by hand, and strict. */
const MIN_LINES = 5;
const MIN_EQUAL = 0.85;
const MIN_LEAD = 0.1;
const MIN_LIKENESS = 0.8;
/** Above this product of lines in the file and in the edit the search is left out. */
const MAX_COMPARISONS = 20_000_000;

/**
 * The one place that is nearly the given text, with the edit made on the file's own lines; undefined unless first
 * and last line are the same, at least 85 % of all lines are, the others are alike, at most one line is missing or
 * added, and no other place comes near. A line that the file has and the given text has not is never lost.
 */
export function nearMatch(text: string, oldText: string, newText: string): Replacement | undefined {
  const file = splitLines(text);
  const request = lineRequests(oldText, newText).at(-1);
  if (request === undefined || request.deletes) return undefined;
  const { oldLines, newLines } = request;
  if (oldLines.filter((line) => line.trim() !== "").length < MIN_LINES) return undefined;
  if (oldLines.length * file.lines.length > MAX_COMPARISONS) return undefined;

  const keys = file.lines.map((line) => line.trim());
  const wanted = oldLines.map((line) => line.trim());
  const [best, ...others] = anchoredPlaces(keys, wanted).sort((a, b) => b.equal - a.equal);
  if (best === undefined || best.equal < MIN_EQUAL) return undefined;
  const second = others.find(({ index }) => index !== best.index)?.equal ?? 0;
  if (Math.max(second, rivalOf(best, keys, wanted)) > best.equal - MIN_LEAD) return undefined;

  const found = file.lines.slice(best.index, best.index + best.count);
  const pairs = alignLines(wanted, keys.slice(best.index, best.index + best.count));
  const lines = pairs && merge(oldLines, newLines, found, pairs, file);
  return lines && replaceLines(file, best.index, best.count, lines);
}

interface Place {
  index: number;
  count: number;
  /** Share of lines that are equal. */
  equal: number;
}

/** The places whose first and last lines are those of the wanted text, with as many lines or one more or less. */
function anchoredPlaces(keys: readonly string[], wanted: readonly string[]): Place[] {
  const places: Place[] = [];
  for (let index = 0; index < keys.length; index++) {
    if (keys[index] !== wanted[0]) continue;
    for (const count of [wanted.length, wanted.length - 1, wanted.length + 1]) {
      if (keys[index + count - 1] !== wanted.at(-1)) continue;
      const equal = listChanges(wanted, keys.slice(index, index + count))
        .filter(({ added, removed }) => !added && !removed)
        .reduce((sum, part) => sum + part.count, 0);
      places.push({ index, count, equal: equal / Math.max(wanted.length, count) });
    }
  }
  return places;
}

/** The share of equal lines at the best other place that shares no line with this one. */
function rivalOf(best: Place, keys: readonly string[], wanted: readonly string[]): number {
  let most = 0;
  for (let index = 0; index + wanted.length <= keys.length; index++) {
    if (index < best.index + best.count && index + wanted.length > best.index) continue;
    let equal = 0;
    for (let offset = 0; offset < wanted.length; offset++) {
      if (wanted[offset] === keys[index + offset]) equal++;
    }
    most = Math.max(most, equal);
  }
  return most / wanted.length;
}

/** For each given line the index of the found line that stands for it; undefined if two lines are not alike. */
function alignLines(wanted: readonly string[], found: readonly string[]): (number | undefined)[] | undefined {
  const pairs: (number | undefined)[] = [];
  let [at, unpaired] = [0, 0];
  let missing: readonly string[] = [];
  for (const { added, removed, count, value } of listChanges(wanted, found)) {
    if (removed) {
      missing = value;
      continue;
    }
    const replaced = added ? count : 0;
    unpaired += Math.abs(replaced - missing.length);
    for (const [offset, line] of missing.entries()) {
      const isPaired = offset < replaced;
      if (isPaired && likeness(line, value[offset] ?? "") < MIN_LIKENESS) return undefined;
      pairs.push(isPaired ? at + offset : undefined);
    }
    missing = [];
    if (!added) for (let offset = 0; offset < count; offset++) pairs.push(at + offset);
    at += count;
  }
  return unpaired <= 1 ? pairs : undefined;
}

/** Three-way: given lines that the edit keeps stay as the file has them. Undefined if the edit could lose a line. */
function merge(
  oldLines: readonly string[],
  newLines: readonly string[],
  found: readonly string[],
  pairs: readonly (number | undefined)[],
  file: FileLines,
): string[] | undefined {
  const paired = oldLines.flatMap((line, index) => {
    const at = pairs[index];
    return at === undefined ? [] : [{ line, inFile: found[at] ?? "" }];
  });
  const indent = reindenter(
    paired.map(({ line }) => line),
    paired.map(({ inFile }) => inFile),
    newLines,
    file.lines,
  );
  if (indent === undefined) return undefined;

  const result: string[] = [];
  let next = 0;
  let [oldAt, newAt] = [0, 0];
  for (const { added, removed, count, value } of listChanges(oldLines, newLines)) {
    if (added) {
      const first = newAt;
      result.push(...value.map((line, index) => indent(line, first + index)));
      newAt += count;
      continue;
    }
    for (const at of pairs.slice(oldAt, oldAt + count)) {
      if (at === undefined) continue;
      // The file has a line here that the model did not know of.
      if (at > next && removed) return undefined;
      result.push(...found.slice(next, removed ? next : at + 1));
      next = at + 1;
    }
    oldAt += count;
    if (!removed) newAt += count;
  }
  return result;
}
