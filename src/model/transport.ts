import type { IncomingMessage } from "node:http";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { StringDecoder } from "node:string_decoder";
import { ModelError, serverError } from "./model-error.js";

/**
 * Our own transport: Node's fetch gives up after 300 s without a byte, and a model may read a prompt for longer.
 * Both limits are milliseconds.
 */
export interface Patience {
  /** From sending the request to the first byte of the reply. */
  firstByteMs: number;
  /** Between two reads of the reply. */
  idleMs: number;
}

export interface TransportRequest {
  method: "GET" | "POST" | "DELETE";
  url: string;
  body?: string;
  /** Aborting closes the connection at once, in every phase. */
  signal?: AbortSignal | undefined;
  patience: Patience;
  /** A question about the server or its models, as opposed to a chat: silence means that nobody answers. */
  isQuestion?: boolean;
  /** For messages that name it. */
  model?: string;
}

/** Longest body of an error or a JSON reply that is read, in bytes; the largest real one (`/api/show`) is far below. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;

/** Sends a request and yields the reply's text as it arrives. Throws ModelError, or the signal's reason. */
export async function* streamText(request: TransportRequest): AsyncGenerator<string> {
  const response = await open(request);
  const decoder = new StringDecoder("utf8");
  try {
    for await (const bytes of patiently(response, request)) yield decoder.write(bytes);
    const rest = decoder.end();
    if (rest !== "") yield rest;
  } finally {
    response.destroy();
  }
}

/** Sends a request and reads its JSON reply. Throws ModelError, or the signal's reason. */
export async function fetchJson(request: TransportRequest): Promise<unknown> {
  const response = await open(request);
  return parseBody(await readBody(response, request), request);
}

async function open(request: TransportRequest): Promise<IncomingMessage> {
  const response = await send(request);
  const status = response.statusCode ?? 0;
  if (status >= 200 && status < 300) return response;
  if (status >= 300 && status < 400) {
    response.destroy();
    throw new ModelError(
      "redirect",
      `${request.url} redirects to ${String(response.headers.location)}, and mini-cc sends your files to no other address than the one you gave`,
      "Give the final address with --host or OLLAMA_HOST",
    );
  }
  const body = await readBody(response, request);
  throw serverError(errorText(body, request), request.model ?? "MODEL", status);
}

function send(request: TransportRequest): Promise<IncomingMessage> {
  const { signal, body, patience } = request;
  const url = new URL(request.url);
  const start = url.protocol === "https:" ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const outgoing = start(url, {
      method: request.method,
      // A connection of its own: none is left open when the program wants to end, and none is stale.
      agent: false,
      headers:
        body === undefined
          ? {}
          : { "content-type": "application/json", "content-length": Buffer.byteLength(body) },
    });
    const onAbort = () => outgoing.destroy(reasonOf(signal));
    signal?.addEventListener("abort", onAbort, { once: true });
    const timer = setTimeout(
      () => outgoing.destroy(timeoutError("firstTokenTimeout", request)),
      patience.firstByteMs,
    );
    outgoing.on("response", (response) => {
      clearTimeout(timer);
      response.once("close", () => signal?.removeEventListener("abort", onAbort));
      resolve(response);
    });
    outgoing.on("error", (error) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      reject(signal?.aborted === true ? reasonOf(signal) : connectionError(error, url));
    });
    outgoing.end(body);
  });
}

/** Reads until the end; the first read may take as long as the prompt takes, the others the idle limit. */
async function* patiently(response: IncomingMessage, request: TransportRequest): AsyncGenerator<Buffer> {
  const { signal, patience } = request;
  let timer = setTimeout(
    () => response.destroy(timeoutError("firstTokenTimeout", request)),
    patience.firstByteMs,
  );
  const onIdle = () => response.destroy(timeoutError("idleTimeout", request));
  try {
    for await (const chunk of response) {
      // The limit is the server's: a reader that takes its time does not use it up.
      clearTimeout(timer);
      yield chunk as Buffer;
      timer = setTimeout(onIdle, patience.idleMs);
    }
  } catch (error) {
    if (signal?.aborted === true) throw reasonOf(signal);
    if (error instanceof ModelError) throw error;
    throw new ModelError(
      "stream-cut",
      "the connection to the server broke in the middle of a reply",
      "Send the prompt again; if it repeats, see the server's log (ollama serve)",
      error,
    );
  } finally {
    clearTimeout(timer);
  }
}

async function readBody(response: IncomingMessage, request: TransportRequest): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const bytes of patiently(response, request)) {
    size += bytes.length;
    if (size > MAX_BODY_BYTES) {
      response.destroy();
      throw notOllama(request, "its reply is far too long");
    }
    parts.push(bytes);
  }
  return Buffer.concat(parts).toString("utf8");
}

function parseBody(body: string, request: TransportRequest): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw notOllama(request, `it answered with something that is not JSON: ${excerpt(body)}`);
  }
}

function errorText(body: string, request: TransportRequest): string {
  const parsed = parseBody(body, request);
  if (typeof parsed === "object" && parsed !== null && "error" in parsed) {
    return typeof parsed.error === "string" ? parsed.error : JSON.stringify(parsed.error);
  }
  return excerpt(body);
}

function notOllama(request: TransportRequest, what: string): ModelError {
  return new ModelError(
    "not-ollama",
    `${new URL(request.url).origin} does not speak Ollama's protocol: ${what}`,
    "Check the address (--host, OLLAMA_HOST); a proxy may stand in between",
  );
}

function connectionError(error: Error, url: URL): Error {
  if (error instanceof ModelError) return error;
  const code = "code" in error && typeof error.code === "string" ? error.code : error.message;
  if (code === "ECONNRESET" || code === "EPIPE") {
    return new ModelError(
      "stream-cut",
      `${url.origin} closed the connection without an answer`,
      "Send the prompt again; if it repeats, see the server's log (ollama serve)",
      error,
    );
  }
  return new ModelError(
    "unreachable",
    `no Ollama server answers at ${url.origin} (${code})`,
    "Start it with: ollama serve   (another address: --host or OLLAMA_HOST; a look without it: mini-cc demo)",
    error,
  );
}

function timeoutError(setting: "firstTokenTimeout" | "idleTimeout", request: TransportRequest): ModelError {
  const ms = setting === "firstTokenTimeout" ? request.patience.firstByteMs : request.patience.idleMs;
  if (request.isQuestion === true) {
    return new ModelError(
      "unreachable",
      `${request.url} took the connection, but did not answer within ${ms / 1000} s`,
      "Restart the server (ollama serve), or check the address (--host, OLLAMA_HOST)",
    );
  }
  const what = setting === "firstTokenTimeout" ? "did not begin to answer" : "fell silent in its answer";
  return new ModelError(
    "timeout",
    `the server ${what} for ${ms / 1000} s (ollama.${setting})`,
    `Raise "ollama": { "${setting}": … } in the configuration, or use a smaller model or window`,
  );
}

function reasonOf(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new DOMException("Cancelled", "AbortError");
}

function excerpt(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}
