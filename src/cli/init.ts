import { writeStarter } from "../config/starter.js";
import type { ExitCode } from "../errors.js";
import { EXIT, UserError } from "../errors.js";
import { printable } from "../printable.js";
import { cancelOnSignals } from "./cancel-on-signals.js";
import type { Messages } from "./messages/catalogue.js";
import type { CommandContext } from "./program.js";
import { createColours, terminalTraits } from "./render/terminal.js";
import { workspace } from "./start.js";

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
  process.stderr.write(printable(`${problem.message}\n`));
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
  if (!wanted && !(process.stdin.isTTY && process.stderr.isTTY)) return false;
  const { starterNotes, writeStarterNotes } = await import("../notes/starter-notes.js");
  const starter = await starterNotes(folder);
  if (starter === undefined) {
    if (wanted) process.stderr.write(printable(`${messages.notes.exists}\n`));
    return false;
  }
  const agreed = wanted || (await asksForNotes(starter, context));
  if (!agreed) return false;
  await writeStarterNotes(starter);
  process.stdout.write(printable(`${messages.notes.written(starter.path)}\n`));
  return true;
}

async function asksForNotes(
  { path, text }: { path: string; text: string },
  { options, messages }: CommandContext,
): Promise<boolean> {
  const output = process.stderr;
  const { colourLevel, animated } = terminalTraits(output, {
    environment: process.env,
    noColor: options.color === false,
  });
  const [{ confirm }, { createPlainBottom }, { createTerminalInput }] = await Promise.all([
    import("./confirm.js"),
    import("./bottom/plain-bottom.js"),
    import("./terminal-input.js"),
  ]);
  const input = createTerminalInput({ input: process.stdin, output, animated });
  const answer = await cancelOnSignals((signal) =>
    confirm(
      {
        question: messages.notes.offer(path),
        answers: messages.notes.offerAnswers,
        change: { path, before: "", after: text },
      },
      {
        input,
        bottom: createPlainBottom(output),
        messages,
        colours: createColours(colourLevel),
        signal,
      },
    ),
  );
  if (answer === undefined) process.exit(EXIT.cancelled);
  return answer;
}
