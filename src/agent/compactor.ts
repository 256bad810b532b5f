import type { BaseMessage } from "@langchain/core/messages";
import { HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import type { ContextBudget } from "../context/context-budget.js";
import { SUMMARY_ROOM } from "../context/context-budget.js";
import { messageGroups, newestGroups } from "../context/message-groups.js";
import type { OllamaChatModel } from "../model/chat-model.js";
import type { WireTool } from "../tools/wire-schema.js";
import { compactedIntroduction, SUMMARY_REQUEST } from "./compaction-text.js";
import type { TaskFacts } from "./task-facts.js";

/** Share of the room for prompts that a compacted conversation takes at most, so that it is not compacted again soon. */
const TARGET_SHARE = 0.5;
/** Of that, what the newest messages may take as they are. */
const KEPT_SHARE = 0.5;

const RESULT_LEFT_OUT = "[Left out to save room. Call the tool again if you need this.]";

export interface Compactor {
  /**
   * A shorter conversation that says what counts: the user's words, the facts, a summary, the newest messages. Cut only
   * between whole groups, never larger than before. Throws only the signal's reason.
   */
  compact(messages: readonly BaseMessage[], facts: TaskFacts, signal: AbortSignal): Promise<BaseMessage[]>;
}

export interface CompactorOptions {
  /** Thinking off, a short reply; all that decides about loading is the same as for every other request. */
  summariser: OllamaChatModel;
  systemPrompt: string;
  tools: readonly WireTool[];
  budget: ContextBudget;
}

export function createCompactor({ summariser, systemPrompt, tools, budget }: CompactorOptions): Compactor {
  // The same tools as in every request: the server has read them, and reads nothing anew.
  const model = summariser.bindTools([...tools]);
  const system = new SystemMessage(systemPrompt);
  const request = new HumanMessage(SUMMARY_REQUEST);

  /** Empty if the model did not write one; a call in its reply is not run. */
  async function ask(messages: readonly BaseMessage[], signal: AbortSignal): Promise<string> {
    try {
      const reply = await model.invoke([system, ...messages, request], { signal });
      return reply.text.trim();
    } catch (error) {
      if (signal.aborted) throw error;
      // Without a summary the facts still tell what counts.
      return "";
    }
  }

  /** The old groups in as few requests as fit. */
  async function summarise(groups: readonly BaseMessage[][], signal: AbortSignal): Promise<string> {
    const room = budget.window - SUMMARY_ROOM - budget.fixedTokens();
    const parts: BaseMessage[][] = [];
    for (const group of groups) {
      const fitted = shortenResults(group, room);
      const part = parts.at(-1);
      if (part && budget.tokensOf([...part, ...fitted]) <= room) part.push(...fitted);
      else parts.push([...fitted]);
    }
    const summaries: string[] = [];
    for (const [index, part] of parts.entries()) {
      const opening = index === 0 ? [] : [new HumanMessage("[A later part of the conversation.]")];
      summaries.push(await ask([...opening, ...part], signal));
    }
    return summaries.filter((text) => text !== "").join("\n\n");
  }

  /** Replaces the results of a group, the largest first, until it fits. */
  function shortenResults(group: readonly BaseMessage[], tokens: number): BaseMessage[] {
    const fitted = [...group];
    const results = group
      .map((message, index) => ({ message, index }))
      .filter(({ message }) => ToolMessage.isInstance(message))
      .sort((a, b) => b.message.text.length - a.message.text.length);
    for (const { message, index } of results) {
      if (budget.tokensOf(fitted) <= tokens || !ToolMessage.isInstance(message)) break;
      const { tool_call_id, name, status } = message;
      fitted[index] = new ToolMessage({
        tool_call_id,
        ...(name !== undefined && { name }),
        ...(status !== undefined && { status }),
        content: RESULT_LEFT_OUT,
      });
    }
    return fitted;
  }

  return {
    async compact(messages, facts, signal) {
      const groups = messageGroups(messages);
      const target = Math.floor(budget.promptLimit * TARGET_SHARE) - budget.fixedTokens();
      let kept = newestGroups(groups, target * KEPT_SHARE, budget.tokensOf);
      const old = groups.slice(0, groups.length - kept.length);
      const summary = old.length === 0 ? "" : await summarise(old, signal);
      const introduction = compactedIntroduction(facts, summary);

      const joined = () => withIntroduction(introduction, kept.flat());
      while (kept.length > 1 && budget.tokensOf(joined()) > target) kept = kept.slice(1);
      if (budget.tokensOf(joined()) > target) {
        kept = kept.map((group) => shortenResults(group, Math.max(0, target * KEPT_SHARE)));
      }
      return joined();
    },
  };
}

/** Two user messages in a row are one: some chat templates refuse anything else. */
function withIntroduction(introduction: string, kept: readonly BaseMessage[]): BaseMessage[] {
  const [first, ...rest] = kept;
  if (first && HumanMessage.isInstance(first)) {
    return [new HumanMessage(`${introduction}\n\n${first.text}`), ...rest];
  }
  return [new HumanMessage(introduction), ...kept];
}
