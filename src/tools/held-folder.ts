import type { Stats } from "node:fs";
import { constants, lstat, mkdir, open, readlink, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { errorCode } from "./tool-failure.js";

/** A folder held open, so that what is done in it happens there even if its path is swapped for a link meanwhile. */
export interface HeldFolder {
  /** A path to the name in it. */
  at(name: string | Buffer): Buffer;
  /** Rejects if the folder is no longer where it was judged to be. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the folder at a path in which every link was followed; what is missing of it is made name by name, each below
 * an opened folder. Paths are bytes, since names on disk need not be UTF-8.
 *
 * On Linux every step goes through an opened folder whose place the kernel has confirmed. Elsewhere the path is
 * followed again just before, which leaves a gap of microseconds.
 */
export async function holdFolder(path: string | Buffer): Promise<HeldFolder> {
  const missing: string[] = [];
  // Latin-1 keeps every byte, so that names can be taken apart as text.
  let there = asText(path);
  while ((await statsAt(asBytes(there))) === undefined && dirname(there) !== there) {
    missing.unshift(basename(there));
    there = dirname(there);
  }
  let folder = await openFolder(asBytes(there), asBytes(there));
  for (const name of missing) {
    const parent = folder;
    there = join(there, name);
    try {
      await mkdir(parent.at(asBytes(name)));
    } catch (error) {
      if (errorCode(error) !== "EEXIST") {
        await parent.close();
        throw error;
      }
    }
    try {
      folder = await openFolder(asBytes(there), parent.at(asBytes(name)));
    } finally {
      await parent.close();
    }
  }
  return folder;
}

async function openFolder(expected: Buffer, through: Buffer): Promise<HeldFolder> {
  const slash = Buffer.from("/");
  if (process.platform !== "linux") {
    const check = async (): Promise<void> => {
      if (!(await realpath(expected, { encoding: "buffer" })).equals(expected)) throw swapped();
    };
    await check();
    const at = (name: string | Buffer): Buffer => Buffer.concat([expected, slash, Buffer.from(name)]);
    return { at, check, close: () => Promise.resolve() };
  }
  const handle = await open(through, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  const opened = Buffer.from(`/proc/self/fd/${handle.fd}`);
  const check = async (): Promise<void> => {
    if (!(await readlink(opened, { encoding: "buffer" })).equals(expected)) throw swapped();
  };
  try {
    await check();
  } catch (error) {
    await handle.close();
    throw error;
  }
  return {
    at: (name) => Buffer.concat([opened, slash, Buffer.from(name)]),
    check,
    close: () => handle.close(),
  };
}

function swapped(): Error {
  return new Error("a folder of the path is a link by now, or was moved");
}

/** What lies at the path itself, links not followed; undefined if there is nothing. */
export async function statsAt(path: string | Buffer): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

function asText(path: string | Buffer): string {
  return Buffer.from(path).toString("latin1");
}

function asBytes(text: string): Buffer {
  return Buffer.from(text, "latin1");
}
