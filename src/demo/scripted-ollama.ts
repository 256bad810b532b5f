import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "../errors.js";
import type { ChatRequest } from "./chat-request.js";
import { createRoutes } from "./ollama-routes.js";
import type { Script } from "./ollama-routes.js";
import type { Load } from "./model-runners.js";
import type { PromptFigures } from "./run-request.js";
import { fail } from "./reply.js";
import { sendHttp, sendReply } from "./send-reply.js";

export interface ScriptedOllamaOptions extends Script {
  /** Keeps only the newest requests, so that long runs do not fill the memory. */
  keepRequests?: number;
}

export interface RecordedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** The body as it came. */
  text: string;
  /** The body as JSON; undefined if it is none. */
  body: unknown;
  /** The client closed the connection before the end of the answer. */
  aborted: boolean;
  /** Milliseconds since the epoch at which the whole request was here. */
  at: number;
  /** How a model with a `runner` read the prompt; undefined if it was refused or none. */
  prompt?: PromptFigures;
}

export interface ScriptedOllama {
  /** Without a slash at the end. */
  readonly url: string;
  /** In the order in which they came in whole. */
  readonly requests: readonly RecordedRequest[];
  /** Requests that are being answered and whose connection is still there. */
  readonly openRequests: number;
  /** Each time that a model with a `runner` was loaded. */
  readonly loads: readonly Load[];
  /** The bodies of all chat requests, also of those that only load the model. */
  chatBodies(): ChatRequest[];
  /** Resolves when the predicate holds; rejects after `timeoutMs` (default 10 s). */
  waitFor(predicate: (server: ScriptedOllama) => boolean, timeoutMs?: number): Promise<void>;
  /** Breaks every open connection. */
  close(): Promise<void>;
}

/** A real HTTP server on a free loopback port that speaks Ollama's protocol; its models say what the script says. */
export async function startScriptedOllama(options: ScriptedOllamaOptions = {}): Promise<ScriptedOllama> {
  const routes = createRoutes(options);
  const requests: RecordedRequest[] = [];
  let openRequests = 0;
  let closing = false;

  const server = createServer((incoming, response) => {
    openRequests += 1;
    const connection = new AbortController();
    let brokenByServer = false;
    let recorded: RecordedRequest | undefined;
    response.on("close", () => {
      openRequests -= 1;
      if (recorded !== undefined)
        recorded.aborted = !response.writableFinished && !brokenByServer && !closing;
      connection.abort();
    });

    async function handle(): Promise<void> {
      const { method = "", url: path = "", headers } = incoming;
      const text = await readText(incoming);
      const body = parseJson(text);
      const record: RecordedRequest = { method, path, headers, text, body, aborted: false, at: Date.now() };
      recorded = record;
      requests.push(record);
      if (requests.length > (options.keepRequests ?? Infinity)) requests.shift();
      const exchange = {
        request: body as ChatRequest,
        requestBytes: Buffer.byteLength(text),
        response,
        gone: connection.signal,
        onCut: () => {
          brokenByServer = true;
        },
      };
      const onPrompt = (figures: PromptFigures) => {
        record.prompt = figures;
      };
      const { signal: gone } = connection;
      await sendReply(exchange, await routes.answer({ method, path, body, gone, onPrompt }));
    }

    handle().catch((error: unknown) => {
      if (connection.signal.aborted) return; // Nobody is left to be told.
      if (response.headersSent) response.destroy();
      else sendHttp(response, fail(500, `the scripted reply failed: ${messageOf(error)}`));
    });
  });

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;

  const scripted: ScriptedOllama = {
    url: `http://127.0.0.1:${port}`,
    requests,
    loads: routes.loads,
    get openRequests() {
      return openRequests;
    },
    chatBodies: () =>
      requests.flatMap(({ path, body }) =>
        path === "/api/chat" && body !== undefined ? [body as ChatRequest] : [],
      ),
    async waitFor(predicate, timeoutMs = 10_000) {
      const deadline = performance.now() + timeoutMs;
      while (!predicate(scripted)) {
        if (performance.now() > deadline) {
          const seen = requests.map(({ method, path }) => `${method} ${path}`).join(", ") || "none";
          throw new Error(`waited ${timeoutMs} ms in vain; requests: ${seen}; open: ${openRequests}`);
        }
        await sleep(5);
      }
    },
    async close() {
      closing = true;
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return scripted;
}

async function readText(incoming: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined; // The routes that need JSON refuse it.
  }
}
