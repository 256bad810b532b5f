import { isUtf8 } from "node:buffer";
import { detectLegacy } from "./detect-encoding.js";
import { decodeLegacy } from "./legacy-encoding.js";
import type { LegacyEncoding } from "./legacy-encoding.js";

/** How the bytes of a command were understood. */
export interface OutputEncoding {
  /** In which the lines were that are not UTF-8; undefined if there were none, or none that could be recognised. */
  encoding: LegacyEncoding | undefined;
  /** Some bytes are shown as U+FFFD. */
  lossy: boolean;
}

const LINE_END = 0x0a;

/**
 * The text of parts of one output. Programs of one command may write in different encodings, so each line is UTF-8 if
 * it can be; the others are looked at together.
 */
export function decodeOutput(parts: readonly Buffer[]): { texts: string[] } & OutputEncoding {
  const foreign = parts.filter((part) => !isUtf8(part)).flatMap((part) => linesOf(part).filter(isForeign));
  const encoding = foreign.length === 0 ? undefined : detectLegacy(Buffer.concat(foreign))?.encoding;
  const decoded = parts.map((part) => decodeLines(part, encoding));
  return {
    texts: decoded.map(({ text }) => text),
    encoding,
    lossy: decoded.some(({ lossy }) => lossy),
  };
}

/** Whether bytes are no text in any encoding that is known here. */
export function isBinary(bytes: Buffer): boolean {
  let [controls, zeros] = [0, 0];
  for (const byte of bytes) {
    if (byte === 0) zeros++;
    else if (byte < 0x07 || (byte > 0x0d && byte < 0x20 && byte !== 0x1b)) controls++;
  }
  // A zero byte may stand between names, as in `find -print0`.
  return controls > MAX_CONTROL_SHARE * bytes.length || zeros > MAX_ZERO_SHARE * bytes.length;
}

const MAX_CONTROL_SHARE = 0.05;
const MAX_ZERO_SHARE = 0.2;

function linesOf(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(LINE_END, start);
    const next = end === -1 ? bytes.length : end + 1;
    lines.push(bytes.subarray(start, next));
    start = next;
  }
  return lines;
}

const isForeign = (line: Buffer): boolean => !isUtf8(line);

function decodeLines(bytes: Buffer, encoding: LegacyEncoding | undefined): { text: string; lossy: boolean } {
  if (isUtf8(bytes)) return { text: bytes.toString(), lossy: false };
  let lossy = false;
  const text = linesOf(bytes).map((line) => {
    if (isUtf8(line)) return line.toString();
    const known = encoding === undefined ? undefined : decodeLegacy(line, encoding);
    lossy ||= known === undefined;
    return known ?? line.toString();
  });
  return { text: text.join(""), lossy };
}

/** A line without an end is decoded when it has become this long. */
const MAX_OPEN_BYTES = 8_192;

/**
 * Decodes output as it comes. ASCII is passed on at once; the rest of a line waits for its end until it is known that
 * the program writes UTF-8, since a few bytes may mean something in several encodings.
 */
export function createOutputDecoder(onText: (text: string) => void): {
  write(chunk: Buffer): void;
  end(): void;
} {
  let open = Buffer.alloc(0);
  let writesUtf8 = false;
  let encoding: LegacyEncoding | undefined;

  function pass(bytes: Buffer): void {
    if (bytes.length === 0) return;
    if (isUtf8(bytes)) {
      writesUtf8 ||= bytes.some((byte) => byte >= 0x80);
      onText(bytes.toString());
      return;
    }
    writesUtf8 = false;
    const { encoding: found } = decodeOutput([bytes]);
    encoding = found ?? encoding;
    onText(decodeLines(bytes, encoding).text);
  }

  return {
    write(chunk) {
      const bytes = Buffer.concat([open, chunk]);
      const whole = bytes.lastIndexOf(LINE_END) + 1;
      const line = bytes.subarray(whole);
      const high = line.findIndex((byte) => byte >= 0x80);
      const certain = high === -1 ? line.length : writesUtf8 ? wholeCharacters(line) : high;
      const ready = line.length > MAX_OPEN_BYTES ? bytes.length : whole + certain;
      pass(bytes.subarray(0, ready));
      open = Buffer.from(bytes.subarray(ready));
    },
    end() {
      pass(open);
      open = Buffer.alloc(0);
    },
  };
}

/** Length without a character of UTF-8 that is not complete yet. */
function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}
