import { StringDecoder } from "node:string_decoder";
import { setImmediate } from "node:timers/promises";
import { printable } from "../../printable.js";
import { createKeyDecoder, PASTE_BEGIN, PASTE_END } from "./key-decoder.js";
import type { Decoded } from "./key-decoder.js";
import type { TerminalEvent } from "./key-events.js";
import type { OutputStream } from "../render/terminal.js";

type Reader = (event: TerminalEvent) => void;

/** The keyboard of the terminal, which several parts of the interface take over from each other. */
export interface TerminalInput {
  /**
   * Gives everything that is typed to `reader`, until the returned function is called; a later reader goes before an
   * earlier one. The terminal is in raw mode while there is a reader. The end is told to every reader.
   */
  read(reader: Reader): () => void;
  /** Hands out what had been typed until now, or drops it if there is no reader. */
  settle(): Promise<void>;
  /** Gives the terminal back as it was, for another program or the shell; the returned function takes it again. */
  lend(): () => void;
}

export interface InputStream extends NodeJS.ReadableStream {
  setRawMode?(mode: boolean): unknown;
}

const PASTE_MODE = { on: "\x1b[?2004h", off: "\x1b[?2004l" };
/** Kitty's way of telling keys apart: asked for, switched on when the terminal answers, given back. */
const KEYBOARD_PROTOCOL = { ask: "\x1b[?u", on: "\x1b[>1u", off: "\x1b[<u" };
/** xterm's way, which gives no answer. */
const OTHER_KEYS = { on: "\x1b[>4;1m", off: "\x1b[>4m" };

/** Milliseconds after which an ESC is the key: the rest of a sequence comes sooner, also over a slow link. */
const ESCAPE_MS = 75;

export interface TerminalInputOptions {
  input: InputStream;
  output: OutputStream;
  /** Whether the terminal understands sequences; pasted text is then told from typed text. */
  animated: boolean;
  /** Asks the terminal to tell keys such as Shift-Enter apart. The value of TERM; left out, nothing is asked. */
  keysOf?: string | undefined;
}

export function createTerminalInput({
  input,
  output,
  animated,
  keysOf,
}: TerminalInputOptions): TerminalInput {
  const readers: Reader[] = [];
  const knowsOtherKeys = animated && /^(xterm|tmux)/.test(keysOf ?? "");
  const asks = animated && keysOf !== undefined;
  let started = false;
  let ended = false;
  let hasProtocol = false;
  /** What comes now was typed before the terminal was in raw mode. */
  let typedBefore = false;
  let decoder = new StringDecoder("utf8");
  const keys = createKeyDecoder();
  let escape: NodeJS.Timeout | undefined;

  function deliver(event: Decoded | TerminalEvent): void {
    if (event.type !== "keyboard-protocol") {
      readers.at(-1)?.(event);
    } else if (!hasProtocol) {
      hasProtocol = true;
      output.write(KEYBOARD_PROTOCOL.on);
    }
  }

  function onData(chunk: Buffer | string): void {
    clearTimeout(escape);
    const text = typeof chunk === "string" ? chunk : decoder.write(chunk);
    const [, line = "", end = ""] = /^([^\x1b]+?)(\r?\n)?$/.exec(text) ?? [];
    if (typedBefore && !text.includes("\x1b")) {
      // The terminal still made LF of Enter.
      for (const event of keys.write(text.replaceAll("\n", "\r"))) deliver(event);
    } else if (!keys.isOpen && !keys.isPasting && line.length > 1 && line.includes("\n")) {
      // Enter sends CR: lines in one chunk were pasted into a terminal without paste mode.
      deliver({ type: "paste", text: printable(line) });
      if (end !== "") deliver({ type: "key", key: "enter", text: "" });
    } else {
      // What ends in LF was sent by a program, or typed before this one had set up the terminal; alone, LF is Ctrl-J.
      const sent = endsInPaste(text, keys.isPasting) ? text : text.replace(/(?<=[^])\r?\n$/, "\r");
      for (const event of keys.write(sent)) deliver(event);
    }
    if (!keys.isOpen) return;
    escape = setTimeout(() => {
      for (const event of keys.flush()) deliver(event);
    }, ESCAPE_MS);
  }

  function onEnd(): void {
    if (ended) return;
    ended = true;
    for (const reader of readers.slice().reverse()) reader({ type: "end" });
  }

  function start(): void {
    started = true;
    typedBefore = true;
    void waitForInput().then(() => {
      typedBefore = false;
    });
    setModes();
    input.on("data", onData);
    for (const name of ["end", "close", "error"]) input.on(name, onEnd);
    input.resume();
    process.on("exit", restore);
  }

  function stop(): void {
    started = false;
    clearTimeout(escape);
    decoder = new StringDecoder("utf8");
    input.pause();
    input.off("data", onData);
    for (const name of ["end", "close", "error"]) input.off(name, onEnd);
    process.off("exit", restore);
    restore();
  }

  function setModes(): void {
    // A stopped process has lost its modes without being told: first off, so that on has an effect.
    input.setRawMode?.(false);
    input.setRawMode?.(true);
    if (animated) output.write(PASTE_MODE.on);
    if (knowsOtherKeys) output.write(OTHER_KEYS.on);
    if (asks) output.write(KEYBOARD_PROTOCOL.ask);
  }

  function restore(): void {
    if (hasProtocol) output.write(KEYBOARD_PROTOCOL.off);
    hasProtocol = false;
    if (knowsOtherKeys) output.write(OTHER_KEYS.off);
    if (animated) output.write(PASTE_MODE.off);
    input.setRawMode?.(false);
  }

  const terminalInput: TerminalInput = {
    read(reader) {
      readers.push(reader);
      if (ended) {
        queueMicrotask(() => {
          if (readers.includes(reader)) reader({ type: "end" });
        });
      } else if (!started) start();
      return () => {
        const index = readers.indexOf(reader);
        if (index === -1) return;
        readers.splice(index, 1);
        if (readers.length === 0 && started) stop();
      };
    },
    async settle() {
      const release = readers.length === 0 ? terminalInput.read(() => undefined) : undefined;
      await waitForInput();
      release?.();
    },
    lend() {
      const wasStarted = started;
      if (wasStarted) stop();
      return () => {
        if (wasStarted && !started && readers.length > 0) start();
      };
    },
  };
  return terminalInput;
}

/** Until what has been typed up to now has come in. */
async function waitForInput(): Promise<void> {
  // The poll phase of the first turn of the event loop may be over already.
  await setImmediate();
  await setImmediate();
}

/** Whether the end of the text is a part of a paste. */
function endsInPaste(text: string, isPasting: boolean): boolean {
  const [begin, end] = [text.lastIndexOf(PASTE_BEGIN), text.lastIndexOf(PASTE_END)];
  return begin === end ? isPasting : begin > end;
}
