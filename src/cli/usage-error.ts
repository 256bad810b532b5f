import { EXIT, UserError } from "../errors.js";
import type { Messages } from "./messages/catalogue.js";

/** A mistake in what was typed; the next step is the help of the command, e.g. "mini-cc ask". */
export function usageError(message: string, command: string, { usage }: Messages): UserError {
  return new UserError(message, { code: "usage", hint: usage.seeHelp(command), exitCode: EXIT.usage });
}

/** The one of `known` that was given. Throws UserError (exit 2) if there is none. @param name of the flag or argument */
export function oneOf<T extends string>(
  known: readonly T[],
  given: string,
  { name, command, messages }: { name: string; command: string; messages: Messages },
): T {
  const found = known.find((one) => one === given);
  if (found !== undefined) return found;
  throw usageError(messages.usage.invalidValue(name, given, known.join(", ")), command, messages);
}
