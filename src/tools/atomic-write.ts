import { createHash, randomUUID } from "node:crypto";
import type { Stats } from "node:fs";
import { access, constants, lstat, mkdir, open, readdir, realpath, rename, rm } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { checkOpened, NOFOLLOW } from "./open-file.js";
import { errorCode } from "./tool-failure.js";

/**
 * Writes a file so that a reader sees the old content or the new, never a part. Missing folders are made; the mode
 * of an existing file stays (its owner too, where the system lets us). Rejects with the old content in place and
 * no temporary file left; one that a killed process left in the folder is cleared away by the next write there.
 *
 * `real` is the path that was judged: links were followed in it. On Linux every step goes through an opened
 * folder whose place the kernel has confirmed, so a folder that is swapped for a link meanwhile leads nowhere
 * else. Elsewhere the check comes just before the rename, which leaves a gap of microseconds.
 */
export async function writeFileAtomic(real: string, bytes: Buffer): Promise<void> {
  const folder = await openParent(dirname(real));
  const target = folder.at(basename(real));
  const temporary = folder.at(`${temporaryPrefix(process.pid)}${randomUUID()}.tmp`);
  try {
    await clearLeftovers(folder);
    const before = await existing(target);
    if (before?.isDirectory() === true) throw Object.assign(new Error("is a folder"), { code: "EISDIR" });
    if (before !== undefined && !before.isFile()) throw new Error("it is not a regular file");
    if (before !== undefined) await access(target, constants.W_OK);
    await writeNew(temporary, bytes, before);
    await folder.check();
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  } finally {
    await folder.close();
  }
}

/** The host is part of it, since a number of a process means nothing on another machine. */
function temporaryPrefix(pid: number): string {
  return `.mini-cc-${createHash("sha256").update(hostname()).digest("hex").slice(0, 8)}-${pid}-`;
}

/** Takes away temporary files of processes of this machine that are gone. */
async function clearLeftovers(folder: Folder): Promise<void> {
  const leftovers = (await names(folder)).filter((name) => {
    const pid = Number(/^\.mini-cc-[0-9a-f]{8}-(\d+)-[0-9a-f-]{36}\.tmp$/.exec(name)?.[1] ?? process.pid);
    return name.startsWith(temporaryPrefix(pid)) && !isAlive(pid);
  });
  for (const name of leftovers) await rm(folder.at(name), { force: true });
}

/** Empty for a folder that may be written but not listed. */
async function names(folder: Folder): Promise<string[]> {
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

async function writeNew(path: string, bytes: Buffer, like: Owned | undefined): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NOFOLLOW;
  const handle = await open(path, flags, like === undefined ? 0o666 : 0o600);
  try {
    await handle.writeFile(bytes);
    if (like !== undefined) {
      await keepOwner(handle, like);
      await handle.chmod(like.mode & 0o7777);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
}

interface Owned {
  mode: number;
  uid: number;
  gid: number;
}

/** Only root may give files away; for anyone else the new file is their own, as with any editor. */
async function keepOwner(handle: FileHandle, like: Owned): Promise<void> {
  const { uid, gid } = await handle.stat();
  if (uid === like.uid && gid === like.gid) return;
  try {
    await handle.chown(like.uid, like.gid);
  } catch (error) {
    if (errorCode(error) !== "EPERM") throw error;
  }
}

interface Folder {
  at(name: string): string;
  /** Rejects if the folder is no longer where it was judged to be. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the folder; what is missing of it is made name by name, each below an opened folder. */
async function openParent(path: string): Promise<Folder> {
  const missing: string[] = [];
  let there = path;
  while ((await existing(there)) === undefined && dirname(there) !== there) {
    missing.unshift(basename(there));
    there = dirname(there);
  }
  let folder = await openFolder(there, there);
  for (const name of missing) {
    const parent = folder;
    there = join(there, name);
    try {
      await mkdir(parent.at(name));
    } catch (error) {
      if (errorCode(error) !== "EEXIST") {
        await parent.close();
        throw error;
      }
    }
    try {
      folder = await openFolder(there, parent.at(name));
    } finally {
      await parent.close();
    }
  }
  return folder;
}

async function openFolder(expected: string, through: string): Promise<Folder> {
  if (process.platform !== "linux") {
    const check = async (): Promise<void> => {
      if ((await realpath(expected)) !== expected) throw new Error("a folder was replaced by a link");
    };
    await check();
    return { at: (name) => join(expected, name), check, close: () => Promise.resolve() };
  }
  const handle = await open(through, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  const check = (): Promise<void> => checkOpened(handle, expected);
  try {
    await check();
  } catch (error) {
    await handle.close();
    throw error;
  }
  return { at: (name) => `/proc/self/fd/${handle.fd}/${name}`, check, close: () => handle.close() };
}

async function existing(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
