import type { CommonOptions } from "./program.js";
import { terminalTraits } from "./render/terminal.js";
import type { OutputStream, TerminalTraits } from "./render/terminal.js";

/** What may be sent to a stream of this process, by its flags and variables. */
export function traitsOf(
  stream: Pick<OutputStream, "isTTY">,
  { color, plain, ascii }: Pick<CommonOptions, "color" | "plain" | "ascii">,
): TerminalTraits {
  return terminalTraits(stream, { environment: process.env, noColor: color === false, plain, ascii });
}
