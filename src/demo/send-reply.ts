import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { ChatRequest } from "./chat-request.js";
import { chunksOf, fail, json } from "./reply.js";
import type { HttpReply, MessageReply, RawReply, Reply, ScriptedToolCall } from "./reply.js";

export interface Exchange {
  request: ChatRequest;
  /** Size of the request body, from which prompt tokens are estimated. */
  requestBytes: number;
  response: ServerResponse;
  /** Fires when the connection is gone. */
  gone: AbortSignal;
  /** Called before the server itself breaks the connection. */
  onCut(): void;
}

const NDJSON = "application/x-ndjson";
const BYTES_PER_TOKEN = 4;

/** Sends one scripted reply. Rejects with an AbortError when the client leaves before the end. */
export async function sendReply(exchange: Exchange, reply: Reply): Promise<void> {
  const started = performance.now();
  if (reply.delay === "forever") return silent(exchange);
  if (reply.delay !== undefined) await sleep(reply.delay, undefined, { signal: exchange.gone });
  if ("status" in reply) sendHttp(exchange.response, reply);
  else if ("pieces" in reply) await sendRaw(exchange, reply);
  else if (exchange.request.stream === false) sendWhole(exchange, reply, started);
  else await sendStream(exchange, reply, started);
}

export function sendHttp(response: ServerResponse, reply: HttpReply): void {
  response.writeHead(reply.status, { "content-type": reply.contentType });
  response.end(reply.body);
}

async function sendRaw(exchange: Exchange, reply: RawReply): Promise<void> {
  exchange.response.writeHead(200, { "content-type": NDJSON });
  await write(exchange, reply.pieces, reply.chunkDelay ?? 0);
  if (reply.cut === true) return cut(exchange);
  exchange.response.end();
}

async function sendStream(exchange: Exchange, reply: MessageReply, started: number): Promise<void> {
  const { response } = exchange;
  if (reply.cutAfter === 0) return cut(exchange);
  response.writeHead(200, { "content-type": NDJSON });
  const lines = chunkLines(exchange.request.model, reply);
  const firstByte = performance.now();
  const sent = lines.slice(0, reply.cutAfter ?? reply.stallAfter);
  const perWrite = reply.chunksPerWrite ?? 1;
  const writes = perWrite === 1 ? sent : grouped(sent, perWrite);
  if (writes.length === 0) response.flushHeaders();
  await write(exchange, writes, reply.chunkDelay ?? 0);
  if (reply.cutAfter !== undefined) return cut(exchange);
  if (reply.stallAfter !== undefined) return silent(exchange);
  if (reply.withoutDone === true) {
    response.end();
    return;
  }
  const last =
    reply.errorLine === undefined
      ? lastLine(exchange, reply, started, firstByte, lines.length)
      : { error: reply.errorLine };
  response.end(`${JSON.stringify(last)}\n`);
}

/** `stream: false`: the same reply in one object. Faults of a stream do not apply, but for the error. */
function sendWhole(exchange: Exchange, reply: MessageReply, started: number): void {
  if (reply.errorLine !== undefined) {
    sendHttp(exchange.response, fail(500, reply.errorLine));
    return;
  }
  const { thinking, text } = chunksOf(reply);
  const outputTokens = chunkLines(exchange.request.model, reply).length;
  const body = {
    ...lastLine(exchange, reply, started, performance.now(), outputTokens),
    message: {
      role: "assistant",
      content: text.join(""),
      ...(reply.thinking !== undefined && { thinking: thinking.join("") }),
      ...(reply.toolCalls !== undefined && { tool_calls: reply.toolCalls.map(wireCall) }),
    },
  };
  sendHttp(exchange.response, json(body));
}

function lastLine(
  exchange: Exchange,
  reply: MessageReply,
  started: number,
  firstByte: number,
  chunkCount: number,
) {
  const loadMs = reply.loadMs ?? 0;
  const promptMs = reply.promptMs ?? firstByte - started;
  const outputMs = reply.outputMs ?? performance.now() - firstByte;
  const lateCalls = reply.callsInLastLine === true ? reply.toolCalls : undefined;
  return {
    ...head(exchange.request.model),
    message: {
      role: "assistant",
      content: "",
      ...(lateCalls && { tool_calls: lateCalls.map(wireCall) }),
    },
    done: true,
    done_reason: reply.doneReason ?? "stop",
    total_duration: nanoseconds(loadMs + promptMs + outputMs),
    load_duration: nanoseconds(loadMs),
    prompt_eval_count: reply.promptTokens ?? Math.ceil(exchange.requestBytes / BYTES_PER_TOKEN),
    prompt_eval_duration: nanoseconds(promptMs),
    eval_count: reply.outputTokens ?? chunkCount,
    eval_duration: nanoseconds(outputMs),
  };
}

function chunkLines(model: string, reply: MessageReply): string[] {
  const { created_at } = head(model);
  const before = `{"model":${JSON.stringify(model)},"created_at":"${created_at}","message":{"role":"assistant","content":`;
  const line = (content: string, more = "") => `${before}${JSON.stringify(content)}${more}},"done":false}\n`;
  const { thinking, text, toolCalls } = chunksOf(reply);
  const early = reply.callsInLastLine === true ? [] : toolCalls;
  return [
    ...thinking.map((part) => line("", `,"thinking":${JSON.stringify(part)}`)),
    ...text.map((part) => line(part)),
    ...early.map((toolCall, index) =>
      line("", `,"tool_calls":[${JSON.stringify(wireCall(toolCall, index))}]`),
    ),
  ];
}

function wireCall(toolCall: ScriptedToolCall, index: number): unknown {
  const madeUp = `call_${Math.random().toString(36).slice(2, 10).padEnd(8, "0")}`;
  const id = toolCall.id === undefined ? madeUp : toolCall.id;
  return {
    ...(id !== null && { id }),
    function: { index, name: toolCall.name, arguments: toolCall.arguments },
  };
}

async function write(
  exchange: Exchange,
  writes: Iterable<string | Uint8Array>,
  pause: number,
): Promise<void> {
  const { response, gone } = exchange;
  let isFirst = true;
  for (const data of writes) {
    if (!isFirst && pause > 0) await sleep(pause, undefined, { signal: gone });
    isFirst = false;
    gone.throwIfAborted();
    if (!response.write(data)) await once(response, "drain", { signal: gone });
  }
}

function grouped(lines: readonly string[], size: number): string[] {
  const groups: string[] = [];
  for (let at = 0; at < lines.length; at += size) groups.push(lines.slice(at, at + size).join(""));
  return groups;
}

/** Ends the connection under the client, after what was written has left. */
async function cut(exchange: Exchange): Promise<void> {
  exchange.onCut();
  const { socket } = exchange.response;
  if (socket === null || socket.destroyed) return;
  await new Promise((flushed) => socket.write("", flushed));
  socket.destroy();
}

async function silent(exchange: Exchange): Promise<void> {
  if (!exchange.gone.aborted) await once(exchange.gone, "abort");
}

function head(model: string): { model: string; created_at: string } {
  return { model, created_at: new Date().toISOString() };
}

function nanoseconds(milliseconds: number): number {
  return Math.round(milliseconds * 1e6);
}
