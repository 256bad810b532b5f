import { graphemesOf } from "../cell-width.js";

/** Pasted text that is shown folded and edited as one unit. */
export interface Pasted {
  readonly pasted: string;
  /** What is shown in its place; left out, its size is. */
  readonly label?: string;
}

/** What a cursor steps over: a grapheme, "\n", or folded text. */
export type Unit = string | Pasted;

export interface Draft {
  readonly units: readonly Unit[];
  /** The cursor stands before this unit. */
  readonly cursor: number;
}

export const EMPTY_DRAFT: Draft = { units: [], cursor: 0 };

/** Pasted text beyond one of these is folded. */
const MOST_PASTED = { lines: 8, chars: 2_000 };

export function unitsOf(text: string): Unit[] {
  return graphemesOf(text);
}

/** As `unitsOf`, folded where it is long. */
export function pastedUnits(text: string): Unit[] {
  const isLong = text.length > MOST_PASTED.chars || text.split("\n").length > MOST_PASTED.lines;
  return isLong ? [{ pasted: text }] : unitsOf(text);
}

/** The text as it is sent, with everything unfolded. */
export function textOf(units: readonly Unit[]): string {
  return units.map((unit) => (typeof unit === "string" ? unit : unit.pasted)).join("");
}

export function draftOf(units: readonly Unit[]): Draft {
  return { units, cursor: units.length };
}

/** Puts units in at the cursor, which then stands behind them. */
export function insert(draft: Draft, added: readonly Unit[]): Draft {
  return replace(draft, draft.cursor, draft.cursor, added);
}

/** Replaces the units from `start` to before `end`; the cursor stands behind the new ones. */
export function replace({ units }: Draft, start: number, end: number, added: readonly Unit[]): Draft {
  const joined = joinMarks([...units.slice(0, start)], added);
  return { units: [...joined, ...units.slice(end)], cursor: joined.length };
}

/** An accent that comes by itself belongs to the character before it. */
function joinMarks(before: Unit[], added: readonly Unit[]): Unit[] {
  const [last, first] = [before.at(-1), added[0]];
  if (typeof last !== "string" || typeof first !== "string" || last === "\n") return [...before, ...added];
  const joined = unitsOf(last + first);
  return joined.length === 1 ? [...before.slice(0, -1), ...joined, ...added.slice(1)] : [...before, ...added];
}

const isLineEnd = (unit: Unit | undefined) => unit === undefined || unit === "\n";
const isBlank = (unit: Unit | undefined) => typeof unit === "string" && /^\s+$/.test(unit);
const isWord = (unit: Unit | undefined) =>
  unit !== undefined && (typeof unit !== "string" || /^[\p{L}\p{N}_]/u.test(unit));

/** Where a key leads; each gives the place of the cursor. */
export const MOTIONS = {
  left: ({ cursor }) => Math.max(0, cursor - 1),
  right: ({ units, cursor }) => Math.min(units.length, cursor + 1),
  wordLeft: (draft) => back(draft, (unit) => !isWord(unit), isWord),
  wordRight: (draft) => forward(draft, (unit) => !isWord(unit), isWord),
  /** To the blank before the word, as a shell's Ctrl-W goes. */
  blankLeft: (draft) => back(draft, isBlank, (unit) => !isBlank(unit)),
  lineStart: (draft) => back(draft, (unit) => !isLineEnd(unit)),
  lineEnd: (draft) => forward(draft, (unit) => !isLineEnd(unit)),
  start: () => 0,
  end: ({ units }) => units.length,
} satisfies Record<string, (draft: Draft) => number>;

export type Motion = keyof typeof MOTIONS;

type Test = (unit: Unit | undefined) => boolean;

/** Steps back over all that fit the first test, then the second, and so on. */
function back({ units, cursor }: Draft, ...tests: Test[]): number {
  for (const test of tests) while (cursor > 0 && test(units[cursor - 1])) cursor--;
  return cursor;
}

function forward({ units, cursor }: Draft, ...tests: Test[]): number {
  for (const test of tests) while (cursor < units.length && test(units[cursor])) cursor++;
  return cursor;
}

/** Takes away what is between the cursor and the end of a motion; gives that too. */
export function cutTo(draft: Draft, motion: Motion): { draft: Draft; cut: readonly Unit[] } {
  const to = MOTIONS[motion](draft);
  const [start, end] = to < draft.cursor ? [to, draft.cursor] : [draft.cursor, to];
  return { draft: replace(draft, start, end, []), cut: draft.units.slice(start, end) };
}

/** Swaps the two units before the cursor at the end of a line, or those beside it elsewhere. */
export function transpose(draft: Draft): Draft {
  const { units, cursor } = draft;
  const second = isLineEnd(units[cursor]) ? cursor - 1 : cursor;
  const [a, b] = [units[second - 1], units[second]];
  if (second < 1 || a === undefined || b === undefined || isLineEnd(a) || isLineEnd(b)) return draft;
  return replace(draft, second - 1, second + 1, [b, a]);
}
