import { relative } from "node:path";
import { prepareNote } from "../../notes/add-note.js";
import type { FittedNotes } from "../../notes/fit-notes.js";
import { NOTES_SHARE } from "../../notes/fit-notes.js";
import { printable } from "../../printable.js";
import type { SlashContext } from "./slash-commands.js";

/** `/memory` shows the notes, `/memory add TEXT` appends a line to the workspace's file after asking. */
export async function memoryCommand(context: SlashContext, argument: string): Promise<void> {
  const { app, messages, say } = context;
  const [, text] = /^add(?:\s+(.*))?$/s.exec(argument) ?? [];
  if (text !== undefined) {
    await addNote(context, text);
  } else if (argument !== "") {
    say(messages.notes.usage);
  } else {
    const { contextWindow } = app.session();
    const told = app.projectNotes();
    say(
      ...(told.length === 0
        ? [messages.notes.none]
        : [messages.notes.told(Math.floor(contextWindow * NOTES_SHARE)), ...noteRows(context, told)]),
      messages.notes.hint,
    );
  }
}

/** `/reload`: the model is told the notes as the files hold them now. */
export async function reloadCommand(context: SlashContext): Promise<void> {
  const { app, messages, say, notice } = context;
  const { changed, notices } = await app.reloadNotes();
  for (const each of notices) notice(each);
  const told = app.projectNotes();
  if (!changed) say(messages.notes.unchanged);
  else if (told.length === 0) say(messages.notes.none);
  else say(messages.notes.reloaded, ...noteRows(context, told));
}

async function addNote({ app, messages, say, confirm }: SlashContext, text: string): Promise<void> {
  const addition = await prepareNote(app.session().cwd, text);
  const name = relative(app.session().cwd, addition.path);
  const agreed = await confirm({
    question: messages.notes.add(name),
    answers: messages.notes.answers,
    change: addition,
  });
  if (agreed === true) await addition.append();
  say(agreed === true ? messages.notes.added(printable(name)) : messages.notes.notAdded);
}

function noteRows({ app, messages }: SlashContext, told: readonly FittedNotes[]): string[] {
  const { cwd } = app.session();
  return told.map(({ path, isUsers, tokens, wholeTokens }) => {
    const name = printable(isUsers ? path : relative(cwd, path));
    const size =
      tokens < wholeTokens ? messages.notes.cut(tokens, wholeTokens) : messages.notes.whole(tokens);
    return `  ${name}  ${size}`;
  });
}
