import { lstat } from "node:fs/promises";
import { resolve } from "node:path";
import { printable } from "../../printable.js";
import type { TranscriptTurn } from "../../sessions/transcript.js";
import { transcriptOf } from "../../sessions/transcript.js";
import { exportText, writeExport } from "../commands/export-session.js";
import { oneLine } from "../render/one-line.js";
import { damageLines } from "../commands/saved-session.js";
import type { SlashContext } from "./slash-commands.js";

/** `/fork [N]`: a new session with the first N turns of this one; without a number they are listed to choose from. */
export async function forkCommand(context: SlashContext, argument: string): Promise<void> {
  const { app, messages, say, notice } = context;
  const session = await app.savedSession();
  const turns = session === undefined ? [] : transcriptOf(session.records).turns;
  if (turns.length === 0) {
    say(messages.sessions.nothingSaved);
    return;
  }
  const turn = argument === "" ? await pickTurn(context, turns) : Number(argument);
  if (turn === undefined) return;
  if (!turns.some(({ number }) => number === turn)) {
    say(messages.sessions.noTurn(oneLine(argument, messages), turns.length));
    return;
  }
  const from = app.session().id;
  for (const each of await app.fork(turn)) notice(each);
  const { forked, unchanged } = messages.sessions;
  say(forked(turn, app.session().id), unchanged(from));
}

/** The number of a turn; undefined if none was chosen. */
async function pickTurn(
  { messages, pick }: SlashContext,
  turns: readonly TranscriptTurn[],
): Promise<number | undefined> {
  const items = turns.map(({ number, prompt, outcome }) => ({
    label: `${number}  ${oneLine(prompt, messages)}`,
    detail: messages.sessions.outcome[outcome ?? "unfinished"],
  }));
  const chosen = await pick({ title: messages.sessions.forkFrom, items, selected: items.length - 1 });
  return chosen === undefined ? undefined : turns[chosen]?.number;
}

/** `/rename TITLE`: what lists of sessions show instead of the first prompt. */
export function renameCommand({ app, messages, say }: SlashContext, argument: string): Promise<void> {
  const title = oneLine(argument, messages);
  if (title === "") {
    say(messages.sessions.renameUsage);
  } else {
    app.rename(title);
    say(messages.sessions.renamed(title));
  }
  return Promise.resolve();
}

/** `/export [FILE]`: the session so far as Markdown, or as JSON where the file is called so. */
export async function exportCommand(
  { app, messages, say, confirm }: SlashContext,
  argument: string,
): Promise<void> {
  const { id, cwd } = app.session();
  const session = await app.savedSession();
  if (session === undefined) {
    say(messages.sessions.nothingSaved);
    return;
  }
  const path = resolve(cwd, argument === "" ? `session-${id}.md` : argument);
  const exists = await lstat(path).then(
    () => true,
    () => false,
  );
  if (exists) {
    const { replace, replaceAnswers, notExported } = messages.sessions;
    if ((await confirm({ question: replace(path), answers: replaceAnswers })) !== true) {
      say(notExported);
      return;
    }
  }
  const text = exportText(session, /\.json$/i.test(path) ? "json" : "md", messages);
  await writeExport(path, text, messages, exists ? "replace" : "new");
  say(...damageLines(session, messages), printable(messages.sessions.exported(path)));
}
