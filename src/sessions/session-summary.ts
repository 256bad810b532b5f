import type { FileHandle } from "node:fs/promises";
import { open } from "node:fs/promises";
import { basename } from "node:path";
import type { SessionHeader, SessionRecord, SessionState } from "./records.js";
import { parseLine } from "./records.js";
import { eachLine } from "./session-file.js";

/** What a list shows of a session, from the beginning and the end of its file. */
export interface SessionSummary {
  id: string;
  path: string;
  /** The workspace; empty if the file does not tell. */
  cwd: string;
  /** Given by the user. */
  title: string | undefined;
  /** The beginning of the first prompt; empty if there is none. */
  firstPrompt: string;
  /** The newest one; empty if the file does not tell. */
  model: string;
  startedAt: Date | undefined;
  /** When something was last written to it. */
  usedAt: Date;
  bytes: number;
  turns: number;
  /** How the newest turn ended; undefined if it did not. */
  outcome: Extract<SessionRecord, { type: "turn-end" }>["outcome"] | undefined;
  parent: SessionHeader["parent"];
}

/** Bytes of either end of a file in which nearly always all is found. */
const END_BYTES = 64 * 1024;
/** Of the first prompt. */
const PROMPT_CHARS = 300;

/** The inside of the text, as far as it goes, without half an escape at the end. */
const TEXT = /"text":"((?:[^"\\]|\\u[\da-f]{4}|\\[^u])*)/i;

const USER = '{"type":"user"';
const TURN_END = '{"type":"turn-end"';
const PARSED = ["session", "model", "resumed", "title", "turn-end"].map((type) => `{"type":"${type}"`);

/** Throws the system's error if the file cannot be opened. */
export async function summariseSession(path: string): Promise<SessionSummary> {
  const file = await open(path);
  try {
    const { size, mtime } = await file.stat();
    const summary = emptySummary(path, size, mtime);
    const lines = (await readBytes(file, 0, END_BYTES)).split("\n");
    if (size > END_BYTES) {
      const head = lines.slice(0, lines.findIndex((line) => line.startsWith(USER)) + 1 || lines.length);
      const tail = (await readBytes(file, size - END_BYTES, END_BYTES)).split("\n").slice(1);
      const state = tail.findLastIndex((line) => stateOf(line) !== undefined);
      if (state === -1) {
        await eachLine(path, (line) => takeLine(summary, line));
        return summary;
      }
      lines.splice(0, lines.length, ...head, ...tail.slice(state));
    }
    for (const line of lines) takeLine(summary, line);
    return summary;
  } finally {
    await file.close();
  }
}

function emptySummary(path: string, bytes: number, usedAt: Date): SessionSummary {
  return {
    id: basename(path, ".jsonl"),
    path,
    cwd: "",
    title: undefined,
    firstPrompt: "",
    model: "",
    startedAt: undefined,
    usedAt,
    bytes,
    turns: 0,
    outcome: undefined,
    parent: undefined,
  };
}

async function readBytes(file: FileHandle, position: number, length: number): Promise<string> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, position);
  return buffer.toString("utf8", 0, bytesRead);
}

/** Only lines that a list needs are parsed; a prompt may be megabytes long. */
function takeLine(summary: SessionSummary, line: string): void {
  if (line.startsWith(USER)) {
    if (summary.turns === 0) summary.firstPrompt = beginningOfText(line);
    summary.turns++;
    summary.outcome = undefined;
    return;
  }
  if (!PARSED.some((beginning) => line.startsWith(beginning))) return;
  const read = parseLine(line);
  if (read.kind !== "record") return;
  const { record } = read;
  if ("model" in record) summary.model = record.model;
  if (record.type === "title") summary.title = record.text;
  if (record.type === "session") {
    summary.cwd = record.cwd;
    summary.startedAt = new Date(record.at);
    summary.parent = record.parent;
  }
  if (record.type === "turn-end") {
    summary.outcome = record.outcome;
    Object.assign(summary, record.session);
  }
}

/** What a `turn-end` tells of the session. */
function stateOf(line: string): SessionState | undefined {
  if (!line.startsWith(TURN_END)) return undefined;
  const read = parseLine(line);
  return read.kind === "record" && read.record.type === "turn-end" ? read.record.session : undefined;
}

function beginningOfText(line: string): string {
  const text = TEXT.exec(line.slice(0, 8 * PROMPT_CHARS))?.[1] ?? "";
  try {
    return (JSON.parse(`"${text}"`) as string).slice(0, PROMPT_CHARS);
  } catch {
    // A damaged line.
    return "";
  }
}
