import type { FileHandle } from "node:fs/promises";
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

/** Gives the lines of a session file in order, as they stand there, empty ones left out. Only "\n" ends a line. */
export async function eachLine(path: string, take: (line: string) => void): Promise<void> {
  const file = await open(path);
  try {
    await eachLineOf(file, take);
  } finally {
    await file.close();
  }
}

async function eachLineOf(file: FileHandle, take: (line: string) => void): Promise<void> {
  let parts: Buffer[] = [];
  const takeLine = (end: Buffer): void => {
    const line = parts.length === 0 ? end : Buffer.concat([...parts, end]);
    parts = [];
    if (line.length > 0) take(line.toString("utf8"));
  };
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK);
    const { bytesRead } = await file.read(chunk, 0, CHUNK);
    if (bytesRead === 0) break;
    const bytes = chunk.subarray(0, bytesRead);
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
      takeLine(bytes.subarray(start, end));
      start = end + 1;
    }
    if (start < bytesRead) parts.push(bytes.subarray(start));
  }
  takeLine(Buffer.alloc(0));
}
