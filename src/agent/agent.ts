import { randomUUID } from "node:crypto";
import type { AIMessageChunk, BaseMessage } from "@langchain/core/messages";
import { HumanMessage, SystemMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import type { ContextBudget } from "../context/context-budget.js";
import type { ResultRoom } from "../context/result-room.js";
import type { RequestForm } from "../model/call-protocol.js";
import type { OllamaChatModel } from "../model/chat-model.js";
import { ModelError } from "../model/model-error.js";
import { createReadSpeed } from "../model/read-speed.js";
import { statsOf } from "../model/reply-stats.js";
import type { SessionRecord } from "../sessions/records.js";
import type { SessionLog } from "../sessions/session-log.js";
import type { BackgroundCommands } from "../tools/background-runs.js";
import type { WireTool } from "../tools/wire-schema.js";
import type { Undo } from "../undo/undo.js";
import type { AgentEvent, TurnEnd } from "./agent-events.js";
import type { Compactor } from "./compactor.js";
import { CompactionNeeded, createContextGuard } from "./context-guard.js";
import type { ContextUse, NewestReply } from "./context-use.js";
import { contextUse, newestReply } from "./context-use.js";
import { conversationFrom, keptMessages, newImageTypes, promptText, toToolMessage } from "./conversation.js";
import { createLiveConversation } from "./live-conversation.js";
import type { ReplyManner } from "./mender.js";
import { createMender } from "./mender.js";
import type { PromptNote } from "./prompt-note.js";
import { joinNotes } from "./prompt-note.js";
import { adaptForm, leaveOutImages, protocolRecords } from "./protocol-change.js";
import { createReactGraph } from "./react-graph.js";
import { createRetries } from "./retries.js";
import { recordedTurn } from "./recorded-turn.js";
import type { ReplyFault } from "./reply-faults.js";
import type { Steering } from "./steering.js";
import { mayBeSteered, steer, SteeringWaits } from "./steering.js";
import type { TaskFacts } from "./task-facts.js";
import { addFacts, noFacts } from "./task-facts.js";
import type { ToolGate, ToolOutcome } from "./tool-gate.js";
import { standingText } from "./turn-error.js";
import type { TurnLimits } from "./turn-limits.js";
import { brokenEndOf, endOf } from "./turn-outcome.js";
import type { Turn, WordSurroundings } from "./turn.js";
import { startTurn } from "./turn.js";

export interface AgentOptions {
  /** The model with variations for replies that were no use. */
  modelFor: (how: ReplyManner) => OllamaChatModel;
  /** Whether there is thinking that can be switched off. */
  mayBeQuiet: boolean;
  form: RequestForm;
  /** The same with a reply of one token, for reading the prompt ahead of time. */
  warmUpModel: OllamaChatModel;
  /** Whether the model is in the server's memory. */
  isLoaded: () => Promise<boolean>;
  systemPrompt: string;
  tools: readonly WireTool[];
  gate: ToolGate;
  words: WordSurroundings;
  /** Whether the model is asked to think over what fails twice for the same reason. */
  reflects: boolean;
  log: SessionLog;
  limits: TurnLimits;
  budget: ContextBudget;
  room: ResultRoom;
  compactor: Compactor;
  autoCompact: boolean;
  background: BackgroundCommands;
  /** Records to go on from, of a resumed session. */
  records: readonly SessionRecord[];
  /** Where another agent has handed over: what its conversation was about. */
  facts?: TaskFacts;
  /** Undefined where undo is off. */
  undo?: Undo | undefined;
}

export interface PromptOptions {
  signal: AbortSignal;
  onEvent: (event: AgentEvent) => void;
  /** What the user has said meanwhile. Asked after the tool calls of a step; what is taken goes into the next request. */
  steering?: Steering;
  /** What the model is told besides the text. */
  note?: PromptNote | undefined;
}

/** Sizes of the conversation, system text and tools included. */
export interface Compacted {
  tokensBefore: number;
  tokensAfter: number;
  /** Why the old part was not summed up; undefined if it was. */
  noSummary?: string | undefined;
}

interface HandOver {
  records: SessionRecord[];
  facts: TaskFacts;
}

export interface Agent {
  /** One user message in, events out; always ends with `turn-end`, which is also returned. One at a time. */
  prompt(text: string, options: PromptOptions): Promise<TurnEnd>;
  /** Shortens the conversation between two turns. */
  compact(signal: AbortSignal): Promise<Compacted>;
  /** Lets the server load the model and read what every request begins with. */
  warmUp(signal: AbortSignal): Promise<void>;
  contextUse(): Promise<ContextUse>;
  /** The conversation as another agent can go on from. */
  handOver(): Promise<HandOver>;
}

/** Requests beyond the limit that a turn may need to end in words. */
const CLOSING_REQUESTS = 2;
/** Milliseconds; a longer load after the first reply means that something made the server load the model anew. */
const RELOAD_MS = 1_000;

export function createAgent(options: AgentOptions): Agent {
  const { limits, log, budget, room, systemPrompt, tools, gate, mayBeQuiet } = options;
  const facts = options.facts ?? noFacts();
  addFacts(facts, options.records);
  const guard = createContextGuard(budget, options.autoCompact);
  const readSpeed = createReadSpeed();
  let newest: NewestReply | undefined;
  let turn: Turn | undefined;
  let running: Promise<ToolOutcome>[] = [];
  /** Since the newest reply. */
  let retries = createRetries();
  let overflowed = false;
  let steering: Steering | undefined;

  const graph = createReactGraph({
    systemPrompt,
    tools,
    beforeRequest(messages) {
      if (turn?.phase === "working" && mayBeSteered(messages, steering)) throw new SteeringWaits();
      guard.check(messages);
      const thinks = turn?.callNudges.asksForReflection === true;
      const model = options.modelFor({ ...mender.manner, thinks });
      // As text the tools cost nothing but what the server has read, and a call is still known for one.
      const offersTools = turn?.phase !== "words-only" || options.form.protocol === "text";
      return { model, offersTools };
    },
    runTool: async (call: ToolCall) => {
      if (!turn) throw new Error("a tool call outside a turn");
      const outcome = gate.run(call, turn);
      running.push(outcome);
      const { status, output: text, image } = await outcome;
      const { id = "", name } = call;
      return toToolMessage({ id, name, ok: status === "ok", text, ...(image && { image }) });
    },
  });
  const live = createLiveConversation(graph, conversationFrom(options.records));
  const mender = createMender({
    live,
    mayBeQuiet,
    form: options.form,
    explain: (...call) => gate.explain(...call),
  });

  /** Puts a shorter conversation in the place of the present one. */
  async function shorten(
    signal: AbortSignal,
    known: TaskFacts,
    record: (entry: SessionRecord) => void,
  ): Promise<Compacted> {
    const messages = await live.messages();
    const { messages: shorter, noSummary } = await options.compactor.compact(messages, known, signal);
    const sizes = {
      tokensBefore: budget.promptTokens(messages),
      tokensAfter: budget.promptTokens(shorter),
    };
    guard.compacted();
    if (shorter !== messages) {
      record(compactionRecord(shorter, sizes));
      await live.replace([...shorter]);
    }
    return { ...sizes, noSummary };
  }

  async function compactInTurn(current: Turn): Promise<void> {
    const known = structuredClone(facts);
    addFacts(known, current.records);
    tell(current, "info", "compacting", "the conversation nearly fills the context window: shortening it");
    const { noSummary, ...sizes } = await shorten(current.signal, known, (entry) => current.record(entry));
    if (noSummary !== undefined) tell(current, "warning", "no-summary", noSummaryText(noSummary));
    if (sizes.tokensAfter >= sizes.tokensBefore) return;
    current.onCompacted();
    current.emit({ type: "context-compacted", ...sizes });
  }

  /** Model and tools in turns until the model answers in words; whatever can be mended on the way is. */
  async function run(current: Turn, message: HumanMessage): Promise<void> {
    let input: BaseMessage[] | undefined = [...live.unsent(), message];
    for (;;) {
      try {
        await runGraph(current, input);
        // At a limit the turn ends with what was said.
        if (!current.fault || current.limit) return;
        if (!(await mender.mend(current, current.fault))) return;
      } catch (error) {
        if (current.signal.aborted) throw error;
        live.sent();
        const refusal = guard.refused(error);
        if (error instanceof SteeringWaits) {
          await steer(current, live, steering);
        } else if (error instanceof CompactionNeeded) {
          await compactInTurn(current);
        } else if (refusal) {
          if (overflowed || !options.autoCompact) throw refusal;
          overflowed = true;
          await compactInTurn(current);
        } else if (!(await askAgain(current, error))) {
          throw error;
        }
      }
      // Without new input the thread goes on where it stands.
      input = live.unsent().length > 0 ? live.unsent() : undefined;
    }
  }

  /** False if a request that failed like this is not worth another one. */
  async function askAgain(current: Turn, error: unknown): Promise<boolean> {
    const images = newImageTypes(await live.messages());
    if (adaptForm(current, options.form, error, images)) return true;
    const fault = faultOf(error);
    if (fault) return mender.mend(current, fault);
    if (await retries.again(error, (text) => tell(current, "info", "retry", text), current.signal))
      return true;
    // An image that nothing was answered to yet may be what the server cannot bear.
    return leaveOutImages(current, options.form, images);
  }

  async function runGraph(current: Turn, input: BaseMessage[] | undefined): Promise<void> {
    const events = graph.run(input, {
      thread: live.thread,
      signal: current.signal,
      maxRequests: limits.maxSteps + CLOSING_REQUESTS,
    });
    for await (const event of events) {
      live.sent();
      switch (event.type) {
        case "start":
          current.onModelStart(guard.request);
          break;
        case "delta":
          current.onDelta(event.chunk);
          break;
        case "end":
          onReply(current, event.reply);
          break;
      }
    }
  }

  function onReply(current: Turn, reply: AIMessageChunk): void {
    retries = createRetries();
    overflowed = false;
    const stats = statsOf(reply);
    const cachedTokens = stats ? readSpeed.cachedTokens(stats) : 0;
    if (stats) {
      room.start(guard.taken(stats));
      if (!guard.learn(stats)) tell(current, "warning", "context-cut", cutText(stats.promptTokens));
      if (newest && stats.loadMs > RELOAD_MS) tell(current, "warning", "reload", reloadText(stats.loadMs));
      newest = newestReply(stats, cachedTokens);
    }
    current.onReply(reply, cachedTokens);
    if (current.fault === undefined) mender.replied();
  }

  return {
    async prompt(text, { signal, onEvent, steering: given, ...others }) {
      const { isLoaded, words, reflects, background } = options;
      const current = startTurn({
        prompt: text,
        words,
        reflects,
        signal,
        limits,
        log,
        onEvent,
        isLoaded,
        background,
      });
      turn = current;
      steering = given;
      mender.begin();
      retries = createRetries();
      overflowed = false;
      onEvent({ type: "turn-start", prompt: text });
      const news = current.news();
      const ended = news === undefined ? undefined : { text: news, files: [] };
      const note = joinNotes(options.undo?.beginTurn(text), others.note, ended);
      const message = new HumanMessage({ id: randomUUID(), content: promptText({ text, note: note?.text }) });
      current.record({
        type: "user",
        at: new Date().toISOString(),
        text,
        ...(note && { note: note.text, files: note.files }),
      });

      let end: TurnEnd;
      let intact = false;
      try {
        await run(current, message);
        await options.undo?.endTurn(recordedTurn(current));
        end = endOf(current);
        intact = current.fault === undefined || standingText(current.fault) !== undefined;
      } catch (error) {
        await Promise.allSettled(running);
        await options.undo?.endTurn(recordedTurn(current));
        end = brokenEndOf(current, error);
      }
      if (!intact) await live.repair(message.id ?? "", current.records);
      addFacts(facts, current.records);
      turn = undefined;
      steering = undefined;
      // A promise holds the whole run that it was made in.
      running = [];
      onEvent(end);
      return end;
    },

    compact: (signal) => shorten(signal, facts, (entry) => log.append(entry)),

    async warmUp(signal) {
      const messages = [new SystemMessage(systemPrompt), new HumanMessage("Hi")];
      const reply = await options.warmUpModel.bindTools([...tools]).invoke(messages, { signal });
      const stats = statsOf(reply);
      // The first reading of the prefix is the slowest: later ones are held against it.
      if (stats) readSpeed.cachedTokens(stats);
    },

    async contextUse() {
      return contextUse(budget, await live.messages(), systemPrompt, newest);
    },

    async handOver() {
      const messages = await live.messages();
      const tokens = budget.promptTokens(messages);
      return {
        records: [
          ...options.records.filter((record) => record.type === "protocol"),
          ...protocolRecords(options.form),
          compactionRecord(messages, { tokensBefore: tokens, tokensAfter: tokens }),
        ],
        facts: structuredClone(facts),
      };
    },
  };
}

function compactionRecord(
  messages: readonly BaseMessage[],
  sizes: Pick<Compacted, "tokensBefore" | "tokensAfter">,
): SessionRecord {
  return {
    type: "compaction",
    at: new Date().toISOString(),
    ...sizes,
    messages: keptMessages(messages),
  };
}

/** What the model did wrong where the server reports it as an error; undefined for faults of other kinds. */
function faultOf(error: unknown): ReplyFault | undefined {
  if (!(error instanceof ModelError)) return undefined;
  if (error.kind === "repetition") return "repetition";
  return error.kind === "model-output" ? "server-parse" : undefined;
}

function tell(turn: Turn, level: "info" | "warning", code: string, text: string): void {
  turn.emit({ type: "notice", level, code, text });
}

function noSummaryText(why: string): string {
  return `the model wrote no summary (${why}): what you said, the files and the commands are kept without it`;
}

function cutText(promptTokens: number): string {
  return `the server read only ${promptTokens} tokens of the conversation: a part of it was cut, so this reply may miss something`;
}

function reloadText(loadMs: number): string {
  return `the server loaded the model anew (${(loadMs / 1000).toFixed(1)} s): another program may use it with other settings, or it was unloaded meanwhile`;
}
