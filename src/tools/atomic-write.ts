import { createHash, randomUUID } from "node:crypto";
import { access, constants, open, readdir, rename, rm } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname } from "node:path";
import { holdFolder, statsAt } from "./held-folder.js";
import type { HeldFolder } from "./held-folder.js";
import { NOFOLLOW } from "./open-file.js";
import { errorCode } from "./tool-failure.js";

/**
 * Writes a file so that a reader sees the old content or the new, never a part. Missing folders are made; the mode
 * of an existing file stays (its owner too, where the system lets us). Rejects with the old content in place and
 * no temporary file left; one that a killed process left in the folder is cleared away by the next write there.
 *
 * `real` is the path that was judged: links were followed in it. A folder that is swapped for a link meanwhile
 * leads nowhere else (see `holdFolder`).
 */
export async function writeFileAtomic(real: string, bytes: Buffer): Promise<void> {
  const folder = await holdFolder(dirname(real));
  try {
    await clearLeftovers(folder);
    const target = folder.at(basename(real));
    const before = await statsAt(target);
    if (before?.isDirectory() === true) throw Object.assign(new Error("is a folder"), { code: "EISDIR" });
    if (before !== undefined && !before.isFile()) throw new Error("it is not a regular file");
    if (before !== undefined) await access(target, constants.W_OK);
    await putFile(folder, Buffer.from(basename(real)), {
      bytes,
      like: before && { mode: before.mode, owner: before },
      sync: true,
    });
  } finally {
    await folder.close();
  }
}

export interface NewFile {
  bytes: Buffer;
  /** Whose mode and, where the system lets us, owner it gets; undefined: those of a new file. */
  like: Owned | undefined;
  /** Waits until the content is on the disk, so that it outlasts a loss of power. */
  sync: boolean;
}

interface Owned {
  mode: number;
  /** Undefined: whoever writes it. */
  owner?: { uid: number; gid: number } | undefined;
}

/** Puts a file in one step in the place of whatever lies at the name; a folder there makes it reject. */
export async function putFile(folder: HeldFolder, name: Buffer, file: NewFile): Promise<void> {
  await replaceAt(folder, name, (temporary) => writeNew(temporary, file));
}

/** Makes something under a temporary name and moves it to its own in one step. */
export async function replaceAt(
  folder: HeldFolder,
  name: Buffer,
  make: (temporary: Buffer) => Promise<void>,
): Promise<void> {
  const temporary = folder.at(`${temporaryPrefix(process.pid)}${randomUUID()}.tmp`);
  try {
    await make(temporary);
    await folder.check();
    await rename(temporary, folder.at(name));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** The host is part of it, since a number of a process means nothing on another machine. */
function temporaryPrefix(pid: number): string {
  return `.mini-cc-${createHash("sha256").update(hostname()).digest("hex").slice(0, 8)}-${pid}-`;
}

/** Takes away temporary files of processes of this machine that are gone. */
async function clearLeftovers(folder: HeldFolder): Promise<void> {
  const leftovers = (await names(folder)).filter((name) => {
    const pid = Number(/^\.mini-cc-[0-9a-f]{8}-(\d+)-[0-9a-f-]{36}\.tmp$/.exec(name)?.[1] ?? process.pid);
    return name.startsWith(temporaryPrefix(pid)) && !isAlive(pid);
  });
  for (const name of leftovers) await rm(folder.at(name), { force: true });
}

/** Empty for a folder that may be written but not listed. */
async function names(folder: HeldFolder): Promise<string[]> {
  try {
    return await readdir(folder.at("."));
  } catch (error) {
    if (errorCode(error) === "EACCES") return [];
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) !== "ESRCH";
  }
}

async function writeNew(path: Buffer, { bytes, like, sync }: NewFile): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NOFOLLOW;
  const handle = await open(path, flags, like === undefined ? 0o666 : 0o600);
  try {
    await handle.writeFile(bytes);
    if (like !== undefined) {
      if (like.owner !== undefined) await keepOwner(handle, like.owner);
      await handle.chmod(like.mode & 0o7777);
    }
    if (sync) await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Only root may give files away; for anyone else the new file is their own, as with any editor. */
async function keepOwner(handle: FileHandle, owner: { uid: number; gid: number }): Promise<void> {
  const { uid, gid } = await handle.stat();
  if (uid === owner.uid && gid === owner.gid) return;
  try {
    await handle.chown(owner.uid, owner.gid);
  } catch (error) {
    if (errorCode(error) !== "EPERM") throw error;
  }
}
