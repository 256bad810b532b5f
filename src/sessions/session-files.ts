import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { EXIT, UserError } from "../errors.js";

/** A saved session as the file system tells of it, without reading it. */
export interface SessionFile {
  id: string;
  path: string;
  /** When something was last written to it. */
  usedAt: Date;
  bytes: number;
}

export const SESSION_ENDING = ".jsonl";

/** Sessions of one workspace, the one used last first; none if there is no such folder. */
export async function sessionFilesIn(folder: string): Promise<SessionFile[]> {
  const names = (await entriesOf(folder)).filter(({ name }) => name.endsWith(SESSION_ENDING));
  const found = await Promise.all(
    names.map(async ({ name }): Promise<SessionFile | undefined> => {
      const path = join(folder, name);
      const file = await stat(path).catch(ignoreMissing);
      return file && { id: basename(name, SESSION_ENDING), path, usedAt: file.mtime, bytes: file.size };
    }),
  );
  return found.filter((file) => file !== undefined).sort(newestFirst);
}

/** Sessions of all workspaces, the one used last first. @param folder of all sessions in the user's state */
export async function allSessionFiles(folder: string): Promise<SessionFile[]> {
  const folders = (await entriesOf(folder)).filter((entry) => entry.isDirectory());
  const lists = await Promise.all(folders.map(({ name }) => sessionFilesIn(join(folder, name))));
  return lists.flat().sort(newestFirst);
}

/** The session whose id begins so. Throws UserError if none does, or more than one. */
export function pickSession(files: readonly SessionFile[], beginning: string): SessionFile {
  const exact = files.find(({ id }) => id === beginning);
  const found = exact ? [exact] : files.filter(({ id }) => id.startsWith(beginning));
  const [file] = found;
  if (file === undefined || beginning === "") throw noSession(beginning);
  if (found.length > 1) throw manySessions(beginning, found);
  return file;
}

/** Ids of one moment sort by themselves. */
export function newestFirst(
  a: Pick<SessionFile, "usedAt" | "id">,
  b: Pick<SessionFile, "usedAt" | "id">,
): number {
  return b.usedAt.getTime() - a.usedAt.getTime() || (a.id < b.id ? 1 : -1);
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  return (await readdir(folder, { withFileTypes: true }).catch(ignoreMissing)) ?? [];
}

/** ENOTDIR: what should hold it is no folder. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}

/** Another process may have removed it meanwhile. */
export function ignoreMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}

export function noSession(id: string): UserError {
  return new UserError(`there is no session ${id} here`, {
    code: "no-session",
    hint: "mini-cc sessions lists those of this folder, mini-cc sessions --all those of every folder",
    exitCode: EXIT.usage,
  });
}

function manySessions(beginning: string, found: readonly SessionFile[]): UserError {
  const some = found.slice(0, 5).map(({ id }) => id);
  return new UserError(`${found.length} sessions begin with ${beginning}: ${some.join(", ")}`, {
    code: "many-sessions",
    hint: "Give more of the id",
    exitCode: EXIT.usage,
  });
}
