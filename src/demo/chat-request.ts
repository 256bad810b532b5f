import { keepAliveMs } from "./keep-alive.js";
import { fail } from "./reply.js";
import type { HttpReply } from "./reply.js";

export interface ChatMessage {
  role: string;
  content: string;
  thinking?: string;
  tool_calls?: { id?: string; function: { name: string; arguments: Record<string, unknown> } }[];
  tool_name?: string;
  tool_call_id?: string;
  /** Base64. */
  images?: string[];
}

/** The body of POST /api/chat as a client should send it; what may differ in fact is checked by `checkChatRequest`. */
export interface ChatRequest {
  model: string;
  messages: ChatMessage[];
  tools?: { type: string; function: { name: string; description?: string; parameters?: unknown } }[];
  options?: Record<string, unknown>;
  think?: boolean | string;
  keep_alive?: number | string;
  format?: unknown;
  stream?: boolean;
  truncate?: boolean;
  shift?: boolean;
}

// The type is the Go type that Ollama's own message names.
const FIELDS: Record<string, { json: string; go: string }> = {
  model: { json: "string", go: "string" },
  messages: { json: "array", go: "[]api.Message" },
  tools: { json: "array", go: "api.Tools" },
  options: { json: "object", go: "map[string]interface {}" },
  stream: { json: "bool", go: "bool" },
  truncate: { json: "bool", go: "bool" },
  shift: { json: "bool", go: "bool" },
};

const MESSAGE_FIELDS: Record<string, { json: string; go: string }> = {
  role: { json: "string", go: "string" },
  content: { json: "string", go: "string" },
  thinking: { json: "string", go: "string" },
  tool_calls: { json: "array", go: "[]api.ToolCall" },
  tool_name: { json: "string", go: "string" },
  tool_call_id: { json: "string", go: "string" },
  images: { json: "array", go: "[]api.ImageData" },
};

const OPTION_TYPES = [
  {
    json: "number",
    go: "integer",
    names: "num_ctx num_predict num_keep num_batch num_gpu num_thread main_gpu seed top_k repeat_last_n",
  },
  {
    json: "number",
    go: "float32",
    names: "temperature top_p min_p typical_p repeat_penalty presence_penalty frequency_penalty",
  },
  { json: "bool", go: "boolean", names: "use_mmap" },
  { json: "array", go: "array", names: "stop" },
];

/** What the server finds wrong with the shape of a chat request, in its own words; undefined if nothing. */
export function checkChatRequest(body: unknown): HttpReply | undefined {
  if (!isObject(body)) return fail(400, "invalid character in request body, looking for beginning of object");
  const wrong =
    wrongField(body, FIELDS, "ChatRequest.") ??
    listOf(body["messages"])
      .map((message) => wrongMessage(message))
      .find((text) => text !== undefined);
  if (wrong !== undefined) return fail(400, wrong);
  if (keepAliveMs(body["keep_alive"]) === undefined)
    return fail(400, `time: invalid duration ${JSON.stringify(body["keep_alive"])}`);
  const think = body["think"];
  if (isThinkValue(think)) return undefined;
  const shown = JSON.stringify(typeof think === "string" ? think : JSON.stringify(think));
  return fail(400, `invalid think value: ${shown} (must be "high", "medium", "low", "max", true, or false)`);
}

/** The server reads options only when it loads the model, and answers 500. */
export function checkOptions(options: Record<string, unknown>): HttpReply | undefined {
  for (const [key, value] of Object.entries(options)) {
    const expected = OPTION_TYPES.find(({ names }) => names.split(" ").includes(key));
    if (expected !== undefined && value !== null && jsonType(value) !== expected.json) {
      return fail(500, `option "${key}" must be of type ${expected.go}`);
    }
  }
  return undefined;
}

function isThinkValue(value: unknown): boolean {
  if (typeof value === "string") return ["high", "medium", "low", "max"].includes(value);
  return value === undefined || value === null || typeof value === "boolean";
}

function wrongMessage(message: unknown): string | undefined {
  if (!isObject(message)) return unmarshal(message, "ChatRequest.messages", "api.Message");
  const wrong = wrongField(message, MESSAGE_FIELDS, "ChatRequest.messages.");
  if (wrong !== undefined) return wrong;
  for (const toolCall of listOf(message["tool_calls"])) {
    const called = isObject(toolCall) ? toolCall["function"] : undefined;
    if (!isObject(called)) {
      return unmarshal(called, "ChatRequest.messages.tool_calls.function", "api.ToolCallFunction");
    }
    const args = called["arguments"];
    if (args !== undefined && !isObject(args)) {
      const field = "ChatRequest.messages.tool_calls.function.arguments";
      return unmarshal(args, field, "api.ToolCallFunctionArguments");
    }
  }
  return undefined;
}

function wrongField(
  object: Record<string, unknown>,
  fields: Record<string, { json: string; go: string }>,
  path: string,
): string | undefined {
  for (const [key, expected] of Object.entries(fields)) {
    const value = object[key];
    if (value === undefined || value === null || jsonType(value) === expected.json) continue;
    return unmarshal(value, path + key, expected.go);
  }
  return undefined;
}

function unmarshal(value: unknown, field: string, goType: string): string {
  return `json: cannot unmarshal ${jsonType(value)} into Go struct field ${field} of type ${goType}`;
}

function jsonType(value: unknown): string {
  if (Array.isArray(value)) return "array";
  if (typeof value === "boolean") return "bool";
  return typeof value;
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
