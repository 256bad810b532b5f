import { createHash } from "node:crypto";
import { closeSync, openSync, readSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { makePrivateFolder } from "../config/private-folder.js";
import type { FileState, Kept } from "./path-state.js";

/** Contents of files, one behind the other, in a file that only grows; the user alone can read it. */
export interface PackWriter {
  readonly path: string;
  append(bytes: Buffer): Kept;
  /** What was appended can be read from then on. */
  flush(): void;
  /** What was not flushed is given up. */
  close(): void;
}

/** Bytes that are written at a time: most files are small. */
const BUFFER_BYTES = 1024 * 1024;

/** The file and its folder appear with the first content. All functions throw what the file system reports. */
export function createPack(pack: string): PackWriter {
  let file: number | undefined;
  let written = 0;
  let waiting: Buffer[] = [];
  let waitingBytes = 0;

  function flush(): void {
    if (waiting.length === 0) return;
    if (file === undefined) {
      makePrivateFolder(dirname(pack));
      file = openSync(pack, "wx", 0o600);
    }
    const bytes = Buffer.concat(waiting);
    // At a place of its own, so that a disk that was full for a while leaves no gap.
    for (let at = 0; at < bytes.length;) {
      at += writeSync(file, bytes, at, bytes.length - at, written + at);
    }
    written += waitingBytes;
    waiting = [];
    waitingBytes = 0;
  }

  return {
    path: pack,
    append(bytes) {
      const offset = written + waitingBytes;
      waiting.push(bytes);
      waitingBytes += bytes.length;
      if (waitingBytes >= BUFFER_BYTES) flush();
      return { pack, offset };
    },
    flush,
    close() {
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}

/** The kept content of a file. Throws if it was not kept, is gone, or is not what was put in. */
export function readKept({ hash, kept, size }: FileState): Buffer {
  if (kept === undefined || hash === undefined) throw new Error("the content was not kept");
  const bytes = Buffer.alloc(size);
  const file = openSync(kept.pack, "r");
  try {
    let at = 0;
    while (at < size) {
      const read = readSync(file, bytes, at, size - at, kept.offset + at);
      if (read === 0) break;
      at += read;
    }
  } finally {
    closeSync(file);
  }
  if (contentHash(bytes) !== hash) throw new Error("the kept content is damaged");
  return bytes;
}

export function contentHash(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
