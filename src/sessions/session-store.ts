import { createHash, randomBytes } from "node:crypto";
import { appendFileSync, closeSync, fsyncSync, openSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { makePrivateFolder } from "../config/private-folder.js";
import { UserError } from "../errors.js";
import type { SessionHeader, SessionState } from "./records.js";
import { parseLine } from "./records.js";
import { eachLine, readSession } from "./session-file.js";
import type { SavedSession } from "./session-file.js";
import type { SessionFile } from "./session-files.js";
import {
  allSessionFiles,
  ignoreMissing,
  isMissing,
  newestFirst,
  noSession,
  pickSession,
  SESSION_ENDING,
  sessionFilesIn,
} from "./session-files.js";
import type { SessionLock } from "./session-lock.js";
import { takeLock } from "./session-lock.js";
import { createSessionLog } from "./session-log.js";
import type { SessionLog } from "./session-log.js";
import { summariseSession } from "./session-summary.js";
import type { SessionSummary } from "./session-summary.js";

/** Sessions of one workspace, one file each, readable by the user alone. */
export interface SessionStore {
  /** The file appears with the first record. */
  create(): SessionLog;
  /** Takes a saved session for this process. Throws UserError if there is none, or if another process has it. */
  reopen(id: string): Promise<SessionLog>;
  /** Throws UserError if there is none with that id. */
  read(id: string): Promise<SavedSession>;
  /** Newest id of this workspace. */
  latest(): Promise<string | undefined>;
  /** The id that begins so. Throws UserError if none does, or more than one. */
  find(beginning: string): Promise<string>;
  /** All of this workspace, the one used last first, unread. */
  files: () => Promise<SessionFile[]>;
  /** The same with what each of them is about. */
  list(): Promise<SessionSummary[]>;
  /**
   * A new session of this workspace with the first turns of another, or with all of it. Its id is returned; the file
   * is complete. Throws UserError if there is no such session. One that is given by its path may be of another folder.
   */
  fork(from: string | Pick<SessionFile, "id" | "path">, turns?: number): Promise<string>;
}

export interface SessionStoreOptions {
  /** Folder of all sessions in the user's state. */
  folder: string;
  workspaceRoot: string;
  /** Told once when a session can no longer be saved; the conversation goes on. */
  onFailure: (message: string) => void;
}

export function createSessionStore({ folder, workspaceRoot, onFailure }: SessionStoreOptions): SessionStore {
  const own = join(folder, workspaceFolderName(workspaceRoot));
  const pathOf = (id: string) => join(own, `${id}${SESSION_ENDING}`);

  /** Throws UserError if there is no such file. An id comes from the command line and must not become a path. */
  async function existing<T>(id: string, use: (path: string) => Promise<T>): Promise<T> {
    if (!/^[\w-]+$/.test(id)) throw noSession(id);
    try {
      return await use(pathOf(id));
    } catch (error) {
      if (isMissing(error)) throw noSession(id);
      throw error;
    }
  }

  async function fork(from: Pick<SessionFile, "id" | "path">, turns: number | undefined): Promise<string> {
    const id = newSessionId();
    const parent = { id: from.id, ...(turns !== undefined && { turns }) };
    const change = { id, at: new Date().toISOString(), cwd: workspaceRoot, parent };
    await copySession(from.path, pathOf(id), change, turns);
    return id;
  }

  return {
    create() {
      const id = newSessionId();
      return createSessionLog({ id, path: pathOf(id), onFailure });
    },

    reopen: (id) =>
      existing(id, async (path) => {
        const { turns, model, title } = await summariseSession(path);
        const state: SessionState = { turns, model, ...(title !== undefined && { title }) };
        return createSessionLog({ id, path, existing: { lock: lockIfWritable(path), state }, onFailure });
      }),

    read: (id) => existing(id, readSession),

    latest: async () => (await sessionFilesIn(own)).at(0)?.id,

    find: async (beginning) => pickSession(await sessionFilesIn(own), beginning).id,

    files: () => sessionFilesIn(own),

    list: async () => summarise(await sessionFilesIn(own)),

    fork: (from, turns) =>
      typeof from === "string"
        ? existing(from, (path) => fork({ id: from, path }, turns))
        : fork(from, turns),
  };
}

/** Sessions of all workspaces, the one used last first. @param folder of all sessions in the user's state */
export async function listAllSessions(folder: string): Promise<SessionSummary[]> {
  return summarise(await allSessionFiles(folder));
}

/** Throws UserError if a living process has the session. */
export async function removeSession(path: string): Promise<void> {
  const lock = takeLock(path);
  await rm(path, { force: true });
  lock.release();
}

/** Files; systems limit how many a process may have open. */
const OPEN_AT_ONCE = 32;

async function summarise(files: readonly SessionFile[]): Promise<SessionSummary[]> {
  const found: SessionSummary[] = [];
  for (let at = 0; at < files.length; at += OPEN_AT_ONCE) {
    const some = files.slice(at, at + OPEN_AT_ONCE);
    const summaries = await Promise.all(some.map(({ path }) => summariseSession(path).catch(ignoreMissing)));
    found.push(...summaries.filter((summary) => summary !== undefined));
  }
  return found.sort(newestFirst);
}

/** Where nothing can be written there is no lock either; that nothing is saved is told with the first record. */
function lockIfWritable(path: string): SessionLock | undefined {
  try {
    return takeLock(path);
  } catch (error) {
    if (error instanceof UserError) throw error;
    return undefined;
  }
}

/** Copies the lines as they are, also those that cannot be read here. */
async function copySession(
  from: string,
  to: string,
  change: Partial<SessionHeader>,
  turns = Infinity,
): Promise<void> {
  const temporary = `${to}.new`;
  makePrivateFolder(dirname(to));
  const file = openSync(temporary, "wx", 0o600);
  let copied = 0;
  try {
    await eachLine(from, (line) => {
      const read = parseLine(line);
      const record = read.kind === "record" ? read.record : undefined;
      if (record?.type === "user") copied++;
      if (copied > turns) return;
      const copy = record?.type === "session" ? JSON.stringify({ ...record, ...change }) : line;
      appendFileSync(file, `${copy}\n`);
    });
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  await rename(temporary, to);
}

/** Sorts by time; the random end keeps sessions of one millisecond apart. */
function newSessionId(): string {
  const time = new Date()
    .toISOString()
    .replace(/[-:.Z]/g, "")
    .replace("T", "-");
  return `${time}-${randomBytes(3).toString("hex")}`;
}

/** Readable, and never the same for two folders. */
export function workspaceFolderName(root: string): string {
  const name = basename(root).replace(/[^\w.-]+/g, "_") || "root";
  return `${name}-${createHash("sha256").update(root).digest("hex").slice(0, 12)}`;
}
