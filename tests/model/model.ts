import type { AIMessageChunk, BaseMessage } from "@langchain/core/messages";
import { concat } from "@langchain/core/utils/stream";
import type { ModelError } from "../../src/model/model-error.js";
import type { ChatModelSettings } from "../../src/model/chat-model.js";
import { createRequestForm } from "../../src/model/call-protocol.js";
import { OllamaChatModel } from "../../src/model/chat-model.js";
import { createOllamaClient } from "../../src/model/ollama-client.js";
import type { Patience } from "../../src/model/transport.js";

const PATIENCE: Patience = { firstByteMs: 20_000, idleMs: 20_000 };

/** A chat model on a server, with settings as the program makes them. */
export function chatModel(
  url: string,
  settings: Partial<ChatModelSettings> = {},
  patience: Partial<Patience> = {},
): OllamaChatModel {
  return new OllamaChatModel(createOllamaClient(url, { ...PATIENCE, ...patience }), {
    model: "scripted",
    form: createRequestForm("scripted", "auto", "native"),
    numCtx: 8192,
    numPredict: 512,
    keepAlive: "30m",
    think: false,
    temperature: undefined,
    ...settings,
  });
}

/** A tool as the server takes it. */
export function wireTool(name: string) {
  return {
    type: "function" as const,
    function: {
      name,
      description: `Does ${name}.`,
      parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
    },
  };
}

/** The whole reply of a streamed answer. */
export async function replyTo(model: OllamaChatModel, messages: BaseMessage[]): Promise<AIMessageChunk> {
  const chunks: AIMessageChunk[] = [];
  for await (const chunk of await model.stream(messages)) chunks.push(chunk);
  return chunks.reduce((whole, chunk) => concat(whole, chunk));
}

/** What a promise was rejected with. */
export async function failure(promise: Promise<unknown>): Promise<ModelError> {
  try {
    await promise;
  } catch (error) {
    return error as ModelError;
  }
  throw new Error("nothing was thrown");
}
