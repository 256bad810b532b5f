import type { BaseMessage } from "@langchain/core/messages";
import type { ChatChunk } from "./ollama-client.js";
import type { Recovery } from "./reply-deltas.js";
import type { Runaway } from "./runaway.js";

/** What the server counted and measured for one reply; 0 where it did not say. */
export interface ReplyStats {
  /** `stop`, `length`, `load` …; empty if the server did not say. */
  doneReason: string;
  promptTokens: number;
  outputTokens: number;
  loadMs: number;
  /** Reading the part of the prompt that was not cached. */
  promptMs: number;
  outputMs: number;
  /** How the calls were written that arrived as text. */
  recovered?: string;
  /** Why a call that arrived as text was not made, and of which tool; see `CallProblem`. */
  problem?: NonNullable<Recovery["problem"]>;
  detail?: string;
  /** Why it was ended from this side; the counts are then those of what had arrived. */
  runaway?: Runaway;
  /** Characters of the text up to the end of the first copy, if it repeats itself. */
  keptChars?: number;
}

const MS_PER_NS = 1e-6;

export function replyStats(last: ChatChunk, { form, problem, detail }: Recovery): ReplyStats {
  return {
    doneReason: last.done_reason ?? "",
    promptTokens: last.prompt_eval_count ?? 0,
    outputTokens: last.eval_count ?? 0,
    loadMs: (last.load_duration ?? 0) * MS_PER_NS,
    promptMs: (last.prompt_eval_duration ?? 0) * MS_PER_NS,
    outputMs: (last.eval_duration ?? 0) * MS_PER_NS,
    ...(form !== undefined && problem === undefined && { recovered: form }),
    ...(problem !== undefined && { problem }),
    ...(detail !== undefined && { detail }),
  };
}

/**
 * For a reply without the server's own figures.
 * @param outputTokens about as many as it sent until then
 */
export function unfinishedStats(
  doneReason: string,
  outputTokens: number,
  more: Partial<ReplyStats>,
): ReplyStats {
  return { doneReason, promptTokens: 0, outputTokens, loadMs: 0, promptMs: 0, outputMs: 0, ...more };
}

/** The stats that the chat model put on a reply; undefined for a message that is not a complete reply. */
export function statsOf(message: BaseMessage): ReplyStats | undefined {
  return message.response_metadata["stats"] as ReplyStats | undefined;
}
