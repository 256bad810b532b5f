import { escaped } from "./marks.js";
import { matchAt } from "./match-at.js";

/** Where a raw value ends, and where the call goes on. */
export interface RawEnd {
  end: number;
  next: number;
  /** False: its closing tag is missing, and what follows ended it. */
  isClosed: boolean;
}

export interface RawBounds {
  /** The name in its tags. */
  tag: string;
  /** Whether behind a closing tag the call goes on or ends. */
  goesOn: (place: number) => boolean;
  /** Whether a line ends a value whose closing tag is missing. */
  isBorder: (lineStart: number) => boolean;
}

/** A line that only opens or closes a call. */
const CALL_LINE = /^[ \t]*<(\/?)call(?:[ \t:=][^<>\n]{0,300})?>[ \t]*\r?$/gm;
const SPACE = /\s*/y;
const LINE_INDENT = /[ \t]*/y;

/**
 * The end of a value in which nothing is escaped. A closing tag counts where the call can go on behind it, where it
 * closes no tag of the same name within the value, and where the value holds calls only as a whole. If tags within are
 * unbalanced, there must be only one such place; else it is "unclear". Undefined: the value breaks off.
 */
export function endOfRaw(text: string, at: number, bounds: RawBounds): RawEnd | "unclear" | undefined {
  const tag = new RegExp(`<(/?)${escaped(bounds.tag)}(?:\\s[^<>\\n]{0,200})?>`, "g");
  const calls = createCallBalance(text, at);
  const candidates: RawEnd[] = [];
  let depth = 0;
  tag.lastIndex = at;
  for (let found = tag.exec(text); found; found = tag.exec(text)) {
    if (found[1] !== "/") {
      if (!found[0].endsWith("/>")) depth++;
      continue;
    }
    const end = { end: found.index, next: found.index + found[0].length, isClosed: true };
    const canEnd = bounds.goesOn(end.next) && calls.areWhole(found.index);
    if (canEnd && depth === 0) return end;
    if (canEnd) candidates.push(end);
    depth = Math.max(0, depth - 1);
  }
  if (candidates.length > 0) return candidates.length === 1 ? candidates[0] : "unclear";
  return endWithoutTag(text, at, bounds);
}

function endWithoutTag(text: string, at: number, { isBorder }: RawBounds): RawEnd | undefined {
  const calls = createCallBalance(text, at);
  for (let line = text.indexOf("\n", at) + 1; line > 0; line = text.indexOf("\n", line) + 1) {
    const start = skipIndent(text, line);
    if (isBorder(start) && calls.areWhole(line)) return { end: line, next: start, isClosed: false };
  }
  return undefined;
}

/** Asked about places in ascending order. */
function createCallBalance(text: string, at: number): { areWhole(place: number): boolean } {
  const line = new RegExp(CALL_LINE);
  line.lastIndex = at;
  let next = line.exec(text);
  let open = 0;
  let isBroken = false;
  return {
    areWhole(place) {
      for (; next && next.index < place; next = line.exec(text)) {
        open += next[1] === "/" ? -1 : 1;
        isBroken ||= open < 0;
      }
      return open === 0 && !isBroken;
    },
  };
}

export function skipSpace(text: string, at: number): number {
  return at + (matchAt(SPACE, text, at)?.[0].length ?? 0);
}

/** Within its line. */
export function skipIndent(text: string, at: number): number {
  return at + (matchAt(LINE_INDENT, text, at)?.[0].length ?? 0);
}
