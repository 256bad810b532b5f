import { relative } from "node:path";
import type { AgentEvent, SessionStart } from "../agent/agent-events.js";
import type { PromptNote } from "../agent/prompt-note.js";
import type { Interruption } from "../agent/interruption.js";
import { interruptionIn } from "../agent/interruption.js";
import type { SessionRecord } from "../sessions/records.js";
import type { SavedSession } from "../sessions/session-file.js";
import type { SessionLog } from "../sessions/session-log.js";
import type { SessionStore } from "../sessions/session-store.js";
import type { TranscriptTurn } from "../sessions/transcript.js";
import { transcriptOf } from "../sessions/transcript.js";
import type { FileMemory } from "../tools/file-memory.js";
import { createFileMemory } from "../tools/file-memory.js";
import { changedFiles } from "../tools/known-files.js";

type Notice = Extract<AgentEvent, { type: "notice" }>;

/** What a session goes on from. */
export interface ResumedSession {
  log: SessionLog;
  /** With those that close what a stop had left open. */
  records: readonly SessionRecord[];
  unread: Pick<SavedSession, "damagedLines" | "unknownRecords">;
  /** What the user should know of what happened meanwhile. */
  notices: Notice[];
  /** What the model is told of it, with the next prompt. */
  note: PromptNote | undefined;
  memory: FileMemory;
  position: SessionPosition;
}

/** Where the user was in a session. */
export interface SessionPosition {
  turns: number;
  title: string | undefined;
  /** The newest prompt and what was answered last; empty if there is none. */
  prompt: string;
  answer: string;
  outcome: TranscriptTurn["outcome"];
}

/** Opens a saved session of the workspace. Throws UserError if there is none with that id, or if it is in use. */
export async function resumeSession(
  store: SessionStore,
  id: string,
  workspaceRoot: string,
): Promise<ResumedSession> {
  const log = await store.reopen(id);
  try {
    const saved = await store.read(id);
    const interruption = interruptionIn(saved.records);
    for (const record of interruption?.closing ?? []) log.append(record);
    const records = [...saved.records, ...(interruption?.closing ?? [])];
    const { seen, latest } = knownFiles(records);
    const changed = await changedFiles(latest);
    const display = (path: string) => displayOf(path, workspaceRoot);
    return {
      log,
      records,
      unread: saved,
      notices: [
        ...unreadNotices(saved),
        ...interruptionNotices(interruption),
        ...changeNotices(changed, display),
      ],
      note: changeNote(changed, display),
      memory: createFileMemory(seen),
      position: positionIn(records),
    };
  } catch (error) {
    log.close();
    throw error;
  }
}

/** Notes in the session that it goes on, and what was told of its file. */
export function resumedRecord(
  { unread: { damagedLines, unknownRecords } }: ResumedSession,
  { model, contextWindow, version }: SessionStart,
): SessionRecord {
  const at = new Date().toISOString();
  return { type: "resumed", at, model, contextWindow, version, damagedLines, unknownRecords };
}

function positionIn(records: readonly SessionRecord[]): SessionPosition {
  const { turns, title } = transcriptOf(records);
  const last = turns.at(-1);
  const answer = last?.entries.findLast((entry) => entry.kind === "reply" && entry.text.trim() !== "");
  return {
    turns: turns.length,
    title,
    prompt: last?.prompt ?? "",
    answer: answer?.kind === "reply" ? answer.text : "",
    outcome: last?.outcome,
  };
}

/** Hashes by real path, the newest last: what the model saw itself, and the latest that it saw or was told of. */
function knownFiles(records: readonly SessionRecord[]) {
  const seen = new Map<string, string>();
  const latest = new Map<string, string | null>();
  for (const record of records) {
    if (record.type !== "call-finished" && record.type !== "user") continue;
    for (const { path, hash } of record.files ?? []) {
      if (record.type === "call-finished" && hash !== null) seen.set(path, hash);
      latest.delete(path);
      latest.set(path, hash);
    }
  }
  return { seen, latest };
}

/** Every fault is told once: what an earlier run has told is in the records. */
function unreadNotices({ records, damagedLines, unknownRecords, isNewer }: SavedSession): Notice[] {
  const told = records.findLast((record) => record.type === "resumed");
  const damaged = damagedLines - (told?.damagedLines ?? 0);
  const unknown = unknownRecords - (told?.unknownRecords ?? 0);
  const notices: Notice[] = [];
  if (damaged > 0) {
    const lines = damaged === 1 ? "one line" : `${damaged} lines`;
    const text = `${lines} of this session's file cannot be read: what stood there is missing in the conversation`;
    notices.push(notice("warning", "session-damaged", text));
  }
  if (unknown > 0 || (isNewer && told === undefined)) {
    const text =
      "a newer version of mini-cc has written to this session: what this version does not know is kept in its file, but left out";
    notices.push(notice("warning", "session-newer", text));
  }
  return notices;
}

function interruptionNotices(interruption: Interruption | undefined): Notice[] {
  if (interruption === undefined) return [];
  const { unknown } = interruption;
  if (unknown.length === 0) {
    const text = "mini-cc was stopped in the middle of the last turn; what was done until then is kept";
    return [notice("info", "turn-interrupted", text)];
  }
  return unknown.map(({ tool, args }) => {
    const text = `mini-cc was stopped in the middle of ${tool}${subjectOf(args)}: it may have taken effect; check before it is done again`;
    return notice("warning", "call-unknown", text);
  });
}

function subjectOf(args: unknown): string {
  const { command, path } = (typeof args === "object" && args !== null ? args : {}) as Record<
    string,
    unknown
  >;
  const subject = command ?? path;
  return typeof subject === "string" ? ` (${subject})` : "";
}

function changeNotices(changed: Changes, display: (path: string) => string): Notice[] {
  if (changed.size === 0) return [];
  return [notice("info", "files-changed", `since then ${listOf(changed, display)}`)];
}

function changeNote(changed: Changes, display: (path: string) => string): PromptNote | undefined {
  if (changed.size === 0) return undefined;
  return {
    text: `Files are no longer as you last saw them: ${listOf(changed, display)}. Read them again before you rely on them.`,
    files: [...changed].map(([path, hash]) => ({ path, hash })),
  };
}

type Changes = ReadonlyMap<string, string | null>;

/** Files that are named. */
const MOST_NAMED = 20;

/** `a.ts, b.ts have changed; c.ts is gone` */
function listOf(changed: Changes, display: (path: string) => string): string {
  const part = (paths: string[], one: string, many: string): string[] => {
    if (paths.length === 0) return [];
    const named = paths.slice(0, MOST_NAMED).map(display).join(", ");
    const more = paths.length > MOST_NAMED ? ` and ${paths.length - MOST_NAMED} more` : "";
    return [`${named}${more} ${paths.length === 1 ? one : many}`];
  };
  const all = [...changed];
  const present = all.filter(([, hash]) => hash !== null).map(([path]) => path);
  const gone = all.filter(([, hash]) => hash === null).map(([path]) => path);
  return [...part(present, "has changed", "have changed"), ...part(gone, "is gone", "are gone")].join("; ");
}

function displayOf(path: string, workspaceRoot: string): string {
  const inside = relative(workspaceRoot, path);
  return inside.startsWith("..") ? path : inside;
}

function notice(level: Notice["level"], code: string, text: string): Notice {
  return { type: "notice", level, code, text };
}
