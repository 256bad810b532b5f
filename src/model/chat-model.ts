import { randomUUID } from "node:crypto";
import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import type { BaseMessage } from "@langchain/core/messages";
import { AIMessage, AIMessageChunk } from "@langchain/core/messages";
import { ChatGenerationChunk } from "@langchain/core/outputs";
import type { ChatResult } from "@langchain/core/outputs";
import { concat } from "@langchain/core/utils/stream";
import type { ChatOllamaCallOptions } from "@langchain/ollama";
import { ChatOllama } from "@langchain/ollama";
import { declaredTools } from "./call-recovery/declared-tools.js";
import type { ChatChunk, OllamaClient } from "./ollama-client.js";
import type { Delta } from "./reply-deltas.js";
import { createReplyDeltas } from "./reply-deltas.js";
import { replyStats } from "./reply-stats.js";
import { thinkingFields } from "./thinking.js";
import { toWireMessages } from "./wire-messages.js";

export type Think = boolean | "low" | "medium" | "high";

/** Fixed for a session: a server that sees another `num_ctx` or `shift` loads the model anew. */
export interface ChatModelSettings {
  model: string;
  /** Tokens of prompt and reply together. */
  numCtx: number;
  /** Most tokens of one reply. */
  numPredict: number;
  /** Go duration or seconds, as Ollama takes it. */
  keepAlive: string;
  think: Think;
  /** Undefined leaves the model's own value. */
  temperature: number | undefined;
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
    const deltas = createReplyDeltas(declaredTools(options.tools ?? []));
    let last: ChatChunk | undefined;
    const told = async (delta: Delta): Promise<ChatGenerationChunk> => {
      const chunk = toGenerationChunk(delta, callIds);
      await runManager?.handleLLMNewToken(chunk.text, undefined, undefined, undefined, undefined, { chunk });
      return chunk;
    };
    for await (const group of this.#ollama.chat(this.#body(messages, options), options.signal)) {
      last = group.at(-1);
      for (const delta of deltas.take(group)) yield await told(delta);
    }
    for (const delta of deltas.end()) yield await told(delta);
    if (last !== undefined) {
      const stats = replyStats(last, deltas.recovery);
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
    const { model, numCtx, numPredict, keepAlive, think, temperature } = this.#settings;
    return {
      model,
      stream: true,
      think,
      truncate: false,
      shift: false,
      keep_alive: keepAlive,
      options: {
        num_ctx: numCtx,
        num_predict: numPredict,
        ...(temperature === undefined ? {} : { temperature }),
      },
      ...(options.tools === undefined ? {} : { tools: options.tools }),
      // Last, so that a request begins with the bytes of the one before.
      messages: toWireMessages(messages),
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
