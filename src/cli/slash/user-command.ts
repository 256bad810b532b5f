import type { App } from "../../app.js";
import { createPrintableStream } from "../../printable.js";
import type { Bottom } from "../bottom/bottom.js";
import type { Confirmation } from "../questions/confirm.js";
import type { Unit } from "../editor/draft.js";
import type { Messages } from "../messages/catalogue.js";
import { oneLine } from "../render/one-line.js";
import { fit } from "../render/terminal.js";
import type { Colours } from "../render/terminal.js";

/** Cells of a command that stands for its output in a draft. */
const COMMAND_CELLS = 40;

export interface UserCommandContext {
  app: App;
  bottom: Bottom;
  messages: Messages;
  colours: Colours;
  confirm: (question: Confirmation) => Promise<boolean | undefined>;
  signal: AbortSignal;
}

/** The command line of a message that begins with "!"; undefined for any other. */
export function userCommandOf(message: string): string | undefined {
  return /^!\s*(\S[^]*)$/.exec(message)?.[1];
}

/**
 * Runs a command of the user's own, unasked and unconfined, with its output as it comes. Resolves to the output as a
 * part of the next message, if the user wants the model to know it.
 */
export async function runUserCommand(
  command: string,
  context: UserCommandContext,
): Promise<Unit | undefined> {
  const { app, bottom, messages, colours, confirm, signal } = context;
  const safe = createPrintableStream();
  const { outcome, output } = await app.run(command, {
    signal,
    onOutput: (text) => bottom.write(safe.write(text)),
  });
  bottom.write(safe.end());
  bottom.endLine();
  bottom.print(colours.dim(messages.translate.text(outcome)));
  const { offer, answers, attached } = messages.input.command;
  const isOffered = output !== "" && !signal.aborted;
  if (!isOffered || !(await confirm({ question: offer, answers }))) return undefined;
  return {
    pasted: `I ran this command myself:\n$ ${command}\n[${outcome}]\n${output}`,
    label: attached(fit(oneLine(command, messages), COMMAND_CELLS, messages.glyphs.ellipsis)),
  };
}
