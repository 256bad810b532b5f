import type { Readable } from "node:stream";

/** How long a prompt on the command line waits for the first byte of standard input, in milliseconds (contract). */
const FIRST_BYTE_MS = 1000;

export type PipedText =
  | { kind: "text"; text: string; /** Bytes that were no UTF-8 were replaced. */ lossy: boolean }
  /** Nothing was there, and its end came. */
  | { kind: "empty" }
  /** Open, but silent. */
  | { kind: "silent" };

/**
 * Reads a pipe to its end. With `patience` "short" it gives up if no byte comes within a second, since scripts often
 * leave standard input open without ever writing to it.
 */
export async function readPiped(input: Readable, patience: "short" | "unlimited"): Promise<PipedText> {
  const chunks: Buffer[] = [];
  const ended = new Promise<"end">((resolve, reject) => {
    input.on("data", (chunk: Buffer) => chunks.push(chunk));
    input.once("end", () => resolve("end"));
    input.once("error", reject);
  });
  if (patience === "short") {
    const first = new Promise<"data">((resolve) => input.once("data", () => resolve("data")));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<"late">((resolve) => {
      timer = setTimeout(() => resolve("late"), FIRST_BYTE_MS);
    });
    const came = await Promise.race([ended, first, late]);
    clearTimeout(timer);
    if (came === "late") {
      input.destroy();
      return { kind: "silent" };
    }
  }
  await ended;
  const { text, lossy } = decode(Buffer.concat(chunks));
  return text.trim() === "" ? { kind: "empty" } : { kind: "text", text, lossy };
}

/** UTF-8, or UTF-16 little-endian with its mark, as Windows PowerShell writes it; marks are dropped. */
function decode(bytes: Buffer): { text: string; lossy: boolean } {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { text: bytes.toString("utf16le", 2), lossy: false };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), lossy: false };
  } catch {
    return { text: new TextDecoder("utf-8").decode(bytes), lossy: true };
  }
}
