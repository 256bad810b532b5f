import { createHash, randomBytes } from "node:crypto";
import type { Dirent } from "node:fs";
import { appendFileSync, closeSync, fsyncSync, openSync } from "node:fs";
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { EXIT, UserError } from "../errors.js";
import type { SessionHeader, SessionState } from "./records.js";
import { parseLine } from "./records.js";
import { eachLine, readSession } from "./session-file.js";
import type { SavedSession } from "./session-file.js";
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
  /** All of this workspace, the one used last first. */
  list(): Promise<SessionSummary[]>;
  /**
   * A new session of this workspace with the first turns of another, or with all of it. Its id is returned; the file
   * is complete. Throws UserError if there is no such session.
   */
  fork(from: string, turns?: number): Promise<string>;
}

export interface SessionStoreOptions {
  /** Folder of all sessions in the user's state. */
  folder: string;
  workspaceRoot: string;
  /** Told once when a session can no longer be saved; the conversation goes on. */
  onFailure: (message: string) => void;
}

const ENDING = ".jsonl";

export function createSessionStore({ folder, workspaceRoot, onFailure }: SessionStoreOptions): SessionStore {
  const own = join(folder, workspaceFolderName(workspaceRoot));
  const pathOf = (id: string) => join(own, `${id}${ENDING}`);

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

    async latest() {
      const paths = await sessionPaths(own);
      const used = await Promise.all(paths.map(async (path) => ({ path, at: (await stat(path)).mtimeMs })));
      const newest = used.sort((a, b) => a.at - b.at || (a.path < b.path ? -1 : 1)).at(-1);
      return newest && basename(newest.path, ENDING);
    },

    async find(beginning) {
      const ids = (await sessionPaths(own)).map((path) => basename(path, ENDING));
      const found = ids.includes(beginning) ? [beginning] : ids.filter((id) => id.startsWith(beginning));
      const [id] = found;
      if (id === undefined || beginning === "") throw noSession(beginning);
      if (found.length > 1) throw manySessions(beginning, found);
      return id;
    },

    list: () => listSessions(own),

    fork: (from, turns) =>
      existing(from, async (path) => {
        const id = newSessionId();
        const parent = { id: from, ...(turns !== undefined && { turns }) };
        const change = { id, at: new Date().toISOString(), cwd: workspaceRoot, parent };
        await copySession(path, pathOf(id), change, turns);
        return id;
      }),
  };
}

/** Sessions of all workspaces, the one used last first. @param folder of all sessions in the user's state */
export async function listAllSessions(folder: string): Promise<SessionSummary[]> {
  const names = (await readdirIfThere(folder)).filter((entry) => entry.isDirectory());
  const lists = await Promise.all(names.map(({ name }) => listSessions(join(folder, name))));
  return lists.flat().sort(newestFirst);
}

/** Throws UserError if a living process has the session. */
export async function removeSession(path: string): Promise<void> {
  const lock = takeLock(path);
  await rm(path, { force: true });
  lock.release();
}

async function listSessions(folder: string): Promise<SessionSummary[]> {
  const paths = await sessionPaths(folder);
  const found = await Promise.all(
    paths.map((path) => summariseSession(path).catch((error: unknown) => ignoreMissing(error))),
  );
  return found.filter((summary) => summary !== undefined).sort(newestFirst);
}

function newestFirst(a: SessionSummary, b: SessionSummary): number {
  return b.usedAt.getTime() - a.usedAt.getTime() || (a.id < b.id ? 1 : -1);
}

async function sessionPaths(folder: string): Promise<string[]> {
  return (await readdirIfThere(folder))
    .filter(({ name }) => name.endsWith(ENDING))
    .map(({ name }) => join(folder, name));
}

async function readdirIfThere(folder: string): Promise<Dirent[]> {
  return (
    (await readdir(folder, { withFileTypes: true }).catch((error: unknown) => ignoreMissing(error))) ?? []
  );
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
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
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
function workspaceFolderName(root: string): string {
  const name = basename(root).replace(/[^\w.-]+/g, "_") || "root";
  return `${name}-${createHash("sha256").update(root).digest("hex").slice(0, 12)}`;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

function ignoreMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}

function noSession(id: string): UserError {
  return new UserError(`there is no session ${id} for this folder`, {
    code: "no-session",
    hint: "Leave the id out to start a new one, or use --continue for the latest",
    exitCode: EXIT.usage,
  });
}

function manySessions(beginning: string, found: readonly string[]): UserError {
  return new UserError(`${found.length} sessions begin with ${beginning}: ${found.slice(0, 5).join(", ")}`, {
    code: "many-sessions",
    hint: "Give more of the id",
    exitCode: EXIT.usage,
  });
}
