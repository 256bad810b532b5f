import { createHash, randomBytes } from "node:crypto";
import { appendFileSync, closeSync, mkdirSync, openSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { messageOf, UserError } from "../errors.js";
import type { SessionRecord } from "./records.js";
import { sessionRecord } from "./records.js";

/** A session that is being written. */
export interface SessionLog {
  readonly id: string;
  /** On return the record has left this process. Never throws: the first failure is reported, then nothing is kept. */
  append(record: SessionRecord): void;
  close(): void;
}

interface SavedSession {
  records: SessionRecord[];
  /** Lines that could not be read; a crash in the middle of a write leaves one. */
  damagedLines: number;
}

export interface SessionStore {
  /** The file appears with the first record. */
  create(): SessionLog;
  /** Appends to a saved session. */
  reopen(id: string): SessionLog;
  /** Throws UserError if there is none with that id. */
  read(id: string): Promise<SavedSession>;
  /** Newest id of this workspace. */
  latest(): Promise<string | undefined>;
}

export interface SessionStoreOptions {
  /** Folder of all sessions in the user's state. */
  folder: string;
  workspaceRoot: string;
  /** Told once when a session can no longer be saved; the conversation goes on. */
  onFailure: (message: string) => void;
}

/** Sessions of one workspace, one file each, readable by the user alone. */
export function createSessionStore(options: SessionStoreOptions): SessionStore {
  const folder = join(options.folder, workspaceFolderName(options.workspaceRoot));
  const pathOf = (id: string) => join(folder, `${id}.jsonl`);

  const readLines = async (id: string): Promise<string> => {
    try {
      return await readFile(pathOf(checkId(id)), "utf8");
    } catch (error) {
      if (isMissing(error)) throw noSession(id);
      throw error;
    }
  };

  return {
    create: () => openLog(newSessionId(), folder, pathOf, options.onFailure, false),
    reopen: (id) => openLog(checkId(id), folder, pathOf, options.onFailure, true),
    async read(id) {
      return parseRecords(await readLines(id));
    },
    async latest() {
      try {
        const names = (await readdir(folder)).filter((name) => name.endsWith(".jsonl"));
        const used = await Promise.all(
          names.map(async (name) => ({ name, at: (await stat(join(folder, name))).mtimeMs })),
        );
        return used
          .sort((a, b) => a.at - b.at || (a.name < b.name ? -1 : 1))
          .at(-1)
          ?.name.replace(/\.jsonl$/, "");
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
  };
}

function openLog(
  id: string,
  folder: string,
  pathOf: (id: string) => string,
  onFailure: (message: string) => void,
  existing: boolean,
): SessionLog {
  let file: number | undefined;
  let failed = false;
  return {
    id,
    append(record) {
      if (failed) return;
      try {
        if (file === undefined) {
          mkdirSync(folder, { recursive: true, mode: 0o700 });
          file = openSync(pathOf(id), "a", 0o600);
          // A torn last line must not swallow the record that follows it.
          if (existing) appendFileSync(file, "\n");
        }
        appendFileSync(file, `${JSON.stringify(record)}\n`);
      } catch (error) {
        failed = true;
        onFailure(messageOf(error));
      }
    },
    close() {
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}

/** Reads what can be read: a line that is torn or from a newer version is counted, not fatal. */
function parseRecords(text: string): SavedSession {
  const records: SessionRecord[] = [];
  let damagedLines = 0;
  for (const line of text.split("\n")) {
    if (line === "") continue;
    try {
      records.push(sessionRecord.parse(JSON.parse(line)));
    } catch {
      damagedLines++;
    }
  }
  return { records, damagedLines };
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

/** An id comes from the command line and must not become a path. */
function checkId(id: string): string {
  if (/^[\w-]+$/.test(id)) return id;
  throw noSession(id);
}

function noSession(id: string): UserError {
  return new UserError(`there is no session ${id} for this folder`, {
    code: "no-session",
    hint: "Leave the id out to start a new one, or use --continue for the latest",
    exitCode: 2,
  });
}
