import type { AIMessageChunk } from "@langchain/core/messages";
import type { ReplyStats } from "../model/reply-stats.js";
import { statsOf } from "../model/reply-stats.js";
import { thinkingOf } from "../model/thinking.js";
import type { SessionLog } from "../sessions/session-log.js";
import type { SessionRecord } from "../sessions/records.js";
import type { BackgroundCommands } from "../tools/background-runs.js";
import type { AgentEvent, TurnEnd } from "./agent-events.js";
import type { RequestSize } from "./context-guard.js";
import type { CallNudges } from "./call-nudges.js";
import { createCallNudges } from "./call-nudges.js";
import { createLoopGuard } from "./loop-guard.js";
import type { Nudges } from "./nudges.js";
import { createNudges } from "./nudges.js";
import type { ReplyFault } from "./reply-faults.js";
import { isBlank, markOf, replyFault } from "./reply-faults.js";
import type { GateTurn } from "./tool-gate.js";
import { startProgress } from "./progress.js";
import { startClock, TimeIsUp } from "./turn-clock.js";
import { createTurnCommands } from "./turn-commands.js";
import type { TurnLimit, TurnLimits } from "./turn-limits.js";
import { halfWay, reachedLimit } from "./turn-limits.js";
import type { WordFacts } from "./word-faults.js";
import { wordFault } from "./word-faults.js";

/** What the words of a reply are held against, besides the turn itself. */
export interface WordSurroundings extends Pick<WordFacts, "canEdit" | "fileText"> {
  /** Nothing may be changed: words are what is wanted. */
  isPlanning: () => boolean;
}

/** How far a turn is: at work; asked for closing words; asked again without tools, since it called instead. */
type Phase = "working" | "closing" | "words-only";

/** One user message and everything that follows from it. */
export interface Turn extends GateTurn {
  /** The user's message. */
  readonly prompt: string;
  readonly records: readonly SessionRecord[];
  readonly nudges: Nudges;
  readonly callNudges: Pick<CallNudges, "asksForReflection" | "hasReflected">;
  /** Tools were called. */
  readonly hasCalled: boolean;
  /** What the fault of the newest reply is about; empty if that is not known. */
  readonly quote: string;
  readonly phase: Phase;
  /** What ended it before the model had finished; undefined if nothing did. */
  readonly limit: TurnLimit | undefined;
  /** What is wrong with the newest reply; undefined if it may stand. */
  readonly fault: ReplyFault | undefined;
  /** The call that the newest reply meant to make, and why it is none; empty if there was no such call. */
  readonly unmadeCall: Pick<ReplyStats, "problem" | "detail">;
  onModelStart(request: RequestSize): void;
  onDelta(chunk: AIMessageChunk): void;
  /** @param cachedTokens of the prompt, by estimate */
  onReply(reply: AIMessageChunk, cachedTokens: number): void;
  /** The conversation was compacted. */
  onCompacted(): void;
  /** The reply that is being written will not be finished. */
  onCut(why: string): void;
  /** Fills in what the turn's events add up to. */
  end(outcome: TurnEnd["outcome"], error?: TurnEnd["error"]): TurnEnd;
}

export interface TurnOptions {
  prompt: string;
  words: WordSurroundings;
  /** Whether failures are thought over. */
  reflects: boolean;
  signal: AbortSignal;
  limits: TurnLimits;
  log: SessionLog;
  onEvent: (event: AgentEvent) => void;
  /** Whether the model is in memory. */
  isLoaded: () => Promise<boolean>;
  background: BackgroundCommands;
}

const NO_STATS: ReplyStats = {
  doneReason: "",
  promptTokens: 0,
  outputTokens: 0,
  loadMs: 0,
  promptMs: 0,
  outputMs: 0,
};

export function startTurn(options: TurnOptions): Turn {
  const { prompt, words, reflects, limits, log, onEvent, isLoaded, background } = options;
  const clock = startClock(limits.minutes, options.signal);
  const { signal } = clock;
  const records: SessionRecord[] = [];
  const usage = { promptTokens: 0, outputTokens: 0, steps: 0 };
  const changedFiles = new Set<string>();
  const commands = createTurnCommands(background);
  const denied: TurnEnd["denied"] = [];
  const toolNames = new Map<string, string>();
  let phase: Phase = "working";
  let limit: TurnLimit | undefined;
  const loops = createLoopGuard();
  const nudges = createNudges();
  let text = "";
  let said = { text: "", thinking: "" };
  let progress: ReturnType<typeof startProgress> | undefined;
  /** Tokens after which the newest reply was cut off in a call; undefined if it was not. */
  let cutAfter: number | undefined;
  let fault: ReplyFault | undefined;
  let unmadeCall: Turn["unmadeCall"] = {};
  let quote = "";
  let lastCallId: string | undefined;
  const told = new Set<string>();
  const waiting = new Map<string, () => void>();

  const stopWaiting = () => waiting.forEach((resolve) => resolve());
  signal.addEventListener("abort", stopWaiting, { once: true });

  const record = (entry: SessionRecord) => {
    records.push(entry);
    log.append(entry);
    if (entry.type === "call-finished") entry.changedFiles?.forEach((file) => changedFiles.add(file));
    if ("command" in entry && entry.command) commands.add(entry.command);
  };

  const emit = (event: AgentEvent) => {
    if (event.type === "notice") record(event);
    if (event.type === "tool-start") toolNames.set(event.id, event.tool);
    if (event.type === "permission" && event.verdict === "deny") {
      denied.push({ tool: toolNames.get(event.id) ?? "", because: event.because });
    }
    onEvent(event);
  };

  const callNudges = createCallNudges({ nudges, reflects, emit });

  const stopFor = (reason: string) => {
    limit ??= { code: "loop", reason };
  };

  const used = () => ({
    steps: usage.steps,
    toolCalls: toolNames.size,
    tokens: usage.promptTokens + usage.outputTokens,
  });

  /** A reply that is fine as such may still say that the work goes on, or is done, while nothing happened. */
  const faultOfWords = (answer: string) =>
    phase !== "working" || words.isPlanning()
      ? undefined
      : wordFault(answer, {
          ...words,
          prompt,
          hasCalled: told.size > 0,
          hasChanged: changedFiles.size > 0,
          hasRun: commands.now().some(({ exitCode, state }) => exitCode === 0 || state === "running"),
          hasDenied: denied.length > 0,
        });

  return {
    prompt,
    signal,
    whileAsking: (ask) => clock.whileAsking(ask),
    records,
    nudges,
    callNudges,
    record,
    emit,
    get hasCalled() {
      return told.size > 0;
    },
    get quote() {
      return quote;
    },
    get phase() {
      return phase;
    },
    get limit() {
      return signal.reason instanceof TimeIsUp ? signal.reason.limit : limit;
    },
    get fault() {
      return fault;
    },
    get unmadeCall() {
      return unmadeCall;
    },

    async replyTold(callId) {
      if (!told.has(callId) && !signal.aborted) {
        await new Promise<void>((resolve) => waiting.set(callId, resolve));
      }
      return told.has(callId);
    },

    refusal() {
      if (cutAfter !== undefined) {
        const { times, stop } = loops.wrong("cut off at the output limit");
        if (stop !== undefined) stopFor(stop);
        return times === 1
          ? `your reply was cut off at the output limit, after ${cutAfter} tokens, so this call may be incomplete. Write in smaller parts, at most 150 lines each.`
          : "it was cut off again. Make a much smaller change first.";
      }
      return phase === "working" || limit === undefined ? undefined : `${limit.reason}. Answer in words now.`;
    },

    storedResult: (call) => loops.before(call),

    wrongCall(way) {
      const { times, stop } = loops.wrong(way);
      if (stop !== undefined) stopFor(stop);
      return times;
    },

    noteAfter(callId, call, result) {
      const advice = loops.after(call, result);
      if (advice.stop !== undefined) stopFor(advice.stop);
      if (phase !== "working") return undefined;
      if (callId === lastCallId) {
        limit ??= reachedLimit(limits, used());
        if (limit !== undefined) {
          phase = "closing";
          return `Stop here: ${limit.reason}. Do not call a tool. Say in words what is done and what is left.`;
        }
      }
      const warning = callId === lastCallId ? halfWay(limits, usage.steps) : undefined;
      if (warning !== undefined) emit({ type: "notice", level: "info", code: "half-way", text: warning });
      return callNudges.forCall(call, result, advice);
    },

    news() {
      const ended = background.takeEnded();
      for (const { run } of ended) record({ type: "background-ended", command: run });
      return ended.length === 0 ? undefined : ended.map(({ text: news }) => news).join(" ");
    },

    onCompacted: () => {
      loops.reset();
    },

    onModelStart(request) {
      usage.steps++;
      nudges.nextReply();
      unmadeCall = {};
      said = { text: "", thinking: "" };
      onEvent({ type: "model-start", step: usage.steps, ...request });
      // Of a request that failed and is made again.
      progress?.stop();
      progress = startProgress(usage.steps, onEvent, isLoaded);
    },

    onDelta(chunk) {
      const thinking = thinkingOf(chunk);
      if (thinking !== "") {
        progress?.enter("thinking", thinking);
        said.thinking += thinking;
        onEvent({ type: "thinking-delta", text: thinking });
      }
      if (chunk.text !== "") {
        progress?.enter("writing", chunk.text);
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
      const goesOn = fault === "cut-answer";
      const { keptChars } = stats;
      // Of a text that repeats itself the first copy.
      const answer = keptChars === undefined ? message.text : message.text.slice(0, keptChars).trimEnd();
      if (!isBlank(answer)) text = goesOn ? text + answer : answer;
      fault = calls.length > 0 ? undefined : replyFault(answer, said.thinking !== "", stats);
      if (fault === undefined && calls.length === 0) {
        const found = faultOfWords(answer);
        fault = found?.fault;
        quote = found?.quote ?? "";
      }
      unmadeCall = stats;
      record({
        type: "assistant",
        text: answer,
        ...(said.thinking === "" ? {} : { thinking: said.thinking }),
        calls: calls.map(({ id, name, args }) => ({ id: id ?? "", name, args })),
        promptTokens: stats.promptTokens,
        outputTokens: stats.outputTokens,
        ...(fault !== undefined && (isBlank(answer) || fault === "repetition") && { cut: markOf(fault) }),
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

      callNudges.replied(stats);
      cutAfter = doneReason === "length" && calls.length > 0 ? outputTokens : undefined;
      if (cutAfter !== undefined) {
        const what = `a tool call was cut off at the output limit of ${cutAfter} tokens (ollama.numPredict) and not run`;
        emit({ type: "notice", level: "warning", code: "reply-truncated-call", text: what });
      }
      if (calls.length > 0) loops.nextReply();
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
      const last = records.findLast(({ type }) => type !== "notice");
      // The reply was whole; only the turn had not ended yet.
      if (last?.type === "assistant" && last.calls.length === 0) return;
      if (said.text !== "") text = said.text;
      record({ type: "assistant", text: said.text, calls: [], promptTokens: 0, outputTokens: 0, cut: why });
    },

    end(outcome, error) {
      progress?.stop();
      signal.removeEventListener("abort", stopWaiting);
      clock.stop();
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
        commands: commands.now(),
        denied,
      };
    },
  };
}
