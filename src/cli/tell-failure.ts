import type { ExitCode } from "../errors.js";
import { EXIT, UserError } from "../errors.js";
import { printable } from "../printable.js";
import type { Messages } from "./messages/catalogue.js";

/** Tells on standard error what ended a command: a UserError with the next step, anything else with its stack. */
export function tellFailure(error: unknown, { translate }: Messages): ExitCode {
  if (error instanceof UserError) {
    const texts = [error.message, error.hint];
    process.stderr.write(printable(`mini-cc: ${texts.map(translate.text).join("\n  ")}\n`));
    return error.exitCode;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(printable(`mini-cc: ${translate.text(text)}\n`));
  return EXIT.failed;
}
