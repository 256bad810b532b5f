import type { Verdict } from "../../permissions/access.js";

/** A stretch of a text; the end is not part of it. */
interface Range {
  start: number;
  end: number;
}

/**
 * The text in pieces, those marked that the reasons of a verdict speak of: a simple command that no rule allows, a
 * redirect, a computed word. Nothing is marked where all of the text is meant.
 */
export function offendingParts(text: string, verdict: Verdict): { text: string; marked: boolean }[] {
  const quoted = verdict.because.flatMap((reason) =>
    [...reason.matchAll(/"([^"\n]+)"/g)].map(([, part = ""]) => part),
  );
  const asked = verdict.commands
    .filter((command) => command.verdict !== "allow")
    .map((command) => command.text);
  const ranges = [...quoted, ...asked]
    .filter((part) => part !== text.trim() && !part.includes("\n"))
    .map((part) => ({ start: text.indexOf(part), end: text.indexOf(part) + part.length }))
    .filter(({ start }) => start >= 0);
  const pieces: { text: string; marked: boolean }[] = [];
  let at = 0;
  for (const { start, end } of merged(ranges)) {
    pieces.push(
      { text: text.slice(at, start), marked: false },
      { text: text.slice(start, end), marked: true },
    );
    at = end;
  }
  pieces.push({ text: text.slice(at), marked: false });
  return pieces.filter((piece) => piece.text !== "");
}

function merged(ranges: readonly Range[]): Range[] {
  const result: Range[] = [];
  for (const range of [...ranges].sort((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last && range.start <= last.end) last.end = Math.max(last.end, range.end);
    else result.push({ ...range });
  }
  return result;
}
