import { fstatSync, openSync } from "node:fs";
import { ReadStream } from "node:tty";
import type { InputStream } from "./terminal-input.js";

const CONTROLLING_TERMINAL = "/dev/tty";

/** Where the answer to a question is typed. */
export interface Keyboard {
  input: InputStream;
  close(): void;
}

/**
 * Standard input, if it is a terminal; if it is a pipe or a file, the controlling terminal, which somebody sits at who
 * piped something in. Undefined where nobody does: without such a terminal, with the null device, by which a script
 * says so, and on Windows, which has no such device.
 */
export function openKeyboard(): Keyboard | undefined {
  if (process.stdin.isTTY) return { input: process.stdin, close() {} };
  if (process.platform === "win32" || !carriesText()) return undefined;
  const fd = openTerminal();
  if (fd === undefined) return undefined;
  const input = new ReadStream(fd);
  return { input, close: () => input.destroy() };
}

function carriesText(): boolean {
  const standardInput = fstatSync(0);
  return standardInput.isFIFO() || standardInput.isSocket() || standardInput.isFile();
}

function openTerminal(): number | undefined {
  try {
    return openSync(CONTROLLING_TERMINAL, "r");
  } catch {
    return undefined;
  }
}
