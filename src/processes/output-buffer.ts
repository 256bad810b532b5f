import { countLineEnds, createNotableLines } from "./notable-lines.js";
import type { NotableLine } from "./notable-lines.js";

/** Output since the last look, in the bytes of the program. When something had to go, it went from the middle. */
export interface KeptOutput {
  head: Buffer;
  /** What looked like an error between head and tail, in order. */
  notable: readonly NotableLine[];
  tail: Buffer;
  /** Line ends before the tail. */
  tailLine: number;
  /** Bytes between head and tail, notable lines among them. */
  omitted: number;
}

export interface OutputBuffer {
  add(chunk: Buffer): void;
  /** Hands over what is kept and begins anew. */
  take(): KeptOutput;
}

/** The end of a command's output usually says more than its beginning. */
const HEAD_SHARE = 0.3;
/** On top of head and tail. */
const NOTABLE_SHARE = 0.2;

const LINE_END = 0x0a;

export const NO_OUTPUT: KeptOutput = {
  head: Buffer.alloc(0),
  notable: [],
  tail: Buffer.alloc(0),
  tailLine: 0,
  omitted: 0,
};

/** Keeps the first 30 % and the last 70 % of `maxBytes`, and errors between them, however much is added. */
export function createOutputBuffer(maxBytes: number): OutputBuffer {
  const headRoom = Math.floor(maxBytes * HEAD_SHARE);
  const begin = () => ({
    head: createTail(headRoom),
    tail: createTail(maxBytes - headRoom),
    /** Of everything after the head, which the tail forgets. */
    notable: createNotableLines(maxBytes * NOTABLE_SHARE),
    /** Bytes after the head. */
    rest: 0,
  });
  let now = begin();

  return {
    add(chunk) {
      const room = headRoom - now.head.length();
      const first = chunk.subarray(0, room);
      const rest = chunk.subarray(room);
      if (first.length > 0) now.head.add(first);
      if (rest.length === 0) return;
      now.rest += rest.length;
      now.notable.add(rest);
      now.tail.add(rest);
    },
    take() {
      const { rest, notable } = now;
      const isWhole = rest <= now.tail.length();
      const head = isWhole ? now.head.bytes() : toLineEnd(now.head.bytes());
      const tail = isWhole ? now.tail.bytes() : fromLineStart(now.tail.bytes());
      const headBytes = now.head.length();
      now = begin();
      const headLines = countLineEnds(head);
      const tailLine = headLines + notable.lineEnds() - countLineEnds(tail);
      const lines = notable.found().map(({ line, bytes }) => ({ line: line + headLines, bytes }));
      return {
        head,
        notable: lines.filter(({ line }) => line < tailLine),
        tail,
        tailLine,
        omitted: headBytes - head.length + rest - tail.length,
      };
    },
  };
}

/** The last `room` bytes of what is added. */
function createTail(room: number): { add(chunk: Buffer): void; length(): number; bytes(): Buffer } {
  /** A ring, which grows up to the room. */
  let ring = Buffer.alloc(Math.min(room, 4_096));
  let length = 0;
  /** Where the next byte goes. */
  let next = 0;

  function bytes(): Buffer {
    const start = (next - length + ring.length) % Math.max(1, ring.length);
    return Buffer.concat([ring.subarray(start), ring.subarray(0, start)]).subarray(0, length);
  }

  function grow(needed: number): void {
    const larger = Buffer.alloc(Math.min(room, Math.max(needed, 2 * ring.length)));
    bytes().copy(larger);
    ring = larger;
    next = length % Math.max(1, ring.length);
  }

  return {
    add(chunk) {
      const kept = chunk.subarray(Math.max(0, chunk.length - room));
      const needed = Math.min(room, length + kept.length);
      if (needed > ring.length) grow(needed);
      const first = kept.subarray(0, ring.length - next);
      first.copy(ring, next);
      kept.copy(ring, 0, first.length);
      next = (next + kept.length) % Math.max(1, ring.length);
      length = needed;
    },
    length: () => length,
    bytes,
  };
}

/** A part of a line is left out with what comes next, unless it is long. */
const MAX_PART_BYTES = 1_000;

function toLineEnd(bytes: Buffer): Buffer {
  const end = bytes.lastIndexOf(LINE_END) + 1;
  return bytes.length - end > MAX_PART_BYTES ? bytes : bytes.subarray(0, end);
}

function fromLineStart(bytes: Buffer): Buffer {
  const start = bytes.indexOf(LINE_END) + 1;
  return start > MAX_PART_BYTES ? bytes : bytes.subarray(start);
}
