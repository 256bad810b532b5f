import type { ExitCode } from "../errors.js";
import { EXIT, UserError } from "../errors.js";
import { printable } from "../printable.js";
import type { Messages } from "./messages/catalogue.js";
import { inRows } from "./render/terminal.js";

/** Tells on standard error what ended a command: a UserError with the next step, anything else with its stack. */
export function tellFailure(error: unknown, { translate }: Messages): ExitCode {
  if (error instanceof UserError) {
    const text = `mini-cc: ${[error.message, error.hint].map(translate.text).join("\n  ")}`;
    for (const row of inRows(printable(text).split("\n"), process.stderr)) process.stderr.write(`${row}\n`);
    return error.exitCode;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(printable(`mini-cc: ${translate.text(text)}\n`));
  return EXIT.failed;
}
