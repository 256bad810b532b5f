import type { Stats } from "node:fs";
import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, readSync } from "node:fs";
import { NOFOLLOW } from "../tools/open-file.js";
import { errorCode } from "../tools/tool-failure.js";
import { MAX_FILE_BYTES } from "./limits.js";
import { contentHash } from "./pack.js";
import type { FileState, PathState } from "./path-state.js";
import { ABSENT, permissionBits, stampOf } from "./path-state.js";

/** Takes the content of a file and may keep it. */
export type Keep = (bytes: Buffer, hash: string) => FileState["kept"];

const flags: Partial<typeof constants> = constants;
const READ = constants.O_RDONLY | NOFOLLOW | (flags.O_NONBLOCK ?? 0);
/** How often a file is read anew that changes while it is read. */
const TRIES = 3;

/** Undefined for what can neither be kept nor restored: sockets, named pipes, devices. */
export function readState(path: string | Buffer, keep: Keep = () => undefined): PathState | undefined {
  const stats = statsOf(path);
  return stats === undefined ? ABSENT : stateOf(path, stats, keep);
}

/** As `readState`, of what `lstat` found there a moment ago. */
export function stateOf(path: string | Buffer, stats: Stats, keep: Keep): PathState | undefined {
  if (stats.isDirectory()) return { kind: "folder", mode: permissionBits(stats) };
  if (stats.isFile()) return readFile(path, stats, keep);
  if (!stats.isSymbolicLink()) return undefined;
  try {
    return { kind: "link", target: readlinkSync(path, { encoding: "buffer" }).toString("latin1") };
  } catch (error) {
    if (isGone(error)) return ABSENT;
    throw error;
  }
}

/** What lies at the path itself; undefined if nothing does. */
export function statsOf(path: string | Buffer): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

function readFile(path: string | Buffer, found: Stats, keep: Keep): PathState {
  let stats = found;
  for (let left = TRIES; ; left--) {
    const unread = fileState(stats);
    if (stats.size > MAX_FILE_BYTES) return unread;
    let read: { bytes: Buffer; before: Stats; after: Stats } | undefined;
    try {
      read = readWhole(path);
    } catch (error) {
      if (isGone(error)) return ABSENT;
      return unread;
    }
    if (read === undefined) return unread;
    stats = read.after;
    // Something writes to it now: what was read last is as good as anything.
    if (stampOf(read.before) !== stampOf(stats) && left > 1) continue;
    const hash = contentHash(read.bytes);
    const kept = keep(read.bytes, hash);
    return { ...fileState(stats), size: read.bytes.length, hash, ...(kept && { kept }) };
  }
}

/** Undefined if it is no regular file by now, or too large. */
function readWhole(path: string | Buffer): { bytes: Buffer; before: Stats; after: Stats } | undefined {
  const file = openSync(path, READ);
  try {
    const before = fstatSync(file);
    if (!before.isFile() || before.size > MAX_FILE_BYTES) return undefined;
    const bytes = Buffer.allocUnsafe(before.size);
    let length = 0;
    while (length < bytes.length) {
      const read = readSync(file, bytes, length, bytes.length - length, length);
      if (read === 0) break;
      length += read;
    }
    return { bytes: bytes.subarray(0, length), before, after: fstatSync(file) };
  } finally {
    closeSync(file);
  }
}

function fileState(stats: Stats): FileState {
  return { kind: "file", mode: permissionBits(stats), size: stats.size, stamp: stampOf(stats) };
}

/** A path that is gone, or a folder of it that has become something else. */
function isGone(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR", "ELOOP"].includes(errorCode(error) ?? "");
}
