import { StringDecoder } from "node:string_decoder";
import { setImmediate } from "node:timers/promises";
import { PassThrough } from "node:stream";
import { emitKeypressEvents } from "node:readline";
import type { Key } from "node:readline";
import { printable } from "../printable.js";
import type { OutputStream } from "./render/terminal.js";

export type TerminalEvent =
  | { type: "key"; text: string | undefined; key: Key }
  /** Text that was pasted, with "\n" between lines. */
  | { type: "paste"; text: string }
  /** No more input will come. */
  | { type: "end" };

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
}

export interface InputStream extends NodeJS.ReadableStream {
  setRawMode?(mode: boolean): unknown;
}

const PASTE_MODE_ON = "\x1b[?2004h";
const PASTE_MODE_OFF = "\x1b[?2004l";

/** `animated`: whether the terminal understands sequences; pasted text is then told from typed text. */
export function createTerminalInput(options: {
  input: InputStream;
  output: OutputStream;
  animated: boolean;
}): TerminalInput {
  const { input, output, animated } = options;
  const readers: Reader[] = [];
  let started = false;
  let ended = false;
  let pasted: string | undefined;
  const decoder = new StringDecoder("utf8");
  // Node's decoder of key sequences wants a stream to hang on; the text reaches it by our hand alone.
  const keys = new PassThrough();
  emitKeypressEvents(keys);
  keys.on("keypress", onKey);

  function deliver(event: TerminalEvent): void {
    readers.at(-1)?.(event);
  }

  function onKey(text: string | undefined, key: Key): void {
    if (key.name === "paste-start") {
      pasted = "";
    } else if (key.name === "paste-end") {
      const paste = pasted ?? "";
      pasted = undefined;
      if (paste !== "") deliver({ type: "paste", text: printable(paste) });
    } else if (pasted !== undefined && !(key.ctrl && key.name === "c")) {
      pasted += text ?? "";
    } else {
      // Ctrl-C is no pasted character: the end of the paste was lost.
      pasted = undefined;
      deliver({ type: "key", text, key });
    }
  }

  function onData(chunk: Buffer | string): void {
    const text = typeof chunk === "string" ? chunk : decoder.write(chunk);
    // Enter sends CR; a chunk with LF and more behind it was pasted into a terminal without paste mode.
    if (pasted === undefined && /\n[^]/.test(text) && !text.includes("\x1b")) {
      deliver({ type: "paste", text: printable(text.replace(/\r?\n$/, "")) });
      if (text.endsWith("\n")) keys.emit("data", "\n");
    } else {
      keys.emit("data", text);
    }
  }

  function onEnd(): void {
    if (ended) return;
    ended = true;
    for (const reader of readers.slice().reverse()) reader({ type: "end" });
  }

  function start(): void {
    started = true;
    input.setRawMode?.(true);
    if (animated) output.write(PASTE_MODE_ON);
    input.on("data", onData);
    for (const name of ["end", "close", "error"]) input.on(name, onEnd);
    input.resume();
    process.on("exit", restore);
  }

  function stop(): void {
    started = false;
    input.pause();
    input.off("data", onData);
    for (const name of ["end", "close", "error"]) input.off(name, onEnd);
    process.off("exit", restore);
    restore();
  }

  function restore(): void {
    if (animated) output.write(PASTE_MODE_OFF);
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
      // The poll phase of the first turn of the event loop may be over already.
      await setImmediate();
      await setImmediate();
      release?.();
    },
  };
  return terminalInput;
}
