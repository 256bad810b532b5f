import { open } from "node:fs/promises";
import type { SessionRecord } from "./records.js";
import { parseLine, RECORD_VERSION } from "./records.js";

export interface SavedSession {
  records: SessionRecord[];
  /** Lines that cannot be read; a crash in the middle of a write leaves one. */
  damagedLines: number;
  /** Records of kinds that only a newer version knows. They stay in the file. */
  unknownRecords: number;
  /** A newer version has begun the session, whose records may mean something else there. */
  isNewer: boolean;
}

/** Bytes that are read at once. */
const CHUNK = 1 << 20;
const NEWLINE = 0x0a;

/** Reads what can be read, whatever has become of the file. Throws the system's error if it cannot be opened. */
export async function readSession(path: string): Promise<SavedSession> {
  const session: SavedSession = { records: [], damagedLines: 0, unknownRecords: 0, isNewer: false };
  await eachLine(path, (line) => {
    const read = parseLine(line);
    if (read.kind === "damaged") session.damagedLines++;
    if (read.kind === "unknown") session.unknownRecords++;
    if (read.kind !== "record") return;
    session.records.push(read.record);
    if (read.record.type === "session") session.isNewer ||= read.record.v > RECORD_VERSION;
  });
  return session;
}

/**
 * Gives the lines of a session file in order, as they stand there, empty ones left out. Only "\n" ends a line. In
 * "latin1" each byte is a character, which costs a fraction of decoding it.
 */
export async function eachLine(
  path: string,
  take: (line: string) => void,
  encoding: "utf8" | "latin1" = "utf8",
): Promise<void> {
  let parts: Buffer[] = [];
  const takeLine = (end: Buffer): void => {
    const line = parts.length === 0 ? end : Buffer.concat([...parts, end]);
    parts = [];
    if (line.length > 0) take(line.toString(encoding));
  };
  for await (const bytes of chunksOf(path)) {
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
      takeLine(bytes.subarray(start, end));
      start = end + 1;
    }
    if (start < bytes.length) parts.push(bytes.subarray(start));
  }
  takeLine(Buffer.alloc(0));
}

/** The file piece by piece, each in a buffer of its own. */
export async function* chunksOf(path: string): AsyncGenerator<Buffer> {
  const file = await open(path);
  try {
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK);
      const { bytesRead } = await file.read(chunk, 0, CHUNK);
      if (bytesRead === 0) return;
      yield chunk.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}
