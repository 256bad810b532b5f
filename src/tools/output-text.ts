import type { KeptOutput } from "../processes/output-buffer.js";
import type { Severity } from "../processes/notable-lines.js";
import type { OutputEncoding } from "./output-encoding.js";
import { decodeOutput, isBinary } from "./output-encoding.js";
import type { OutputLine } from "./output-lines.js";
import { outputLines } from "./output-lines.js";

/** Shares of the room for the beginning, and for errors from the middle; the rest is for the end. */
const HEAD_SHARE = { withErrors: 0.2, without: 0.3 };
const ERROR_SHARE = 0.35;
/** Lines after an error that are shown with it. */
const LINES_AFTER = 2;
/** Of a line that is longer than the room allows. */
const LINE_SHARE = 0.18;
/** What a mark takes where lines are left out. */
const MARK_CHARS = 48;
/** Of the words about what is not shown. */
const HINT_CHARS = 190;
/** With less room than this, nothing is said about how to see the rest. */
const MIN_CHARS_FOR_HINT = 600;

interface Piece extends OutputLine {
  /** Not kept: there is no text. */
  gone?: true;
}

interface OutputText extends OutputEncoding {
  /** Empty if nothing was printed. */
  text: string;
}

/**
 * What a command printed, for the model: as a terminal would show it, at most `maxChars`; where that is not all, its
 * beginning, its end, and what looks like errors between them.
 */
export function outputText(kept: KeptOutput, maxChars: number): OutputText {
  const { head, notable, tail, omitted } = kept;
  const sample = Buffer.concat([head, tail]);
  if (sample.length > 0 && isBinary(sample)) {
    const text = `[The output is binary, ${sample.length + omitted} bytes; it is not shown.]`;
    return { text, encoding: undefined, lossy: false };
  }
  if (omitted === 0) {
    const { texts, ...encoding } = decodeOutput([sample]);
    return { text: fit(trimmed(outputLines(texts.join(""))), maxChars), ...encoding };
  }
  const { texts, ...encoding } = decodeOutput([head, ...notable.map(({ bytes }) => bytes), tail]);
  const first = outputLines(texts[0] ?? "");
  if (first.at(-1)?.text === "") first.pop();
  const pieces: Piece[] = [...first];
  let next = first.reduce((sum, { lines }) => sum + lines, 0);
  notable.forEach(({ line }, index) => {
    pieces.push(...gap(line - next), ...outputLines(texts[index + 1] ?? ""));
    next = line + 1;
  });
  pieces.push(...gap(kept.tailLine - next, omitted), ...outputLines(texts.at(-1) ?? ""));
  return { text: fit(trimmed(pieces), maxChars), ...encoding };
}

function gap(lines: number, bytes = 0): Piece[] {
  if (lines > 0) return [{ text: "", lines, severity: undefined, gone: true }];
  // A part of one line.
  return bytes > 0 ? [{ text: `[… ${bytes} bytes left out …]`, lines: 0, severity: undefined }] : [];
}

/** Without empty lines at both ends. */
function trimmed(pieces: readonly Piece[]): Piece[] {
  const isText = ({ text, gone }: Piece) => gone === true || text.trim() !== "";
  const start = pieces.findIndex(isText);
  return start === -1 ? [] : pieces.slice(start, pieces.findLastIndex(isText) + 1);
}

function fit(pieces: readonly Piece[], maxChars: number): string {
  const whole = render(pieces, () => true);
  if (whole.length <= maxChars && !pieces.some(({ gone }) => gone)) return whole;
  const hasHint = maxChars >= MIN_CHARS_FOR_HINT;
  const room = maxChars - (hasHint ? HINT_CHARS : MARK_CHARS);
  const share = pieces.length <= 3 ? 1 / Math.max(1, pieces.length) : LINE_SHARE;
  const short = pieces.map((piece) => ({
    ...piece,
    text: shorten(piece.text, Math.floor(room * share) - 1),
  }));
  const shown = choose(short, room);
  const text = render(short, (index) => shown.has(index));
  return hasHint ? `${text}\n${hint(short, shown)}` : text;
}

/** The pieces that are shown: the beginning, the end, errors and then warnings between them, and more of the end. */
function choose(pieces: readonly Piece[], room: number): ReadonlySet<number> {
  const shown = new Set<number>();
  const cost = (index: number) => (pieces[index]?.gone ? 0 : (pieces[index]?.text.length ?? 0) + 1);
  const inMiddle = pieces.slice(1, -1).some(({ severity }) => severity !== undefined);
  let left = room - 2 * MARK_CHARS;

  function takeRun(from: number, step: 1 | -1, limit: number): number {
    let at = from;
    let run = Math.min(limit, left);
    for (; at >= 0 && at < pieces.length && !pieces[at]?.gone && !shown.has(at); at += step) {
      if (cost(at) > run) break;
      run -= cost(at);
      left -= cost(at);
      shown.add(at);
    }
    return at;
  }

  function takeErrors(severity: Severity, limit: number): void {
    let spare = Math.min(limit, left);
    for (const [index, piece] of pieces.entries()) {
      if (piece.severity !== severity || shown.has(index)) continue;
      const block = Array.from({ length: LINES_AFTER + 1 }, (_, offset) => index + offset).filter(
        (at) => at < pieces.length && !pieces[at]?.gone && !shown.has(at),
      );
      const price = block.reduce((sum, at) => sum + cost(at), shown.has(index - 1) ? 0 : MARK_CHARS);
      if (price > spare) return;
      spare -= price;
      left -= price;
      for (const at of block) shown.add(at);
    }
  }

  const headShare = inMiddle ? HEAD_SHARE.withErrors : HEAD_SHARE.without;
  const errorRoom = inMiddle ? room * ERROR_SHARE : 0;
  takeRun(0, 1, room * headShare);
  const tailStart = takeRun(pieces.length - 1, -1, room * (1 - headShare) - errorRoom);
  takeErrors("error", errorRoom);
  takeErrors("warning", errorRoom / 3);
  takeRun(tailStart, -1, left);
  return shown;
}

function render(pieces: readonly Piece[], isShown: (index: number) => boolean): string {
  const result: string[] = [];
  let hidden = 0;
  const mark = () => {
    if (hidden > 0) result.push(`[… ${hidden} ${hidden === 1 ? "line" : "lines"} left out …]`);
    hidden = 0;
  };
  for (const [index, piece] of pieces.entries()) {
    if (piece.gone || !isShown(index)) {
      hidden += piece.lines;
      continue;
    }
    mark();
    result.push(piece.text);
  }
  mark();
  return result.join("\n");
}

function hint(pieces: readonly Piece[], shown: ReadonlySet<number>): string {
  const count = (some: (index: number) => boolean) =>
    pieces.reduce((sum, { lines }, index) => sum + (some(index) ? lines : 0), 0);
  const [all, seen] = [count(() => true), count((index) => shown.has(index))];
  if (seen === all) return "[Long lines were cut. Redirect the output to a file to see them.]";
  return `[${seen} of ${all} lines are shown. To see others, run it with a filter (| grep, | tail, | sed -n '100,200p') or redirect it to a file and read that.]`;
}

/** The beginning and the end of a line that is longer than `maxChars`. */
function shorten(line: string, maxChars: number): string {
  if (line.length <= maxChars) return line;
  const room = Math.max(0, maxChars - MARK_CHARS);
  const head = line.slice(0, Math.floor(room * 0.7)).replace(/[\uD800-\uDBFF]$/, "");
  const tail = line.slice(line.length - (room - head.length)).replace(/^[\uDC00-\uDFFF]/, "");
  return `${head}[… ${line.length - head.length - tail.length} characters left out …]${tail}`;
}
