import { setMaxListeners } from "node:events";
import type { AIMessageChunk } from "@langchain/core/messages";
import type { ReplyStats } from "../model/reply-stats.js";
import { statsOf } from "../model/reply-stats.js";
import { thinkingOf } from "../model/thinking.js";
import type { SessionLog } from "../sessions/session-log.js";
import type { SessionRecord } from "../sessions/records.js";
import type { AgentEvent, TurnEnd } from "./agent-events.js";
import { createLoopGuard } from "./loop-guard.js";
import type { ReplyFault } from "./reply-faults.js";
import { replyFault } from "./reply-faults.js";
import type { GateTurn } from "./tool-gate.js";
import { startProgress } from "./progress.js";

/** Bounds of one turn; reaching one ends it with a last request for words. */
export interface TurnLimits {
  /** Requests to the model. */
  maxSteps: number;
  toolCalls: number;
  minutes: number;
  /** Prompt and output tokens of all requests together. */
  tokens: number;
}

/** Why a turn ends before the model had finished. */
export interface TurnLimit {
  code: string;
  /** A clause, for the model and for the user. */
  reason: string;
}

/** How far a turn is: at work; asked for closing words; asked again without tools, since it called instead. */
type Phase = "working" | "closing" | "words-only";

/** One user message and everything that follows from it. */
export interface Turn extends GateTurn {
  readonly records: readonly SessionRecord[];
  readonly phase: Phase;
  /** What ended it before the model had finished; undefined if nothing did. */
  readonly limit: TurnLimit | undefined;
  /** What is wrong with the newest reply; undefined if it may stand. */
  readonly fault: ReplyFault | undefined;
  /** The correction that goes with the fault, if it is known. */
  readonly faultDetail: string | undefined;
  onModelStart(): void;
  onDelta(chunk: AIMessageChunk): void;
  /** @param cachedTokens of the prompt, by estimate */
  onReply(reply: AIMessageChunk, cachedTokens: number): void;
  /** The reply that is being written will not be finished. */
  onCut(why: string): void;
  /** Fills in what the turn's events add up to. */
  end(outcome: TurnEnd["outcome"], error?: TurnEnd["error"]): TurnEnd;
}

export interface TurnOptions {
  signal: AbortSignal;
  limits: TurnLimits;
  log: SessionLog;
  onEvent: (event: AgentEvent) => void;
  /** Whether the model is in memory. */
  isLoaded: () => Promise<boolean>;
}

const NO_STATS: ReplyStats = {
  doneReason: "",
  promptTokens: 0,
  outputTokens: 0,
  loadMs: 0,
  promptMs: 0,
  outputMs: 0,
};

export function startTurn({ signal, limits, log, onEvent, isLoaded }: TurnOptions): Turn {
  const startedAt = performance.now();
  const records: SessionRecord[] = [];
  const usage = { promptTokens: 0, outputTokens: 0, steps: 0 };
  const changedFiles = new Set<string>();
  const commands: TurnEnd["commands"] = [];
  const denied: TurnEnd["denied"] = [];
  const toolNames = new Map<string, string>();
  let phase: Phase = "working";
  let limit: TurnLimit | undefined;
  const loops = createLoopGuard();
  let text = "";
  let said = { text: "", thinking: "" };
  let progress: ReturnType<typeof startProgress> | undefined;
  let replyCut = false;
  let fault: ReplyFault | undefined;
  let faultDetail: string | undefined;
  let lastCallId: string | undefined;
  const told = new Set<string>();
  const waiting = new Map<string, () => void>();

  // Every layer of a step listens to the one signal, and a turn has many steps.
  setMaxListeners(0, signal);
  const stopWaiting = () => waiting.forEach((resolve) => resolve());
  signal.addEventListener("abort", stopWaiting, { once: true });

  const record = (entry: SessionRecord) => {
    records.push(entry);
    log.append(entry);
    if (entry.type !== "call-finished") return;
    entry.changedFiles?.forEach((file) => changedFiles.add(file));
    if (entry.command) commands.push(entry.command);
  };

  const emit = (event: AgentEvent) => {
    if (event.type === "notice") record(event);
    if (event.type === "tool-start") toolNames.set(event.id, event.tool);
    if (event.type === "permission" && event.verdict === "deny") {
      denied.push({ tool: toolNames.get(event.id) ?? "", because: event.because });
    }
    onEvent(event);
  };

  const reachedLimit = (): TurnLimit | undefined => {
    const minutes = (performance.now() - startedAt) / 60_000;
    const tokens = usage.promptTokens + usage.outputTokens;
    const reached: [boolean, string, string][] = [
      [usage.steps >= limits.maxSteps, "limit-steps", `${limits.maxSteps} steps`],
      [toolNames.size >= limits.toolCalls, "limit-tool-calls", `${limits.toolCalls} tool calls`],
      [minutes >= limits.minutes, "limit-minutes", `${limits.minutes} minutes`],
      [tokens >= limits.tokens, "limit-tokens", `${limits.tokens} tokens`],
    ];
    const [, code, what] = reached.find(([isReached]) => isReached) ?? [];
    if (code === undefined || what === undefined) return undefined;
    return { code, reason: `the limit of ${what} for this turn is reached` };
  };

  return {
    signal,
    records,
    record,
    emit,
    get phase() {
      return phase;
    },
    get limit() {
      return limit;
    },
    get fault() {
      return fault;
    },
    get faultDetail() {
      return faultDetail;
    },

    async replyTold(callId) {
      if (!told.has(callId) && !signal.aborted) {
        await new Promise<void>((resolve) => waiting.set(callId, resolve));
      }
      return told.has(callId);
    },

    refusal() {
      if (replyCut) {
        return "your reply was cut off at the output limit, so this call may be incomplete. Write in smaller parts.";
      }
      return phase === "working" || limit === undefined ? undefined : `${limit.reason}. Answer in words now.`;
    },

    noteAfter(callId) {
      if (callId !== lastCallId || phase !== "working") return undefined;
      limit ??= reachedLimit();
      if (limit === undefined) return undefined;
      phase = "closing";
      return `Stop here: ${limit.reason}. Do not call a tool. Say in words what is done and what is left.`;
    },

    loops,
    stopFor(reason) {
      limit ??= { code: "loop", reason };
    },

    onModelStart() {
      usage.steps++;
      said = { text: "", thinking: "" };
      onEvent({ type: "model-start", step: usage.steps });
      progress = startProgress(usage.steps, onEvent, isLoaded);
    },

    onDelta(chunk) {
      const thinking = thinkingOf(chunk);
      if (thinking !== "") {
        progress?.enter("thinking");
        said.thinking += thinking;
        onEvent({ type: "thinking-delta", text: thinking });
      }
      if (chunk.text !== "") {
        progress?.enter("writing");
        said.text += chunk.text;
        onEvent({ type: "text-delta", text: chunk.text });
      }
    },

    onReply(message, cachedTokens) {
      progress?.stop();
      const stats = statsOf(message) ?? NO_STATS;
      const calls = message.tool_calls ?? [];
      usage.promptTokens += stats.promptTokens;
      usage.outputTokens += stats.outputTokens;
      if (message.text !== "") text = message.text;
      fault = calls.length > 0 ? undefined : replyFault(message.text, said.thinking !== "", stats);
      faultDetail = stats.detail;
      record({
        type: "assistant",
        text: message.text,
        ...(said.thinking === "" ? {} : { thinking: said.thinking }),
        calls: calls.map(({ id, name, args }) => ({ id: id ?? "", name, args })),
        promptTokens: stats.promptTokens,
        outputTokens: stats.outputTokens,
        ...(fault !== undefined && message.text.trim() === "" && { cut: "no reply: it came back empty" }),
      });
      said = { text: "", thinking: "" };
      const { promptTokens, outputTokens, loadMs, promptMs, outputMs, doneReason, recovered } = stats;
      onEvent({
        type: "model-end",
        step: usage.steps,
        usage: { promptTokens, outputTokens },
        timings: { loadMs, promptMs, outputMs },
        cachedTokens,
        doneReason,
        ...(recovered === undefined ? {} : { recovered }),
      });

      replyCut = doneReason === "length" && calls.length > 0;
      lastCallId = calls.at(-1)?.id;
      if (phase === "closing" && calls.length > 0) phase = "words-only";
      for (const { id = "" } of calls) {
        told.add(id);
        waiting.get(id)?.();
        waiting.delete(id);
      }
    },

    onCut(why) {
      progress?.stop();
      const last = records.at(-1);
      // The reply was whole; only the turn had not ended yet.
      if (last?.type === "assistant" && last.calls.length === 0) return;
      if (said.text !== "") text = said.text;
      record({ type: "assistant", text: said.text, calls: [], promptTokens: 0, outputTokens: 0, cut: why });
    },

    end(outcome, error) {
      progress?.stop();
      signal.removeEventListener("abort", stopWaiting);
      record({
        type: "turn-end",
        at: new Date().toISOString(),
        outcome,
        ...(error && { error: { code: error.code, message: error.message } }),
        usage: { ...usage },
        changedFiles: [...changedFiles],
      });
      return {
        type: "turn-end",
        outcome,
        text,
        ...(error && { error }),
        usage,
        changedFiles: [...changedFiles],
        commands,
        denied,
      };
    },
  };
}
