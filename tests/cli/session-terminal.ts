import { expect } from "vitest";
import type { TerminalRun } from "../helpers/terminal.js";

/** An interactive session waits for a message. */
export const AT_PROMPT = /(^|\n)›$/;
/** A question waits for its key. */
export const AT_QUESTION = /\n {2}\[n\]$/;

/** Sends a message, waits until what it says and the next prompt stand below it, and returns what stands there. */
export async function exchange(
  terminal: TerminalRun,
  message: string,
  wanted: string | RegExp,
): Promise<string> {
  let below = "";
  const before = terminal.text().length;
  terminal.type(`${message}\r`);
  await terminal.waitFor((text) => {
    const begin = text.indexOf(`› ${message}\n`, before - 1);
    below = begin === -1 ? "" : text.slice(begin);
    const isShown = typeof wanted === "string" ? below.includes(wanted) : wanted.test(below);
    return isShown && AT_PROMPT.test(below);
  });
  return below;
}

/** Leaves by Ctrl-D at the prompt; the terminal is as it was. */
export async function leave(terminal: TerminalRun): Promise<void> {
  terminal.type("\x04");
  const { code, before, after } = await terminal.ended;
  expect({ code, after }).toEqual({ code: 0, after: before });
}
