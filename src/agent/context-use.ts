import type { BaseMessage } from "@langchain/core/messages";
import { ToolMessage } from "@langchain/core/messages";
import type { ContextBudget } from "../context/context-budget.js";
import { estimateTokens } from "../context/token-estimate.js";
import type { ReplyStats } from "../model/reply-stats.js";

/** What the context window is used for, in tokens. */
export interface ContextUse {
  window: number;
  system: number;
  tools: number;
  conversation: number;
  toolResults: number;
  replyReserve: number;
  free: number;
  /** Of the newest reply; undefined before the first. */
  newest: NewestReply | undefined;
}

export interface NewestReply {
  promptTokens: number;
  /** By estimate. */
  cachedTokens: number;
  tokensPerSecond: number;
}

export function newestReply(stats: ReplyStats, cachedTokens: number): NewestReply {
  const { promptTokens, outputTokens, outputMs } = stats;
  const tokensPerSecond = outputMs > 0 ? (outputTokens / outputMs) * 1000 : 0;
  return { promptTokens, cachedTokens, tokensPerSecond };
}

export function contextUse(
  budget: ContextBudget,
  messages: readonly BaseMessage[],
  systemPrompt: string,
  newest: NewestReply | undefined,
): ContextUse {
  const { window, replyReserve } = budget;
  const fixed = budget.fixedTokens();
  const system = Math.min(fixed, Math.ceil(estimateTokens(systemPrompt)));
  const toolResults = budget.tokensOf(messages.filter((message) => ToolMessage.isInstance(message)));
  const conversation = Math.max(0, budget.promptTokens(messages) - fixed - toolResults);
  return {
    window,
    system,
    tools: fixed - system,
    conversation,
    toolResults,
    replyReserve,
    free: Math.max(0, window - replyReserve - fixed - conversation - toolResults),
    newest,
  };
}
