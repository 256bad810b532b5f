import { constants, lstat, open, realpath } from "node:fs/promises";
import { sep } from "node:path";
import { messageOf } from "../errors.js";

/** Windows has neither flag. */
const flags: Partial<typeof constants> = constants;
/** A named pipe must not make the start wait, and the last name was resolved already. */
const READ = constants.O_RDONLY | (flags.O_NOFOLLOW ?? 0) | (flags.O_NONBLOCK ?? 0);

export type PlainText =
  | { kind: "text"; text: string; real: string; isWhole: boolean; bytes: number }
  | { kind: "missing" }
  /** It is there and does not count. */
  | { kind: "refused"; because: string };

/**
 * Reads the beginning of a file of UTF-8 text, a byte order mark left out. `within` is the real path of the folder that
 * a link must not lead out of.
 */
export async function readPlainText(
  path: string,
  { within, maxBytes }: { within: string | undefined; maxBytes: number },
): Promise<PlainText> {
  try {
    const real = await realpath(path);
    if (within !== undefined && !isBelow(real, within)) return refused("it is a link that leads elsewhere");
    const bytes = await readBeginning(real, maxBytes);
    if (bytes === undefined) return refused("it is not a regular file");
    const isWhole = bytes.length < maxBytes;
    const text = decode(bytes, isWhole);
    if (text === undefined) return refused("it is not UTF-8 text");
    return { kind: "text", text, real, isWhole, bytes: bytes.length };
  } catch (error) {
    return (await isThere(path)) ? refused(messageOf(error)) : { kind: "missing" };
  }
}

/** Undefined for what is no regular file. */
async function readBeginning(real: string, maxBytes: number): Promise<Buffer | undefined> {
  const handle = await open(real, READ);
  try {
    if (!(await handle.stat()).isFile()) return undefined;
    const bytes = Buffer.alloc(maxBytes);
    let length = 0;
    while (length < maxBytes) {
      const { bytesRead } = await handle.read(bytes, length, maxBytes - length, length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return bytes.subarray(0, length);
  } finally {
    await handle.close();
  }
}

/** Undefined for bytes that are no text. A character that the end of the beginning cuts is no fault. */
function decode(bytes: Buffer, isWhole: boolean): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: !isWhole });
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}

function isBelow(real: string, folder: string): boolean {
  return real.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** A link to nowhere is there. */
async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    return code !== "ENOENT" && code !== "ENOTDIR";
  }
}

function refused(because: string): PlainText {
  return { kind: "refused", because };
}
