import { StringDecoder } from "node:string_decoder";

/** Output since the last look; when something had to go, it went from between head and tail. */
export interface KeptOutput {
  head: string;
  tail: string;
  /** Characters left out between head and tail. */
  omitted: number;
}

export interface OutputBuffer {
  add(text: string): void;
  /** Hands over what is kept and begins anew. */
  take(): KeptOutput;
}

/** The end of a command's output usually says more than its beginning. */
const HEAD_SHARE = 0.3;

/** Keeps the first 30 % and the last 70 % of `maxChars` in memory, however much is added. */
export function createOutputBuffer(maxChars: number): OutputBuffer {
  const headRoom = Math.floor(maxChars * HEAD_SHARE);
  const tailRoom = maxChars - headRoom;
  let head = "";
  let tail: string[] = [];
  let tailChars = 0;
  let omitted = 0;

  /** Joins the tail down to its room; called at twice the room, so that each character is copied at most twice. */
  function compact(): void {
    const joined = tail.join("");
    const kept = joined.length <= tailRoom ? joined : fromWholeCharacter(joined.slice(-tailRoom));
    omitted += joined.length - kept.length;
    tail = [kept];
    tailChars = kept.length;
  }

  return {
    add(text) {
      const room = headRoom - head.length;
      if (omitted === 0 && tailChars === 0 && room > 0) {
        const part = toWholeCharacter(text.slice(0, room));
        head += part;
        text = text.slice(part.length);
      }
      if (text === "") return;
      tail.push(text);
      tailChars += text.length;
      if (tailChars > 2 * tailRoom) compact();
    },
    take() {
      compact();
      const kept = { head, tail: tail.join(""), omitted };
      [head, tail, tailChars, omitted] = ["", [], 0, 0];
      return kept;
    },
  };
}

function toWholeCharacter(text: string): string {
  return /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text;
}

function fromWholeCharacter(text: string): string {
  return /^[\uDC00-\uDFFF]/.test(text) ? text.slice(1) : text;
}

/** Decodes UTF-8 that comes in chunks; a character may be split over two of them. */
export function createDecoder(onText: (text: string) => void): { write(chunk: Buffer): void; end(): void } {
  const decoder = new StringDecoder("utf8");
  const pass = (text: string): void => {
    if (text !== "") onText(text);
  };
  return {
    write: (chunk) => pass(decoder.write(chunk)),
    end: () => pass(decoder.end()),
  };
}
