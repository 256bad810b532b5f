import { printable } from "../../printable.js";
import { graphemesOf } from "../cell-width.js";
import type { KeyEvent, PasteEvent } from "./key-events.js";

/** What no key writes. Joiners stay: scripts and emoji need them. */
const UNSAFE = /[\x80-\x9f\u2028\u2029\p{Cs}]/gu;

/** What bytes from a terminal mean. */
export type Decoded =
  | KeyEvent
  | PasteEvent
  /** The terminal answers that it can report all keys with their modifiers. */
  | { type: "keyboard-protocol" };

export interface KeyDecoder {
  write(text: string): Decoded[];
  /** Nothing followed for a while: an open ESC was the key of that name. */
  flush(): Decoded[];
  /** Whether a sequence is open, so that `flush` has something to do. */
  readonly isOpen: boolean;
  /** The end of a paste has not come yet. */
  readonly isPasting: boolean;
}

export const PASTE_BEGIN = "\x1b[200~";
export const PASTE_END = "\x1b[201~";
const INTERRUPT = "\x03";

/** CSI and SS3 sequences by their last character, or by their number before "~". */
const LETTERS: Readonly<Record<string, string>> = {
  A: "up", B: "down", C: "right", D: "left", F: "end", H: "home", Z: "shift-tab", P: "f1", Q: "f2", R: "f3", S: "f4",
  M: "enter",
}; // prettier-ignore
const NUMBERS: Readonly<Record<number, string>> = {
  1: "home", 2: "insert", 3: "delete", 4: "end", 5: "pageup", 6: "pagedown", 7: "home", 8: "end",
}; // prettier-ignore
/** Control codes that have a name of their own; the others are Ctrl with a letter. */
const CONTROLS: Readonly<Record<number, string>> = {
  8: "ctrl-h",
  9: "tab",
  13: "enter",
  27: "escape",
  127: "backspace",
};

/** CSI, SS3, or a string that the terminal sends as an answer. */
const SEQUENCE =
  /^\x1b(?:\[([<=>?]?)([\d;:]*)([ -/]*)([@-~])|O(\d*)([@-~])|[\]P_^][^\x07\x1b]*(?:\x07|\x1b\\))/;
const OPEN_SEQUENCE = /^\x1b(?:\[[\d;:<=>?]*[ -/]*|O\d*|[\]P_^][^\x07\x1b]*\x1b?)?$/;

/** Turns what a terminal in raw mode sends into keys and pastes, however it comes in pieces. */
export function createKeyDecoder(): KeyDecoder {
  let open = "";
  let pasted: string | undefined;

  function takePaste(): Decoded[] {
    const end = open.indexOf(PASTE_END);
    const interrupt = open.indexOf(INTERRUPT);
    if (end === -1 && interrupt !== -1) {
      // Ctrl-C is no pasted character: the end of the paste was lost.
      pasted = undefined;
      open = open.slice(interrupt);
      return [];
    }
    if (end === -1) {
      // The end itself may come in pieces.
      const kept = longestTail(open, PASTE_END);
      pasted = (pasted ?? "") + open.slice(0, open.length - kept);
      open = open.slice(open.length - kept);
      return [];
    }
    const text = printable((pasted ?? "") + open.slice(0, end));
    pasted = undefined;
    open = open.slice(end + PASTE_END.length);
    return text === "" ? [] : [{ type: "paste", text }];
  }

  function takeOne(): Decoded[] | undefined {
    if (open.startsWith(PASTE_BEGIN)) {
      open = open.slice(PASTE_BEGIN.length);
      pasted = "";
      return takePaste();
    }
    const sequence = SEQUENCE.exec(open);
    if (sequence) {
      open = open.slice(sequence[0].length);
      return meaningOf(sequence);
    }
    if (OPEN_SEQUENCE.test(open)) return undefined;
    if (open.startsWith("\x1b")) {
      const [next] = graphemesOf(open.slice(1, 12));
      // ESC ESC: the first is the key; anything else is that key with Alt.
      if (next === undefined || next === "\x1b") {
        open = open.slice(1);
        return [named("escape")];
      }
      open = open.slice(1 + next.length);
      return [withAlt(plainKey(next))];
    }
    return takeText();
  }

  /** Characters until the next control code. */
  function takeText(): Decoded[] {
    const control = /^[\x00-\x1f\x7f]/.exec(open)?.[0];
    if (control !== undefined) {
      open = open.slice(1);
      return [plainKey(control)];
    }
    const [text = ""] = /^[^\x00-\x1f\x7f]+/.exec(open) ?? [];
    open = open.slice(text.length);
    return graphemesOf(text.replace(UNSAFE, "")).map((grapheme) => ({
      type: "key",
      key: grapheme,
      text: grapheme,
    }));
  }

  function takeAll(): Decoded[] {
    const decoded: Decoded[] = [];
    while (open !== "") {
      const next = pasted === undefined ? takeOne() : takePaste();
      if (next === undefined) break;
      decoded.push(...next);
      if (pasted !== undefined && !open.includes(PASTE_END)) break;
    }
    return decoded;
  }

  return {
    write(text) {
      open += text;
      return takeAll();
    },
    flush() {
      if (open === "" || pasted !== undefined) return [];
      // What began like a sequence were keys: ESC, or Alt with "[" and what follows it.
      const [, next = "", rest = ""] = /^\x1b([^]?)([^]*)$/.exec(open) ?? [];
      open = rest;
      return [next === "" ? named("escape") : withAlt(plainKey(next)), ...takeAll()];
    },
    get isOpen() {
      return open !== "" && pasted === undefined;
    },
    get isPasting() {
      return pasted !== undefined;
    },
  };
}

function named(key: string): KeyEvent {
  return { type: "key", key, text: "" };
}

function plainKey(character: string): KeyEvent {
  const code = character.codePointAt(0) ?? 0;
  if (code > 31 && code !== 127) return { type: "key", key: character, text: character };
  const name = CONTROLS[code];
  if (name !== undefined) return named(name);
  return named(`ctrl-${String.fromCharCode(code === 0 ? 32 : code < 27 ? code + 96 : code + 64)}`);
}

function withAlt({ key }: KeyEvent): KeyEvent {
  return named(key.startsWith("ctrl-") ? `ctrl-alt-${key.slice(5)}` : `alt-${key}`);
}

/** Of the number that terminals send, which is 1 more: 1 Shift, 2 Alt, 4 Ctrl; higher ones are locks and rare keys. */
function modifierBits(field: string | undefined): number {
  return (Math.max(1, Number.parseInt(field ?? "", 10) || 1) - 1) & 7;
}

function withModifiers(key: string, field: string | undefined): string {
  const bits = modifierBits(field);
  return `${bits & 4 ? "ctrl-" : ""}${bits & 2 ? "alt-" : ""}${bits & 1 ? "shift-" : ""}${key}`;
}

function meaningOf(match: RegExpExecArray): Decoded[] {
  const [, prefix = "", parameters = "", , final, shiftModifier, shiftFinal] = match;
  if (shiftFinal !== undefined) {
    const name = LETTERS[shiftFinal];
    return name === undefined ? [] : [named(withModifiers(name, shiftModifier || undefined))];
  }
  if (final === undefined) return [];
  const fields = parameters.split(";");
  if (prefix === "?" && final === "u") return [{ type: "keyboard-protocol" }];
  if (prefix !== "") return [];
  const first = Number.parseInt(fields[0] ?? "", 10);
  if (final === "u") return characterKey(first, fields[1]);
  // What xterm sends for keys that have no sequence of their own: 27 ; modifiers ; character.
  if (final === "~" && first === 27) return characterKey(Number.parseInt(fields[2] ?? "", 10), fields[1]);
  const name = final === "~" ? NUMBERS[first] : LETTERS[final];
  return name === undefined ? [] : [named(withModifiers(name, fields[1]))];
}

/** A key by its character, with modifiers. */
function characterKey(code: number, modifiers: string | undefined): Decoded[] {
  // The release of a key is told only to those who ask for it.
  if (Number.isNaN(code) || code > 0x10ffff || (code >= 57344 && code <= 63743)) return [];
  const { key, text } = plainKey(String.fromCodePoint(code));
  const bits = modifierBits(modifiers);
  if (text !== "" && bits <= 1) {
    const typed = bits === 1 ? text.toUpperCase() : text;
    return [{ type: "key", key: typed, text: typed }];
  }
  return [named(withModifiers(key, modifiers))];
}

/** Length of the longest end of `text` with which `wanted` begins. */
function longestTail(text: string, wanted: string): number {
  for (let length = Math.min(text.length, wanted.length - 1); length > 0; length--) {
    if (text.endsWith(wanted.slice(0, length))) return length;
  }
  return 0;
}
