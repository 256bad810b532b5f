import { execFile } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

export interface OutputPipe {
  reader: Socket;
  /** File descriptor for the program; to be closed here as soon as the program has it. */
  writeEnd: number;
}

/**
 * One pipe of the kernel for standard output and standard error, so that their lines come in the order in which they
 * were written. Node's own pipes are two, and sockets, which a program cannot open as `/dev/stderr`. Undefined where
 * it cannot be had.
 */
export async function openOutputPipe(): Promise<OutputPipe | undefined> {
  if (process.platform === "win32") return undefined;
  let folder: string | undefined;
  try {
    folder = await mkdtemp(join(tmpdir(), "mini-cc-pipe-"));
    const path = join(folder, "output");
    // Nobody else gets into the folder; a program that changes its user still has to open the pipe.
    await promisify(execFile)("mkfifo", ["-m", "666", path]);
    const readEnd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const writeEnd = openSync(path, constants.O_WRONLY);
      return { reader: new Socket({ fd: readEnd, readable: true, writable: false }), writeEnd };
    } catch (error) {
      closeSync(readEnd);
      throw error;
    }
  } catch {
    // No mkfifo, no room, no descriptors: Node's pipes do, or fail with the reason.
    return undefined;
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
}
