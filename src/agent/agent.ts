import { randomUUID } from "node:crypto";
import type { AIMessageChunk, BaseMessage } from "@langchain/core/messages";
import { HumanMessage, ToolMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import type { ContextBudget } from "../context/context-budget.js";
import type { ResultRoom } from "../context/result-room.js";
import type { OllamaChatModel } from "../model/chat-model.js";
import { ModelError } from "../model/model-error.js";
import type { ReplyStats } from "../model/reply-stats.js";
import { statsOf } from "../model/reply-stats.js";
import type { SessionRecord } from "../sessions/records.js";
import type { SessionLog } from "../sessions/session-store.js";
import type { WireTool } from "../tools/wire-schema.js";
import type { AgentEvent, TurnEnd } from "./agent-events.js";
import type { Compactor } from "./compactor.js";
import { CompactionNeeded, createContextGuard, overflowNumbers } from "./context-guard.js";
import { conversationFrom, keptMessages } from "./conversation.js";
import { createReactGraph } from "./react-graph.js";
import { createRetries } from "./retries.js";
import type { TaskFacts } from "./task-facts.js";
import { addFacts, noFacts } from "./task-facts.js";
import type { ToolGate, ToolOutcome } from "./tool-gate.js";
import { emptyReplyError, turnError } from "./turn-error.js";
import type { Turn, TurnLimits } from "./turn.js";
import { startTurn } from "./turn.js";

export interface AgentOptions {
  model: OllamaChatModel;
  systemPrompt: string;
  tools: readonly WireTool[];
  gate: ToolGate;
  log: SessionLog;
  limits: TurnLimits;
  budget: ContextBudget;
  room: ResultRoom;
  compactor: Compactor;
  autoCompact: boolean;
  /** Records to go on from, of a resumed session. */
  records: readonly SessionRecord[];
}

export interface PromptOptions {
  signal: AbortSignal;
  onEvent: (event: AgentEvent) => void;
}

export interface Agent {
  /** One user message in, events out; always ends with `turn-end`, which is also returned. One at a time. */
  prompt(text: string, options: PromptOptions): Promise<TurnEnd>;
  /** Shortens the conversation between two turns. Returns the tokens before and after. */
  compact(signal: AbortSignal): Promise<{ tokensBefore: number; tokensAfter: number }>;
  /** The conversation as another agent can go on from. */
  handOver(): Promise<SessionRecord[]>;
}

/** Requests beyond the limit that a turn may need to end in words. */
const CLOSING_REQUESTS = 2;

/** Share of the window that the server has named to which an overflow is answered. */
const AFTER_OVERFLOW = 0.6;

export function createAgent(options: AgentOptions): Agent {
  const { limits, log, budget, room } = options;
  let thread = randomUUID();
  /** Goes in with the next prompt: LangGraph's thread begins or begins anew. */
  let unsent = conversationFrom(options.records);
  let turn: Turn | undefined;
  let running: Promise<ToolOutcome>[] = [];
  const facts = noFacts();
  addFacts(facts, options.records);
  const guard = createContextGuard(budget, options.autoCompact);

  const graph = createReactGraph({
    model: options.model,
    systemPrompt: options.systemPrompt,
    tools: options.tools,
    beforeRequest(messages) {
      guard.check(messages);
      return { offersTools: turn?.phase !== "words-only" };
    },
    runTool: async (call: ToolCall) => {
      if (!turn) throw new Error("a tool call outside a turn");
      const outcome = options.gate.run(call, turn);
      running.push(outcome);
      const { status, output } = await outcome;
      return new ToolMessage({
        tool_call_id: call.id ?? "",
        name: call.name,
        content: output,
        status: status === "ok" ? "success" : "error",
      });
    },
  });

  /** The thread holds nothing any more; `messages` go in with the next input. */
  async function beginThread(messages: BaseMessage[]): Promise<void> {
    await graph.forget(thread);
    thread = randomUUID();
    unsent = messages;
  }

  /** After a turn that did not end by itself the thread may lack answers: what the records say seeds a new one. */
  async function reseed(messageId: string, records: Turn["records"]): Promise<void> {
    const messages = await graph.messages(thread);
    const turnStart = messages.findIndex((message) => message.id === messageId);
    const compacted = records.some((record) => record.type === "compaction");
    const before = turnStart === -1 ? [...messages, ...unsent] : messages.slice(0, turnStart);
    await beginThread([...(compacted ? [] : before), ...conversationFrom(records)]);
  }

  /** Puts a shorter conversation in the place of the thread's. */
  async function shorten(
    signal: AbortSignal,
    current: TaskFacts,
    record: (entry: SessionRecord) => void,
  ): Promise<{ tokensBefore: number; tokensAfter: number }> {
    const messages = [...(await graph.messages(thread)), ...unsent];
    const compacted = await options.compactor.compact(messages, current, signal);
    const tokensBefore = budget.promptTokens(messages);
    const tokensAfter = budget.promptTokens(compacted);
    record({
      type: "compaction",
      at: new Date().toISOString(),
      tokensBefore,
      tokensAfter,
      messages: keptMessages(compacted),
    });
    await beginThread(compacted);
    guard.compacted();
    return { tokensBefore, tokensAfter };
  }

  async function compactInTurn(current: Turn): Promise<void> {
    const now = structuredClone(facts);
    addFacts(now, current.records);
    const tokens = await shorten(current.signal, now, (entry) => current.record(entry));
    current.emit({ type: "context-compacted", ...tokens });
  }

  async function run(current: Turn, message: HumanMessage): Promise<void> {
    const retries = createRetries();
    let overflowed = false;
    let input: BaseMessage[] | undefined = [...unsent, message];
    for (;;) {
      try {
        for await (const event of graph.run(input, {
          thread,
          signal: current.signal,
          maxRequests: limits.maxSteps + CLOSING_REQUESTS,
        })) {
          // From here on the thread holds what went in.
          unsent = [];
          switch (event.type) {
            case "start":
              current.onModelStart();
              break;
            case "delta":
              current.onDelta(event.chunk);
              break;
            case "end":
              onReply(current, event.reply);
              break;
          }
        }
        return;
      } catch (error) {
        if (current.signal.aborted) throw error;
        unsent = [];
        if (error instanceof CompactionNeeded) {
          await compactInTurn(current);
        } else if (isOverflow(error) && options.autoCompact && !overflowed) {
          overflowed = true;
          const numbers = overflowNumbers(error.message);
          if (numbers) budget.shrink(Math.floor(numbers.window * AFTER_OVERFLOW));
          await compactInTurn(current);
        } else if (!(await retries.again(error, (text) => tellRetry(current, text), current.signal))) {
          throw error;
        }
        input = unsent.length > 0 ? unsent : undefined;
      }
    }
  }

  function onReply(current: Turn, reply: AIMessageChunk): void {
    const stats = statsOf(reply);
    if (stats) {
      room.start(stats.promptTokens + stats.outputTokens);
      if (!guard.learn(stats)) tellCut(current, stats);
    }
    current.onReply(reply);
  }

  function tellCut(current: Turn, { promptTokens }: ReplyStats): void {
    current.emit({
      type: "notice",
      level: "warning",
      code: "context-cut",
      text: `the server read only ${promptTokens} tokens of the conversation: a part of it was cut, so this reply may miss something`,
    });
  }

  return {
    async prompt(text, { signal, onEvent }) {
      const message = new HumanMessage({ id: randomUUID(), content: text });
      const current = startTurn({ signal, limits, log, onEvent });
      turn = current;
      onEvent({ type: "turn-start", prompt: text });
      current.record({ type: "user", at: new Date().toISOString(), text });

      let end: TurnEnd;
      let intact = false;
      try {
        await run(current, message);
        end = endOf(current);
        intact = current.emptyReply === undefined;
      } catch (error) {
        await Promise.allSettled(running);
        end = brokenEndOf(current, error);
      }
      if (!intact) await reseed(message.id ?? "", current.records);
      addFacts(facts, current.records);
      turn = undefined;
      // A promise holds the whole run that it was made in.
      running = [];
      onEvent(end);
      return end;
    },

    compact: (signal) => shorten(signal, facts, (entry) => log.append(entry)),

    async handOver() {
      const messages = [...(await graph.messages(thread)), ...unsent];
      const tokens = budget.promptTokens(messages);
      const at = new Date().toISOString();
      return [
        {
          type: "compaction",
          at,
          tokensBefore: tokens,
          tokensAfter: tokens,
          messages: keptMessages(messages),
        },
      ];
    },
  };
}

function tellRetry(turn: Turn, text: string): void {
  turn.emit({ type: "notice", level: "info", code: "retry", text });
}

function isOverflow(error: unknown): error is ModelError {
  return error instanceof ModelError && error.kind === "context-overflow";
}

function endOf(turn: Turn): TurnEnd {
  if (turn.limit !== undefined) return turn.end("limit");
  if (turn.emptyReply) return turn.end("failed", emptyReplyError(turn.emptyReply));
  return turn.end("done");
}

/** The end of a turn whose run threw. */
function brokenEndOf(turn: Turn, error: unknown): TurnEnd {
  if (turn.limit !== undefined && error instanceof Error && error.name === "GraphRecursionError") {
    // Asked for words twice, once without tools, it still calls.
    return turn.end("limit");
  }
  if (turn.signal.aborted) {
    turn.onCut("cut off: cancelled by the user");
    return turn.end("cancelled");
  }
  turn.onCut("cut off: the request failed");
  return turn.end("failed", turnError(error));
}
