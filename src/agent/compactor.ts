import type { BaseMessage } from "@langchain/core/messages";
import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import type { ContextBudget } from "../context/context-budget.js";
import { SUMMARY_ROOM } from "../context/context-budget.js";
import { messageGroups, newestGroups } from "../context/message-groups.js";
import { cutTo } from "../context/result-room.js";
import { messageOf } from "../errors.js";
import type { OllamaChatModel } from "../model/chat-model.js";
import { statsOf } from "../model/reply-stats.js";
import type { WireTool } from "../tools/wire-schema.js";
import { compactedIntroduction, earlierSummary, SUMMARY_REQUEST } from "./compaction-text.js";
import type { TaskFacts } from "./task-facts.js";

/** Share of the room for messages that a compacted conversation takes, so that it is not compacted again soon. */
const TARGET_SHARE = 0.5;
/** Of that, what the newest messages may take as they are; the rest is for what is said of the old ones. */
const KEPT_SHARE = 0.5;
/** Share of the room up to which the newest group stays whole: its results have not been read yet. */
const NEWEST_SHARE = 0.75;
/** Tokens below which an introduction says nothing. */
const LEAST_TOKENS = 250;
/** Tokens of the mark in a text that was cut. */
const MARK_ROOM = 60;
/** Most requests for summaries in one compaction. What is older still is left to the facts. */
const MOST_SLICES = 4;

const RESULT_LEFT_OUT = "[Left out to save room. Call the tool again if you need this.]";

interface Compaction {
  messages: readonly BaseMessage[];
  /** Why there is no summary; undefined if there is one, or nothing to sum up. */
  noSummary: string | undefined;
}

export interface Compactor {
  /**
   * A shorter conversation that says what counts: the user's words, the facts, a summary, the newest messages. Cut only
   * between whole groups, never larger than before. Throws only the signal's reason.
   */
  compact(messages: readonly BaseMessage[], facts: TaskFacts, signal: AbortSignal): Promise<Compaction>;
}

export interface CompactorOptions {
  /** Thinking off, a short reply; all that decides about loading is the same as for every other request. */
  summariser: OllamaChatModel;
  systemPrompt: string;
  tools: readonly WireTool[];
  budget: ContextBudget;
}

type Group = readonly BaseMessage[];

export function createCompactor({ summariser, systemPrompt, tools, budget }: CompactorOptions): Compactor {
  // The same tools as in every request: the server has read them, and reads nothing anew.
  const model = summariser.bindTools([...tools]);
  const system = new SystemMessage(systemPrompt);
  const { tokensOf } = budget;
  const textTokens = (text: string) => tokensOf([new HumanMessage(text)]);

  async function ask(messages: Group, signal: AbortSignal): Promise<{ text: string; failure?: string }> {
    try {
      const reply = await model.invoke([system, ...withRequest(messages)], { signal });
      // A call is not run, and words beside it are no summary.
      if ((reply.tool_calls ?? []).length > 0) return { text: "", failure: "it called a tool instead" };
      const text = reply.text.slice(0, statsOf(reply)?.keptChars).trim();
      return text === "" ? { text, failure: "its reply was empty" } : { text };
    } catch (error) {
      if (signal.aborted) throw error;
      return { text: "", failure: messageOf(error) };
    }
  }

  /** What the old groups said, in as few requests as fit; what an earlier summary said is not lost in any case. */
  async function summarise(
    old: readonly Group[],
    signal: AbortSignal,
  ): Promise<[string, string | undefined]> {
    const room = budget.window - SUMMARY_ROOM - budget.fixedTokens();
    const slices: BaseMessage[][] = [[]];
    for (const group of old) {
      const fitted = shortenText(
        shortenResults(group, room, () => RESULT_LEFT_OUT),
        room,
      );
      const slice = slices.at(-1) ?? [];
      if (tokensOf(fitted) > room) slices.push([]);
      else if (tokensOf([...slice, ...fitted]) <= room) slice.push(...fitted);
      else slices.push([...fitted]);
    }
    const earlier = earlierSummary(old[0] ?? []);
    const asked = slices.filter((slice) => slice.length > 0).slice(-MOST_SLICES);
    const texts: string[] = [];
    let failure: string | undefined;
    for (const [index, slice] of asked.entries()) {
      const reply = await ask(slice, signal);
      failure ??= reply.failure;
      // Only the slice that begins the conversation tells what the earlier summary told.
      if (index === 0 && (slice[0] !== old[0]?.[0] || reply.text === "")) texts.push(earlier);
      texts.push(reply.text);
    }
    const summary = texts.filter((text) => text !== "").join("\n\n");
    return [asked.length === 0 ? earlier : summary, failure];
  }

  /** Replaces the results of a group, the largest first, until it takes no more than so many tokens. */
  function shortenResults(
    group: Group,
    tokens: number,
    replacement: (text: string, tokens: number) => string,
  ): Group {
    const fitted = [...group];
    const results = group
      .map((message, index) => ({ message, index }))
      .filter(({ message }) => ToolMessage.isInstance(message))
      .sort((a, b) => tokensOf([b.message]) - tokensOf([a.message]));
    for (const { message, index } of results) {
      const excess = tokensOf(fitted) - tokens;
      if (excess <= 0 || !ToolMessage.isInstance(message)) break;
      const { id, tool_call_id, name, status } = message;
      fitted[index] = new ToolMessage({
        tool_call_id,
        ...(id !== undefined && { id }),
        ...(name !== undefined && { name }),
        ...(status !== undefined && { status }),
        content: replacement(message.text, tokensOf([message]) - excess),
      });
    }
    return fitted;
  }

  /** The newest group, which the model has not answered yet, as whole as it can be; undefined if it cannot be kept. */
  function fitNewest(group: Group, tokens: number, most: number): Group | undefined {
    const fitted = shortenResults(group, tokens, (text, left) =>
      left > 0 ? cutTo(text, left, textTokens) : RESULT_LEFT_OUT,
    );
    const [first] = fitted;
    if (tokensOf(fitted) <= most || HumanMessage.isInstance(first)) return fitted;
    const short = shortenText(fitted, Math.max(LEAST_TOKENS, tokens));
    return short === fitted ? undefined : short;
  }

  /** Cuts a message that stands for itself; one with calls stays as it is. */
  function shortenText(group: Group, tokens: number): Group {
    const [first] = group;
    if (first === undefined || tokensOf(group) <= tokens) return group;
    if (AIMessage.isInstance(first) && (first.tool_calls ?? []).length > 0) return group;
    const text = cutTo(first.text, Math.max(1, tokens - MARK_ROOM), textTokens);
    return [HumanMessage.isInstance(first) ? new HumanMessage(text) : new AIMessage(text)];
  }

  return {
    async compact(messages, facts, signal) {
      const groups = messageGroups(messages);
      const room = budget.compactAt - budget.fixedTokens();
      const target = Math.min(room, tokensOf(messages)) * TARGET_SHARE;
      const kept = newestGroups(groups, target * KEPT_SHARE, tokensOf);
      const old = groups.slice(0, groups.length - kept.length);
      if (old.length === 0) return { messages, noSummary: undefined };

      const [summary, noSummary] = await summarise(old, signal);
      const keptPrompts = kept.filter(([first]) => HumanMessage.isInstance(first)).length;
      const prompts = facts.prompts.slice(0, facts.prompts.length - keptPrompts);
      const introductionRoom = Math.max(LEAST_TOKENS, target * (1 - KEPT_SHARE));
      const introduction = new HumanMessage(
        compactedIntroduction({ ...facts, prompts }, summary, (text) => textTokens(text) <= introductionRoom),
      );
      const left = budget.promptLimit - budget.fixedTokens() - tokensOf([introduction]);
      const [newest = [], ...others] = kept;
      const fitted =
        others.length > 0 ? newest : fitNewest(newest, room * NEWEST_SHARE - tokensOf([introduction]), left);
      const shorter = withIntroduction(introduction, [...(fitted ?? []), ...others.flat()]);
      return { messages: tokensOf(shorter) < tokensOf(messages) ? shorter : messages, noSummary };
    },
  };
}

/** Two user messages in a row are one: some chat templates refuse anything else. */
function withIntroduction(introduction: HumanMessage, kept: Group): BaseMessage[] {
  const [first, ...rest] = kept;
  if (!HumanMessage.isInstance(first)) return [introduction, ...kept];
  return [new HumanMessage(`${introduction.text}\n\n${first.text}`), ...rest];
}

/** The messages with the request for a summary behind them, as any chat template takes them. */
function withRequest(messages: Group): BaseMessage[] {
  const opening = HumanMessage.isInstance(messages[0])
    ? []
    : [new HumanMessage("[A later part of the conversation.]")];
  const last = messages.at(-1);
  if (HumanMessage.isInstance(last)) {
    return [...opening, ...messages.slice(0, -1), new HumanMessage(`${last.text}\n\n${SUMMARY_REQUEST}`)];
  }
  const pause = ToolMessage.isInstance(last) ? [new AIMessage("[The work is interrupted here.]")] : [];
  return [...opening, ...messages, ...pause, new HumanMessage(SUMMARY_REQUEST)];
}
