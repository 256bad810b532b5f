import type { SessionHeader, SessionRecord } from "./records.js";

type Recorded<Type extends SessionRecord["type"]> = Extract<SessionRecord, { type: Type }>;

/** A session as a person reads it. */
export interface Transcript {
  header: SessionHeader | undefined;
  title: string | undefined;
  /** The newest; empty if the records do not tell. */
  model: string;
  turns: TranscriptTurn[];
}

export interface TranscriptTurn {
  /** Counted from 1. */
  number: number;
  at: string;
  prompt: string;
  entries: TranscriptEntry[];
  /** How it ended; undefined if it did not, as after a crash. */
  outcome: Recorded<"turn-end">["outcome"] | undefined;
  error: string | undefined;
}

export type TranscriptEntry =
  /** What the user said on the way. */
  | { kind: "prompt"; text: string }
  | { kind: "reply"; text: string; thinking?: string | undefined; cut?: string | undefined }
  | TranscriptCall
  | { kind: "notice"; level: "info" | "warning"; text: string }
  | { kind: "compaction"; tokensBefore: number; tokensAfter: number }
  | { kind: "model"; model: string };

export interface TranscriptCall {
  kind: "call";
  id: string;
  tool: string;
  args: unknown;
  /** "unfinished": a crash or the user came between; it may have taken effect if it was started. */
  status: Recorded<"call-finished">["status"] | "unfinished" | "not-run";
  output: string;
  /** Why it was allowed or denied, if anybody or anything decided that. */
  permission?: { verdict: "allow" | "deny"; by: string; because: string };
  command?: { command: string; exitCode: number | null };
  changedFiles?: readonly string[];
}

/** What was said and done, without what was no use and asked again. What was before the first prompt has no turn. */
export function transcriptOf(records: readonly SessionRecord[]): Transcript {
  const transcript: Transcript = { header: undefined, title: undefined, model: "", turns: [] };
  const calls = new Map<string, TranscriptCall>();
  for (const record of records) {
    if ("model" in record) transcript.model = record.model;
    if (record.type === "session") transcript.header ??= record;
    if (record.type === "title") transcript.title = record.text;
    if (record.type === "user") transcript.turns.push(newTurn(transcript.turns.length + 1, record));
    const turn = transcript.turns.at(-1);
    if (turn) add(turn, record, calls);
  }
  return transcript;
}

function newTurn(number: number, { at, text }: Recorded<"user">): TranscriptTurn {
  return { number, at, prompt: text, entries: [], outcome: undefined, error: undefined };
}

function add(turn: TranscriptTurn, record: SessionRecord, calls: Map<string, TranscriptCall>): void {
  const { entries } = turn;
  switch (record.type) {
    case "steering":
      entries.push({ kind: "prompt", text: record.text });
      break;
    case "assistant":
      addReply(entries, record, calls);
      break;
    case "retried": {
      const last = entries.findLastIndex(({ kind }) => kind === "reply");
      if (last !== -1) entries.splice(last);
      break;
    }
    case "call-started":
      update(calls, record.id, { status: "unfinished" });
      break;
    case "permission": {
      const { verdict, by, because } = record;
      update(calls, record.id, { permission: { verdict, by, because } });
      break;
    }
    case "call-finished": {
      const { status, output, command, changedFiles } = record;
      update(calls, record.id, {
        status,
        output,
        ...(command && { command }),
        ...(changedFiles && { changedFiles }),
      });
      break;
    }
    case "notice":
      entries.push({ kind: "notice", level: record.level, text: record.text });
      break;
    case "compaction":
      entries.push({
        kind: "compaction",
        tokensBefore: record.tokensBefore,
        tokensAfter: record.tokensAfter,
      });
      break;
    case "model":
      entries.push({ kind: "model", model: record.model });
      break;
    case "turn-end":
      turn.outcome = record.outcome;
      turn.error = record.error?.message;
      break;
    default:
  }
}

function addReply(
  entries: TranscriptEntry[],
  { text, thinking, cut, calls: made }: Recorded<"assistant">,
  calls: Map<string, TranscriptCall>,
): void {
  entries.push({ kind: "reply", text, thinking, cut });
  for (const { id, name, args } of made) {
    const call: TranscriptCall = { kind: "call", id, tool: name, args, status: "not-run", output: "" };
    calls.set(id, call);
    entries.push(call);
  }
}

function update(
  calls: ReadonlyMap<string, TranscriptCall>,
  id: string,
  change: Partial<TranscriptCall>,
): void {
  const call = calls.get(id);
  if (call) Object.assign(call, change);
}
