import { writeStarter } from "../../config/starter.js";
import type { ExitCode } from "../../errors.js";
import { EXIT, UserError } from "../../errors.js";
import { printable } from "../../printable.js";
import type { Messages } from "../messages/catalogue.js";
import type { CommandContext } from "../program.js";
import { workspace } from "../start.js";

/**
 * `mini-cc init`: a commented starter file for this workspace, and notes for the model if they are wanted: by the flag,
 * or by an answer on a terminal. What exists is left alone. Throws UserError if that was all there was to write.
 */
export async function initCommand(
  context: CommandContext,
  { notes }: { notes?: boolean },
): Promise<ExitCode> {
  const { messages } = context;
  const folder = await workspace(context.options);
  const problem = await writeConfig(folder, messages);
  const wroteNotes = await offerNotes(folder, notes === true, context);
  if (problem === undefined) return EXIT.done;
  if (!wroteNotes) throw problem;
  process.stderr.write(printable(`${messages.translate.text(problem.message)}\n`));
  return EXIT.done;
}

/** Why the file could not be written, which must not keep the notes from being. */
async function writeConfig(folder: string, messages: Messages): Promise<UserError | undefined> {
  try {
    const path = await writeStarter(folder);
    process.stdout.write(printable(`${messages.init.written(path)}\n`));
    return undefined;
  } catch (error) {
    if (error instanceof UserError && error.code === "config-exists") return error;
    throw error;
  }
}

async function offerNotes(folder: string, wanted: boolean, context: CommandContext): Promise<boolean> {
  const { messages } = context;
  const { canAsk, confirmOnTerminal } = await import("../questions/confirm-on-terminal.js");
  if (!wanted && !canAsk()) return false;
  const { starterNotes, writeStarterNotes } = await import("../../notes/starter-notes.js");
  const starter = await starterNotes(folder);
  if (starter === undefined) {
    if (wanted) process.stderr.write(printable(`${messages.notes.exists}\n`));
    return false;
  }
  const question = {
    question: messages.notes.offer(starter.path),
    answers: messages.notes.offerAnswers,
    change: { path: starter.path, before: "", after: starter.text },
  };
  const agreed = wanted || (await confirmOnTerminal(question, context, messages));
  if (agreed === undefined) process.exit(EXIT.cancelled);
  if (!agreed) return false;
  await writeStarterNotes(starter);
  process.stdout.write(printable(`${messages.notes.written(starter.path)}\n`));
  return true;
}
