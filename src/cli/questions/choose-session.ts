import { join } from "node:path";
import { EXIT, UserError } from "../../errors.js";
import { createSessionStore } from "../../sessions/session-store.js";
import { openBottom } from "../bottom/open-bottom.js";
import { confirm } from "./confirm.js";
import { pick } from "./list-picker.js";
import type { CommandContext } from "../program.js";
import { createColours } from "../render/terminal.js";
import type { TerminalTraits } from "../render/terminal.js";
import { sessionQuestion } from "../chat/resume-session.js";
import type { Start } from "../start.js";
import { createTerminalInput } from "../keyboard/terminal-input.js";

export interface ChoiceOptions {
  begun: Start;
  /** Of standard output. */
  traits: TerminalTraits;
  signal: AbortSignal;
}

/**
 * For `--resume` without an ID: the context with the session that the user picks, undefined if none is picked. Throws
 * UserError if there is none to pick.
 */
export async function withChosenSession(
  context: CommandContext,
  { begun, traits, signal }: ChoiceOptions,
): Promise<CommandContext | undefined> {
  if (context.options.resume !== true) return context;
  const { loaded, workspaceRoot, messages } = begun;
  const store = createSessionStore({
    folder: join(loaded.folders.state, "sessions"),
    workspaceRoot,
    // Nothing is written here.
    onFailure: () => undefined,
  });
  const list = await store.list();
  if (list.length === 0) {
    throw new UserError(messages.resume.nothing, {
      code: "no-session",
      hint: messages.resume.nothingHint,
      exitCode: EXIT.usage,
    });
  }
  const terminal = openTerminal(begun, traits, signal);
  try {
    const picked = await pick(sessionQuestion(list, messages), terminal);
    const id = picked === undefined ? undefined : list[picked]?.id;
    return id === undefined ? undefined : { ...context, options: { ...context.options, resume: id } };
  } finally {
    terminal.bottom.close();
  }
}

/** Opens what the context names; where another process has that session, a copy of it is offered. */
export async function openOrFork<T>(
  context: CommandContext,
  open: (context: CommandContext) => Promise<T>,
  { begun, traits, signal }: ChoiceOptions,
): Promise<T> {
  try {
    return await open(context);
  } catch (error) {
    if (!(error instanceof UserError) || error.code !== "session-in-use") throw error;
    const { fork, forkAnswers } = begun.messages.resume;
    const terminal = openTerminal(begun, traits, signal);
    try {
      const answer = await confirm({ question: fork(error.message), answers: forkAnswers }, terminal);
      if (answer !== true) throw error;
    } finally {
      terminal.bottom.close();
    }
    return open({ ...context, options: { ...context.options, fork: true } });
  }
}

function openTerminal({ messages }: Start, traits: TerminalTraits, signal: AbortSignal) {
  const output = process.stdout;
  const colours = createColours(traits.colourLevel);
  const bottom = openBottom(output, traits, messages);
  const input = createTerminalInput({ input: process.stdin, output, animated: traits.animated });
  return { input, bottom, messages, colours, signal, onQuestion: () => undefined };
}
