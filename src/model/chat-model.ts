import { randomUUID } from "node:crypto";
import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import type { BaseMessage } from "@langchain/core/messages";
import { AIMessage, AIMessageChunk } from "@langchain/core/messages";
import { ChatGenerationChunk } from "@langchain/core/outputs";
import type { ChatResult } from "@langchain/core/outputs";
import { concat } from "@langchain/core/utils/stream";
import type { ChatOllamaCallOptions } from "@langchain/ollama";
import { ChatOllama } from "@langchain/ollama";
import type { RequestForm } from "./call-protocol.js";
import { callInError } from "./call-recovery/call-in-error.js";
import type { DeclaredTool } from "./call-recovery/declared-tools.js";
import { declaredTools } from "./call-recovery/declared-tools.js";
import type { RecoveredCall } from "./call-recovery/gates.js";
import { ModelError } from "./model-error.js";
import type { OllamaClient } from "./ollama-client.js";
import type { Delta } from "./reply-deltas.js";
import { createReplyDeltas } from "./reply-deltas.js";
import type { ReplyStats } from "./reply-stats.js";
import { replyStats, unfinishedStats } from "./reply-stats.js";
import { createRunawayWatch } from "./runaway.js";
import { toTextMessages } from "./text-protocol/text-messages.js";
import { thinkingFields } from "./thinking.js";
import { toWireMessages } from "./wire-messages.js";

export type Think = boolean | "low" | "medium" | "high";

/** Fixed for a session: a server that sees another `num_ctx` or `shift` loads the model anew. */
export interface ChatModelSettings {
  model: string;
  /** Shared by all requests of the session. */
  form: RequestForm;
  /** Tokens of prompt and reply together. */
  numCtx: number;
  /** Most tokens of one reply. */
  numPredict: number;
  /** Go duration or seconds, as Ollama takes it. */
  keepAlive: string;
  think: Think;
  /** Undefined leaves the model's own value. */
  temperature: number | undefined;
  /** Most tokens of thinking before the first word of an answer; undefined: no limit but that of the reply. */
  mostThinking?: number | undefined;
  /** Tools that change nothing: where a server loses the name of a call, its arguments may tell it. */
  readingTools?: readonly string[];
}

/**
 * ChatOllama with its own request and its own reader. Upstream leaves the request open when it is aborted while the
 * server is silent, prints to stdout on odd replies, drops call ids, tool names and thinking, and cannot say
 * `truncate` or `shift`; without both, a server cuts an overlong conversation without a word.
 */
export class OllamaChatModel extends ChatOllama {
  readonly #ollama: OllamaClient;
  readonly #settings: ChatModelSettings;

  constructor(ollama: OllamaClient, settings: ChatModelSettings) {
    super({ model: settings.model, baseUrl: ollama.baseUrl });
    this.#ollama = ollama;
    this.#settings = settings;
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const callIds = callIdIssuer(messages);
    const tools = declaredTools(options.tools ?? []);
    const deltas = createReplyDeltas(tools, this.#settings.form.protocol);
    const runaway = createRunawayWatch(this.#settings.mostThinking);
    let stats: ReplyStats | undefined;
    let objects = 0;
    let hasCalls = false;
    const told = async (delta: Delta): Promise<ChatGenerationChunk> => {
      const chunk = toGenerationChunk(delta, callIds);
      await runManager?.handleLLMNewToken(chunk.text, undefined, undefined, undefined, undefined, { chunk });
      return chunk;
    };
    try {
      for await (const group of this.#ollama.chat(this.#body(messages, options), options.signal)) {
        objects += group.length;
        const pieces = deltas.take(group);
        for (const delta of pieces) yield await told(delta);
        hasCalls ||= pieces.some(({ kind }) => kind === "calls");
        const last = group.find(({ done }) => done === true);
        if (last !== undefined) {
          for (const delta of deltas.end()) yield await told(delta);
          stats = replyStats(last, deltas.recovery);
          continue;
        }
        if (deltas.isPastCalls) {
          for (const delta of deltas.end()) yield await told(delta);
          const { form = "" } = deltas.recovery;
          stats = unfinishedStats("invented-result", objects, { recovered: form });
          break;
        }
        const why = runaway.take(pieces, group.length);
        if (why === undefined) continue;
        const { keptChars } = runaway;
        stats = unfinishedStats(why, objects, {
          runaway: why,
          ...(keptChars !== undefined && { keptChars }),
        });
        // Closes the connection, and with it ends the server's work. What was held back is no call.
        break;
      }
    } catch (error) {
      const call = hasCalls ? undefined : callInFailure(error, tools, this.#settings.readingTools);
      if (call === undefined) throw error;
      yield await told({
        kind: "calls",
        calls: [{ function: { name: call.name, arguments: call.args } }],
      });
      stats = unfinishedStats("error", objects, { recovered: "server-error" });
    }
    if (stats !== undefined) {
      const message = new AIMessageChunk({ content: "", response_metadata: { stats } });
      yield new ChatGenerationChunk({ text: "", message });
    }
  }

  override async _generate(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
    runManager?: CallbackManagerForLLMRun,
  ): Promise<ChatResult> {
    let whole: AIMessageChunk | undefined;
    for await (const { message } of this._streamResponseChunks(messages, options, runManager)) {
      if (AIMessageChunk.isInstance(message)) whole = whole === undefined ? message : concat(whole, message);
    }
    const message = whole ?? new AIMessage("");
    return { generations: [{ text: message.text, message }] };
  }

  #body(messages: BaseMessage[], options: ChatOllamaCallOptions) {
    const { model, form, numCtx, numPredict, keepAlive, think, temperature } = this.#settings;
    const { tools } = options;
    const isText = form.protocol === "text";
    return {
      model,
      stream: true,
      ...(form.sendsThink ? { think } : {}),
      truncate: false,
      shift: false,
      keep_alive: keepAlive,
      options: {
        num_ctx: numCtx,
        num_predict: numPredict,
        ...(temperature === undefined ? {} : { temperature }),
      },
      ...(isText || tools === undefined ? {} : { tools }),
      // Last, so that a request begins with the bytes of the one before.
      messages: isText
        ? toTextMessages(messages, tools ?? [], (type) => form.sendsImages(type))
        : toWireMessages(messages, (type) => form.sendsImages(type)),
    };
  }
}

function toGenerationChunk(
  delta: Delta,
  callIds: (given: string | null | undefined) => { id: string; index: number },
): ChatGenerationChunk {
  const text = delta.kind === "text" ? delta.text : "";
  const calls = delta.kind === "calls" ? delta.calls : [];
  return new ChatGenerationChunk({
    text,
    message: new AIMessageChunk({
      content: text,
      ...(delta.kind === "thinking" ? thinkingFields(delta.text) : {}),
      tool_call_chunks: calls.map((call) => ({
        type: "tool_call_chunk" as const,
        name: call.function?.name ?? "",
        args: JSON.stringify(asArguments(call.function?.arguments)),
        ...callIds(call.id),
      })),
    }),
  });
}

/** The call that the server could not parse, if that is why it failed and the call can be made out. */
function callInFailure(
  error: unknown,
  tools: readonly DeclaredTool[],
  readingTools: readonly string[] = [],
): RecoveredCall | undefined {
  return error instanceof ModelError && error.kind === "model-output"
    ? callInError(error.message, tools, new Set(readingTools))
    : undefined;
}

/** Some models write their arguments as a string; what cannot be read is kept for the correction that follows. */
function asArguments(value: unknown): Record<string, unknown> {
  if (typeof value === "string") {
    try {
      const parsed: unknown = JSON.parse(value);
      if (isRecord(parsed)) return parsed;
    } catch {
      // Kept as text below: the gate answers it with the right shape.
    }
    return value.trim() === "" ? {} : { arguments: value };
  }
  return isRecord(value) ? value : {};
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Keeps the server's call ids, but never lets one occur twice in a conversation: a call whose id already has an
 * answer would be taken for answered and not run.
 */
function callIdIssuer(history: readonly BaseMessage[]) {
  const used = new Set(
    history.flatMap((message) =>
      AIMessage.isInstance(message) ? (message.tool_calls ?? []).map((call) => call.id) : [],
    ),
  );
  let index = 0;
  return (given: string | null | undefined): { id: string; index: number } => {
    const wanted = given ?? "";
    const id = wanted === "" || used.has(wanted) ? `call_${randomUUID().slice(0, 8)}` : wanted;
    used.add(id);
    return { id, index: index++ };
  };
}
