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

export interface RequestSize {
  promptTokens: number;
  /** Undefined where there is no request and reply before that it goes on from. */
  newTokens?: number;
}

/** Watches over what is sent: nothing goes out that does not fit, and what the server cut does not go unnoticed. */
export interface ContextGuard {
  /** Before a request with these messages. Throws CompactionNeeded, or ModelError if nothing helps. */
  check(messages: readonly BaseMessage[]): void;
  /** The request that was checked last: its tokens, by estimate, and those that the server cannot know yet. */
  readonly request: RequestSize;
  /** After the reply. False if the server cut what it was sent. */
  learn(stats: ReplyStats): boolean;
  /** Tokens that prompt and reply take, by the server's count or else by estimate. */
  taken(stats: ReplyStats): number;
  /**
   * If the server refused the request as too long, takes in what its words say and returns the error to end with;
   * undefined for any other error.
   */
  refused(error: unknown): ModelError | undefined;
  /** The conversation was compacted: it is tried as it is now. */
  compacted(): void;
}

export function createContextGuard(budget: ContextBudget, autoCompact: boolean): ContextGuard {
  let sent: readonly BaseMessage[] = [];
  let wasCut = false;
  /** Not the server's. */
  let own: ModelError | undefined;
  /** Compacting again right after a compaction would give the same. */
  let justCompacted = false;
  let request: RequestSize = { promptTokens: 0 };
  /** Tokens of the newest request and its reply; undefined if the next request does not begin with them. */
  let read: number | undefined;
  return {
    get request() {
      return request;
    },
    check(messages) {
      const tokens = budget.promptTokens(messages);
      const crowded = wasCut || tokens > budget.compactAt;
      if (crowded && autoCompact && !justCompacted) throw new CompactionNeeded();
      justCompacted = false;
      if (tokens > budget.promptLimit) {
        const { window, promptLimit } = budget;
        own = tooLong(
          `the prompt needs about ${tokens} tokens, and the window of ${window} has room for ${promptLimit} besides the reply`,
          autoCompact,
        );
        throw own;
      }
      wasCut = false;
      sent = messages;
      request = {
        promptTokens: tokens,
        ...(read !== undefined && { newTokens: Math.max(0, tokens - read) }),
      };
    },
    learn({ promptTokens, outputTokens }) {
      read = promptTokens > 0 ? promptTokens + outputTokens : undefined;
      wasCut = !budget.learn(sent, promptTokens);
      return !wasCut;
    },
    taken({ promptTokens, outputTokens }) {
      return (promptTokens > 0 ? promptTokens : budget.promptTokens(sent)) + outputTokens;
    },
    refused(error) {
      if (!(error instanceof ModelError) || error.kind !== "context-overflow" || error === own)
        return undefined;
      const numbers = overflowNumbers(error.message);
      if (numbers) budget.shrink(numbers.window);
      // Without a number it is known to be more than the window.
      const needed = numbers?.needed ?? Math.max(budget.window, budget.promptTokens(sent));
      budget.learn(sent, needed);
      return tooLong(
        `the server refused the prompt as too long: it needs ${numbers ? "" : "more than "}${needed} tokens, and the window holds ${budget.window}`,
        autoCompact,
      );
    },
    compacted() {
      read = undefined;
      wasCut = false;
      justCompacted = true;
    },
  };
}

function tooLong(message: string, autoCompact: boolean): ModelError {
  return new ModelError(
    "context-overflow",
    message,
    autoCompact
      ? "Send less at once, or enlarge the window with --num-ctx"
      : "Shorten the conversation with /compact, start a new one with /clear, or enlarge the window with --num-ctx",
  );
}

/** The numbers in the text with which a server refuses a prompt; undefined where it names none. */
function overflowNumbers(text: string): { needed: number; window: number } | undefined {
  const match =
    /request \((\d+) tokens\) exceeds the available context size \((\d+) tokens\)/.exec(text) ??
    /n_prompt_tokens\D+(\d+).*?n_ctx\D+(\d+)/s.exec(text);
  return match ? { needed: Number(match[1]), window: Number(match[2]) } : undefined;
}
