import { lstat } from "node:fs/promises";
import { resolve } from "node:path";
import { printable } from "../printable.js";
import { exportText, writeExport } from "./export-session.js";
import { oneLine } from "./render/turn-log.js";
import { damageLines } from "./saved-session.js";
import type { SlashContext } from "./slash-commands.js";

/** `/rename TITLE`: what lists of sessions show instead of the first prompt. */
export function renameCommand({ app, messages, say }: SlashContext, argument: string): Promise<void> {
  const title = oneLine(argument);
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
