import { randomUUID } from "node:crypto";
import type { BaseMessage } from "@langchain/core/messages";
import { HumanMessage, ToolMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import type { OllamaChatModel } from "../model/chat-model.js";
import type { SessionLog } from "../sessions/session-store.js";
import type { Tool } from "../tools/tool.js";
import { toWireTool } from "../tools/wire-schema.js";
import type { AgentEvent, TurnEnd } from "./agent-events.js";
import { conversationFrom } from "./conversation.js";
import { createReactGraph } from "./react-graph.js";
import type { ToolGate, ToolOutcome } from "./tool-gate.js";
import { emptyReplyError, turnError } from "./turn-error.js";
import type { Turn, TurnLimits } from "./turn.js";
import { startTurn } from "./turn.js";

export interface AgentOptions {
  model: OllamaChatModel;
  systemPrompt: string;
  tools: readonly Tool[];
  gate: ToolGate;
  log: SessionLog;
  limits: TurnLimits;
  /** Conversation to go on from, e.g. of a resumed session. */
  history: BaseMessage[];
}

export interface PromptOptions {
  signal: AbortSignal;
  onEvent: (event: AgentEvent) => void;
}

export interface Agent {
  /** One user message in, events out; always ends with `turn-end`, which is also returned. One at a time. */
  prompt(text: string, options: PromptOptions): Promise<TurnEnd>;
  /** The conversation so far. */
  history(): Promise<BaseMessage[]>;
}

/** Requests beyond the limit that a turn may need to end in words. */
const CLOSING_REQUESTS = 2;

export function createAgent(options: AgentOptions): Agent {
  const { limits, log } = options;
  let thread = randomUUID();
  /** Goes in with the next prompt: LangGraph's thread begins or begins anew. */
  let unsent = options.history;
  let turn: Turn | undefined;
  let running: Promise<ToolOutcome>[] = [];

  const graph = createReactGraph({
    model: options.model,
    systemPrompt: options.systemPrompt,
    tools: options.tools.map(toWireTool),
    offersTools: () => turn?.phase !== "words-only",
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

  /** After a turn that did not end by itself the thread may lack answers: what the records say seeds a new one. */
  async function reseed(messageId: string, records: Turn["records"]): Promise<void> {
    const messages = await graph.messages(thread);
    const turnStart = messages.findIndex((message) => message.id === messageId);
    const before = turnStart === -1 ? [...messages, ...unsent] : messages.slice(0, turnStart);
    await graph.forget(thread);
    thread = randomUUID();
    unsent = [...before, ...conversationFrom(records)];
  }

  async function run(current: Turn, message: HumanMessage): Promise<void> {
    const events = graph.run([...unsent, message], {
      thread,
      signal: current.signal,
      maxRequests: limits.maxSteps + CLOSING_REQUESTS,
    });
    for await (const event of events) {
      switch (event.type) {
        case "start":
          current.onModelStart();
          break;
        case "delta":
          current.onDelta(event.chunk);
          break;
        case "end":
          current.onReply(event.reply);
          break;
      }
    }
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
        unsent = [];
        end = endOf(current);
        intact = current.emptyReply === undefined;
      } catch (error) {
        await Promise.allSettled(running);
        end = brokenEndOf(current, error);
      }
      if (!intact) await reseed(message.id ?? "", current.records);
      turn = undefined;
      // A promise holds the whole run that it was made in.
      running = [];
      onEvent(end);
      return end;
    },

    async history() {
      return [...(await graph.messages(thread)), ...unsent];
    },
  };
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
