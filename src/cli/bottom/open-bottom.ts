import type { Messages } from "../messages/catalogue.js";
import { createColours } from "../render/terminal.js";
import type { TerminalTraits } from "../render/terminal.js";
import type { Bottom, BottomOptions } from "./bottom.js";
import { createBottom } from "./bottom.js";
import { createPlainBottom } from "./plain-bottom.js";

/** The writer that fits the terminal: one that draws over what may change, or one on which nothing moves. */
export function openBottom(
  output: BottomOptions["output"],
  { animated, colourLevel }: TerminalTraits,
  messages: Messages,
): Bottom {
  if (!animated) return createPlainBottom(output);
  return createBottom({ output, messages, styles: { spinner: createColours(colourLevel).cyan } });
}
