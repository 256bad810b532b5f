import { join } from "node:path";
import { readSession } from "../../sessions/session-file.js";
import type { SavedSession } from "../../sessions/session-file.js";
import type { SessionFile } from "../../sessions/session-files.js";
import { allSessionFiles, pickSession } from "../../sessions/session-files.js";
import type { SessionStore } from "../../sessions/session-store.js";
import { createSessionStore } from "../../sessions/session-store.js";
import type { Messages } from "../messages/catalogue.js";
import type { CommandContext } from "../program.js";
import { oneLine } from "../render/one-line.js";
import type { Start } from "../start.js";
import { start } from "../start.js";

/** The sessions that a command is about. */
export interface Saved extends Start {
  /** Folder of all sessions. */
  folder: string;
  store: SessionStore;
  /** Those of this folder, or of every folder, the one used last first. */
  files: () => Promise<SessionFile[]>;
}

export async function savedSessions(
  context: CommandContext,
  { all }: { all?: boolean | undefined },
): Promise<Saved> {
  const begun = await start(context);
  const folder = join(begun.loaded.folders.state, "sessions");
  const store = createSessionStore({
    folder,
    workspaceRoot: begun.workspaceRoot,
    // Nothing is written here.
    onFailure: () => undefined,
  });
  return { ...begun, folder, store, files: all === true ? () => allSessionFiles(folder) : store.files };
}

/** Reads the session whose id begins so. Throws UserError if there is none, or more than one. */
export async function openSaved(
  saved: Saved,
  beginning: string,
): Promise<{ file: SessionFile; session: SavedSession }> {
  const file = pickSession(await saved.files(), beginning);
  return { file, session: await readSession(file.path) };
}

/** What the session is called in lists: its title or first prompt, on one line. */
export function titleOf(
  { title, firstPrompt }: { title: string | undefined; firstPrompt: string },
  messages: Messages,
): string {
  return oneLine(title ?? firstPrompt, messages) || messages.sessions.noTitle;
}

/** What of a session's file could not be read. */
export function damageLines(
  { damagedLines, unknownRecords }: SavedSession,
  { sessions }: Messages,
): string[] {
  return [
    ...(damagedLines > 0 ? [sessions.damaged(damagedLines)] : []),
    ...(unknownRecords > 0 ? [sessions.unknownRecords(unknownRecords)] : []),
  ];
}
