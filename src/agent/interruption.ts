import type { SessionRecord } from "../sessions/records.js";
import { ANSWER_OF_UNFINISHED } from "./conversation.js";

/** What a program that was stopped in the middle of a turn has left open. */
export interface Interruption {
  /** The records that close it: an answer for every call, and the end of the turn. */
  closing: SessionRecord[];
  /** Calls that may have taken effect. */
  unknown: { tool: string; args: unknown }[];
}

/** Undefined if the newest turn has ended. */
export function interruptionIn(records: readonly SessionRecord[]): Interruption | undefined {
  const begin = records.findLastIndex(({ type }) => type === "user" || type === "turn-end");
  if (records[begin]?.type !== "user") return undefined;
  const start = records.findLastIndex(({ type }) => type === "assistant");
  const [reply, ...after] = records.slice(Math.max(begin, start));
  const finished = new Set(after.flatMap((record) => (record.type === "call-finished" ? [record.id] : [])));
  const started = new Map(
    after.flatMap((record) => (record.type === "call-started" ? [[record.id, record.effect] as const] : [])),
  );
  const prepared = new Map(
    after.flatMap((record) => (record.type === "call-prepared" ? [[record.id, record] as const] : [])),
  );
  const closing: SessionRecord[] = [];
  const unknown: Interruption["unknown"] = [];
  for (const { id, name, args } of reply?.type === "assistant" ? reply.calls : []) {
    if (finished.has(id)) continue;
    const state = started.get(id) ?? "notStarted";
    const status = state === "change" ? "unknown" : "cancelled";
    closing.push({ type: "call-finished", id, status, output: ANSWER_OF_UNFINISHED[state] });
    const call = prepared.get(id);
    if (state === "change") unknown.push({ tool: call?.tool ?? name, args: call?.args ?? args });
  }
  const message = "mini-cc was stopped in the middle of this turn";
  const at = new Date().toISOString();
  closing.push({ type: "turn-end", at, outcome: "failed", error: { code: "interrupted", message } });
  return { closing, unknown };
}
