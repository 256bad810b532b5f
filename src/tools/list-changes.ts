import { diffArrays } from "diff";
import type { ArrayChange } from "diff";

/**
 * How the items of one list become those of another. What the lists have in common at both ends is never part of a
 * change, so that of equal neighbours the one keeps its place that the writer left in it. Undefined if more than
 * `maxChanges` items differ.
 */
export function listChanges(before: readonly string[], after: readonly string[]): ArrayChange<string>[];
export function listChanges(
  before: readonly string[],
  after: readonly string[],
  maxChanges: number,
): ArrayChange<string>[] | undefined;
export function listChanges(
  before: readonly string[],
  after: readonly string[],
  maxChanges = Infinity,
): ArrayChange<string>[] | undefined {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end++;

  const middle = diffArrays(
    before.slice(start, before.length - end),
    after.slice(start, after.length - end),
    {
      maxEditLength: maxChanges,
    },
  );
  if (middle === undefined) return undefined;
  return [...same(before.slice(0, start)), ...middle, ...same(before.slice(before.length - end))];
}

function same(value: string[]): ArrayChange<string>[] {
  return value.length === 0 ? [] : [{ value, count: value.length, added: false, removed: false }];
}
