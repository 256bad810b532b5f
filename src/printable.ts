// What a terminal may be shown. Everything that is not ours passes here first: words of the model, output of
// commands, names and contents of files, replies of servers. Only our own code writes escape sequences.

/**
 * Control characters (but line end and tab), lone surrogates, and characters that take no place or turn the
 * direction of text: bidi controls, zero-width characters, tags. The two emoji variation selectors may stay.
 */
const UNSAFE =
  /[^\P{Cc}\n\t]|[\p{Cs}\u2028\u2029\ufff9-\ufffb]|(?![\ufe0e\ufe0f])\p{Default_Ignorable_Code_Point}/u;

/** As UNSAFE, and what only looks like a space, and runs of blanks that push text out of sight. */
const UNCLEAR =
  /(?:[ \t]*\n){5,}|[ \t]{33,}|[^\P{Cc}\n\t]|[^\P{Zs} ]|[\p{Cs}\u2028\u2029\u2800\ufff9-\ufffb]|\p{Default_Ignorable_Code_Point}/gu;

/** `text` without escape sequences and unsafe characters; CR and CRLF become line ends. */
export function printable(text: string): string {
  if (!UNSAFE.test(text)) return text;
  const stream = createPrintableStream();
  return stream.write(text) + stream.end();
}

/**
 * `text` with everything shown that a reader could not see: for questions, where what runs must be what is read.
 * Unlike `printable` it removes nothing. `mark` may style our notation so that it differs from the same characters
 * in the text.
 */
export function visible(text: string, mark: (notation: string) => string = (notation) => notation): string {
  return text.replace(UNCLEAR, (found) => {
    if (found.includes("\n")) return `${mark(`⏎×${found.split("\n").length - 1}`)}\n`;
    if (found.length > 2) return mark(`␠×${found.length}`);
    if (found === "\r") return mark("\\r");
    const code = found.codePointAt(0) ?? 0;
    const hex = code.toString(16);
    if (code <= 0x7f) return mark(`\\x${hex.padStart(2, "0")}`);
    return mark(code <= 0xffff ? `\\u${hex.padStart(4, "0")}` : `\\u{${hex}}`);
  });
}

export interface PrintableStream {
  /** What can be shown of the text so far; the rest of a sequence may come with the next chunk. */
  write(chunk: string): string;
  /** Ends the text and makes the stream ready for another. */
  end(): string;
}

/** `printable` for text that comes in chunks: any split of a text gives the same as the whole. */
export function createPrintableStream(): PrintableStream {
  let state: State = "text";
  let afterReturn = false;
  let highSurrogate = "";

  /** What one character adds to the result. */
  function take(character: string): string {
    const code = character.codePointAt(0) ?? 0;
    if (state !== "text") {
      const next = within(state, code);
      if (next !== undefined) {
        state = next;
        return "";
      }
      state = "text";
    }
    const starts = code === 0x1b ? "escape" : EIGHT_BIT_STARTS.get(code);
    if (starts !== undefined) {
      state = starts;
      return "";
    }
    if (character === "\r") {
      const repeated = afterReturn;
      afterReturn = true;
      return repeated ? "" : "\n";
    }
    if (character === "\u2028" || character === "\u2029") return "\n";
    if (code >= 0xd800 && code <= 0xdfff) character = "\ufffd";
    else if (UNSAFE.test(character)) return "";
    const endsReturn = afterReturn && character === "\n";
    afterReturn = false;
    return endsReturn ? "" : character;
  }

  return {
    write(chunk) {
      if (state === "text" && !afterReturn && highSurrogate === "" && !UNSAFE.test(chunk)) return chunk;
      let text = highSurrogate + chunk;
      highSurrogate = "";
      const last = text.charCodeAt(text.length - 1);
      if (last >= 0xd800 && last <= 0xdbff) {
        highSurrogate = text.slice(-1);
        text = text.slice(0, -1);
      }
      let result = "";
      for (const character of text) result += take(character);
      return result;
    },
    end() {
      const rest = highSurrogate === "" ? "" : take(highSurrogate);
      state = "text";
      afterReturn = false;
      highSurrogate = "";
      return rest;
    },
  };
}

// The forms of ECMA-48. "string" is the body of OSC, DCS, APC, PM and SOS; "shift" waits for the one character that
// a single shift changes.
type State = "text" | "escape" | "intermediate" | "csi" | "string" | "shift";

const EIGHT_BIT_STARTS = new Map<number, State>([
  [0x8e, "shift"],
  [0x8f, "shift"],
  [0x90, "string"],
  [0x98, "string"],
  [0x9b, "csi"],
  [0x9d, "string"],
  [0x9e, "string"],
  [0x9f, "string"],
]);

/** The state after a character inside a sequence; undefined if the character is no part of it and counts as text. */
function within(state: Exclude<State, "text">, code: number): State | undefined {
  const cancels = code === 0x18 || code === 0x1a;
  switch (state) {
    case "escape":
      if (code >= 0x40 && code <= 0x5f) return EIGHT_BIT_STARTS.get(code + 0x40) ?? "text";
      if (code >= 0x20 && code <= 0x2f) return "intermediate";
      return code >= 0x30 && code <= 0x7e ? "text" : undefined;
    case "intermediate":
      if (code >= 0x20 && code <= 0x2f) return "intermediate";
      return code >= 0x30 && code <= 0x7e ? "text" : undefined;
    case "csi":
      if (code >= 0x20 && code <= 0x3f) return "csi";
      return code >= 0x40 && code <= 0x7e ? "text" : undefined;
    case "string":
      if (code === 0x07 || code === 0x9c || cancels) return "text";
      // An unterminated string ends with the line, so that it cannot hide what follows.
      return code === 0x0a || code === 0x0d || code === 0x1b ? undefined : "string";
    case "shift":
      return code >= 0x20 && code <= 0x7e ? "text" : undefined;
  }
}
