import { diffWordsWithSpace } from "diff";

/** A piece of a line, and whether it differs from the line that it stands for. */
export interface MarkedPiece {
  text: string;
  isChanged: boolean;
}

/** Characters; comparing longer lines word by word takes long and shows little. */
const MAX_LINE_CHARS = 1_000;
/** Changes between two lines; beyond it they are different lines. */
const MAX_CHANGES = 60;
/** Share of the longer line that must be the same: marks all over a line say nothing. */
const MIN_SAME = 0.4;

/** What differs between two versions of a line, word by word; undefined where that says nothing. */
export function wordMarks(
  before: string,
  after: string,
): { before: MarkedPiece[]; after: MarkedPiece[] } | undefined {
  const longer = Math.max(before.length, after.length);
  if (longer > MAX_LINE_CHARS) return undefined;
  const parts = diffWordsWithSpace(before, after, { maxEditLength: MAX_CHANGES });
  if (parts === undefined) return undefined;
  const same = parts.reduce(
    (sum, part) => sum + (part.added || part.removed ? 0 : part.value.trim().length),
    0,
  );
  const blanksOnly = before.trim() === after.trim();
  if (!blanksOnly && same < MIN_SAME * Math.max(before.trim().length, after.trim().length)) return undefined;
  return {
    before: parts
      .filter(({ added }) => !added)
      .map(({ value, removed }) => ({ text: value, isChanged: removed })),
    after: parts
      .filter(({ removed }) => !removed)
      .map(({ value, added }) => ({ text: value, isChanged: added })),
  };
}
