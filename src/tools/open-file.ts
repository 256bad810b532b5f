import { constants, open, readlink } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { comesBack, decodeText, hashOf } from "./text-file.js";
import type { Decoded } from "./text-file.js";

/** Larger files are neither edited nor overwritten as text. */
export const MAX_TEXT_BYTES = 32 * 1024 * 1024;

/** Windows has neither flag: there a link in the last name is followed, and no named pipe can make us hang. */
const flags: Partial<typeof constants> = constants;
export const NOFOLLOW = flags.O_NOFOLLOW ?? 0;
const READ = constants.O_RDONLY | NOFOLLOW | (flags.O_NONBLOCK ?? 0);

/**
 * Opens the regular file that the policy judged, for reading. Rejects with an errno error, or if something else
 * lies at that path by now.
 */
export async function openRegularFile(real: string): Promise<FileHandle> {
  const handle = await open(real, READ);
  try {
    if (!(await handle.stat()).isFile()) throw new Error("it is not a regular file");
    await checkOpened(handle, real);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** On Linux the kernel tells where an open file really lies; elsewhere a link swapped in just now goes unseen. */
async function checkOpened(handle: FileHandle, real: string): Promise<void> {
  if (process.platform !== "linux") return;
  if ((await readlink(`/proc/self/fd/${handle.fd}`)) !== real) {
    throw new Error("the path changed while it was used; a link was put in its place");
  }
}

const UNKNOWN: Decoded = { kind: "unknown-encoding" };

/** The file decoded so that it can be changed, with the hash and the number of its bytes. */
export async function readTextFile(
  real: string,
): Promise<(Decoded & { hash: string; size: number }) | { kind: "too-large"; size: number }> {
  const handle = await openRegularFile(real);
  try {
    const { size } = await handle.stat();
    if (size > MAX_TEXT_BYTES) return { kind: "too-large", size };
    const bytes = await handle.readFile();
    const decoded = decodeText(bytes);
    const content = decoded.kind === "text" && !comesBack(decoded, bytes) ? UNKNOWN : decoded;
    return { ...content, hash: hashOf(bytes), size: bytes.length };
  } finally {
    await handle.close();
  }
}
