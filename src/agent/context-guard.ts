import type { BaseMessage } from "@langchain/core/messages";
import type { ContextBudget } from "../context/context-budget.js";
import type { ReplyStats } from "../model/reply-stats.js";
import { ModelError } from "../model/model-error.js";

/** Thrown in place of a request that would crowd the window; the conversation is shortened and the run goes on. */
export class CompactionNeeded extends Error {
  constructor() {
    super("The conversation must be compacted before the next request.");
    this.name = "CompactionNeeded";
  }
}

/** Watches over what is sent: nothing goes out that does not fit, and what the server cut does not go unnoticed. */
export interface ContextGuard {
  /** Before a request with these messages. Throws CompactionNeeded, or ModelError if nothing helps. */
  check(messages: readonly BaseMessage[]): void;
  /** After the reply. False if the server cut what it was sent. */
  learn(stats: ReplyStats): boolean;
  /** The conversation was compacted: it is tried as it is now. */
  compacted(): void;
}

export function createContextGuard(budget: ContextBudget, autoCompact: boolean): ContextGuard {
  let sent: readonly BaseMessage[] = [];
  let wasCut = false;
  /** Compacting again right after a compaction would give the same. */
  let justCompacted = false;
  return {
    check(messages) {
      const tokens = budget.promptTokens(messages);
      const crowded = wasCut || tokens > budget.compactAt;
      if (crowded && autoCompact && !justCompacted) throw new CompactionNeeded();
      if (tokens > budget.promptLimit) throw tooLarge(tokens, budget, autoCompact);
      wasCut = false;
      justCompacted = false;
      sent = messages;
    },
    learn({ promptTokens }) {
      wasCut = !budget.learn(sent, promptTokens);
      return !wasCut;
    },
    compacted() {
      wasCut = false;
      justCompacted = true;
    },
  };
}

function tooLarge(tokens: number, budget: ContextBudget, autoCompact: boolean): ModelError {
  const { window, replyReserve } = budget;
  return new ModelError(
    "context-overflow",
    `the prompt needs about ${tokens} tokens, and the window of ${window} has room for ${window - replyReserve} besides the reply`,
    autoCompact
      ? "Send less at once, or enlarge the window with --num-ctx"
      : "Shorten the conversation with /compact, start a new one with /clear, or enlarge the window with --num-ctx",
  );
}

/** The numbers in the two texts with which a server refuses a prompt; undefined where it names none. */
export function overflowNumbers(text: string): { needed: number; window: number } | undefined {
  const match =
    /request \((\d+) tokens\) exceeds the available context size \((\d+) tokens\)/.exec(text) ??
    /n_prompt_tokens\D+(\d+).*?n_ctx\D+(\d+)/s.exec(text);
  return match ? { needed: Number(match[1]), window: Number(match[2]) } : undefined;
}
