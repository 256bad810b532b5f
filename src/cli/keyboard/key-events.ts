/** A key, or a character that an input method made. */
export interface KeyEvent {
  type: "key";
  /** Its name after its modifiers, e.g. "a", "ctrl-c", "alt-enter", "shift-up"; a character is its own name. */
  key: string;
  /** What it writes; "" for keys that write nothing. */
  text: string;
}

export interface PasteEvent {
  type: "paste";
  /** Printable, with "\n" between lines. */
  text: string;
}

export type TerminalEvent =
  | KeyEvent
  | PasteEvent
  /** No more input will come. */
  | { type: "end" };
