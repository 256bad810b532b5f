import { cancelOnSignals } from "../cancel-on-signals.js";
import { createPlainBottom } from "../bottom/plain-bottom.js";
import { confirm } from "./confirm.js";
import type { Confirmation } from "./confirm.js";
import type { Messages } from "../messages/catalogue.js";
import type { CommandContext } from "../program.js";
import { createColours } from "../render/terminal.js";
import { createTerminalInput } from "../keyboard/terminal-input.js";
import { traitsOf } from "../traits-of.js";

/** Asks on standard error, for a command that has no session. Undefined if the question was cancelled. */
export function confirmOnTerminal(
  question: Confirmation,
  { options }: CommandContext,
  messages: Messages,
): Promise<boolean | undefined> {
  const output = process.stderr;
  const { colourLevel, animated } = traitsOf(output, options);
  const input = createTerminalInput({ input: process.stdin, output, animated });
  const bottom = createPlainBottom(output);
  const colours = createColours(colourLevel);
  return cancelOnSignals((signal) => confirm(question, { input, bottom, messages, colours, signal }));
}

/** Whether somebody sits there who can be asked. */
export function canAsk(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}
