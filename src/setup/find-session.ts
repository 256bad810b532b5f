import { stat } from "node:fs/promises";
import { join } from "node:path";
import { EXIT, UserError } from "../errors.js";
import { allSessionFiles, pickSession } from "../sessions/session-files.js";
import type { SessionFile } from "../sessions/session-files.js";
import type { SessionStore } from "../sessions/session-store.js";
import { createSessionStore } from "../sessions/session-store.js";
import { summariseSession } from "../sessions/session-summary.js";

export interface WantedSession {
  /** The beginning of its id; without one, the latest of the folder. */
  id?: string;
  /** Goes on with a copy of it; the session stays as it is. */
  fork: boolean;
}

export interface FoundSession {
  id: string;
  /** The newest one; empty if its file does not tell. */
  model: string;
}

interface SessionPlace {
  stateFolder: string;
  /** Real path. */
  workspaceRoot: string;
}

/**
 * What is to be gone on with, from the ends of its file, before the model is chosen. Throws UserError if there is none
 * such, or if it belongs to another folder; a copy may come from any.
 */
export async function findSession(place: SessionPlace, wanted: WantedSession): Promise<FoundSession> {
  const folder = join(place.stateFolder, "sessions");
  const store = createSessionStore({
    folder,
    workspaceRoot: place.workspaceRoot,
    // What cannot be written is told once it is to be written.
    onFailure: () => undefined,
  });
  const { id, path } =
    wanted.id === undefined ? await latest(store) : await named(store, folder, wanted.id, wanted.fork);
  const { model } = await summariseSession(path);
  return { id: wanted.fork ? await store.fork({ id, path }) : id, model };
}

async function latest(store: SessionStore): Promise<SessionFile> {
  const file = (await store.files())[0];
  if (file) return file;
  throw new UserError("there is no earlier session in this folder", {
    code: "no-session",
    hint: "Leave out --continue to start one",
    exitCode: EXIT.usage,
  });
}

async function named(store: SessionStore, folder: string, id: string, fork: boolean): Promise<SessionFile> {
  try {
    return pickSession(await store.files(), id);
  } catch (error) {
    if (!(error instanceof UserError) || error.code !== "no-session") throw error;
    const file = await elsewhere(folder, id);
    if (file && fork) return file;
    throw file ? await otherFolder(file) : error;
  }
}

async function elsewhere(folder: string, id: string): Promise<SessionFile | undefined> {
  const found = (await allSessionFiles(folder)).filter((file) => id !== "" && file.id.startsWith(id));
  return found.length === 1 ? found[0] : undefined;
}

async function otherFolder({ id, path }: SessionFile): Promise<UserError> {
  const { cwd } = await summariseSession(path);
  const exists = await stat(cwd).then(
    (found) => found.isDirectory(),
    () => false,
  );
  const copy = `mini-cc --resume ${id} --fork goes on here with a copy of it`;
  return new UserError(`there is no session ${id} for this folder: it belongs to ${cwd || "another one"}`, {
    code: "no-session",
    hint: exists
      ? `Go on there: mini-cc -C "${cwd}" --resume ${id}; or ${copy}`
      : `That folder does not exist any more: ${copy}`,
    exitCode: EXIT.usage,
  });
}
