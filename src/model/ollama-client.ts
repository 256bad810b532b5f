import { z } from "zod";
import { describeModel, isCloud, showReply } from "./model-description.js";
import type { ModelDescription } from "./model-description.js";
import { ModelError, serverError } from "./model-error.js";
import type { Patience } from "./transport.js";
import { fetchJson, streamText } from "./transport.js";

/** Replies are read leniently: a newer server may leave out or add anything. */
const tagsReply = z.object({
  models: z
    .array(
      z.object({
        name: z.string(),
        size: z.number().nullish(),
        capabilities: z.array(z.string()).nullish(),
        remote_host: z.string().nullish(),
        remote_model: z.string().nullish(),
        details: z
          .object({ parameter_size: z.string().nullish(), quantization_level: z.string().nullish() })
          .nullish(),
      }),
    )
    .nullish(),
});

const psReply = z.object({
  models: z
    .array(
      z.object({
        name: z.string(),
        size: z.number().nullish(),
        size_vram: z.number().nullish(),
        context_length: z.number().nullish(),
      }),
    )
    .nullish(),
});

const pullLine = z.object({
  status: z.string().nullish(),
  error: z.string().nullish(),
  total: z.number().nullish(),
  completed: z.number().nullish(),
});

const versionReply = z.object({ version: z.string() });

export interface InstalledModel {
  name: string;
  /** Bytes on disk; 0 if the server does not say. */
  size: number;
  /** Undefined if the server does not list them; `/api/show` knows. */
  capabilities: string[] | undefined;
  /** Such as "7.6B" and "Q4_K_M"; undefined if the server does not say. */
  parameterSize: string | undefined;
  quantization: string | undefined;
  /** Runs on somebody else's machine, though a local server lists it. */
  cloud: boolean;
}

export interface ModelDetails {
  /** Undefined if the server is too old to say. */
  capabilities: string[] | undefined;
  family: string;
  /** Tokens that the model was trained for; undefined if the server does not say. */
  trainedContext: number | undefined;
  /** The Modelfile sets its own temperature. */
  setsTemperature: boolean;
  cloud: boolean;
}

/** A model in memory. */
export interface LoadedModel {
  name: string;
  /** Bytes, window included; 0 if the server does not say. */
  size: number;
  /** Bytes of it in the GPU's memory. */
  sizeVram: number;
  /** Tokens of the window that was really allocated; undefined if the server is too old to say. */
  contextLength: number | undefined;
}

export interface PullProgress {
  status: string;
  /** Bytes of the layer that is loaded now; undefined between layers. */
  total: number | undefined;
  completed: number | undefined;
}

export interface OllamaClient {
  readonly baseUrl: string;
  version(signal?: AbortSignal): Promise<string>;
  installedModels(signal?: AbortSignal): Promise<InstalledModel[]>;
  showModel(name: string, signal?: AbortSignal): Promise<ModelDescription>;
  loadedModels(signal?: AbortSignal): Promise<LoadedModel[]>;
  /** Downloads a model; what was downloaded before is kept. Ends when it is installed. */
  pull(name: string, signal?: AbortSignal): AsyncGenerator<PullProgress>;
  /** Brings a model into memory with the window and the other fields that a chat's requests have. */
  load(name: string, wish: { numCtx: number; keepAlive: string }, signal?: AbortSignal): Promise<void>;
  /** Frees the memory that a model takes. */
  unload(name: string, signal?: AbortSignal): Promise<void>;
  /** Yields the objects of the reply, grouped as they arrived. A reply that ends without its last object throws. */
  chat(body: ChatBody, signal?: AbortSignal): AsyncGenerator<ChatChunk[]>;
}

type ChatBody = Record<string, unknown> & { model: string };

/** One line of a streamed reply; durations are nanoseconds. */
export interface ChatChunk {
  message?: {
    content?: string | null;
    thinking?: string | null;
    tool_calls?:
      { id?: string | null; function?: { name?: string | null; arguments?: unknown } | null }[] | null;
  } | null;
  done?: boolean | null;
  done_reason?: string | null;
  load_duration?: number | null;
  prompt_eval_count?: number | null;
  prompt_eval_duration?: number | null;
  eval_count?: number | null;
  eval_duration?: number | null;
  error?: unknown;
}

/** Questions about the server and its models are answered at once or not at all, unlike a chat. In milliseconds. */
const MOST_PATIENCE = 30_000;

/** Speaks Ollama's HTTP protocol to one server. Every call throws ModelError or the signal's reason. */
export function createOllamaClient(baseUrl: string, patience: Patience): OllamaClient {
  const questionPatience: Patience = {
    firstByteMs: Math.min(MOST_PATIENCE, patience.firstByteMs),
    idleMs: Math.min(MOST_PATIENCE, patience.idleMs),
  };
  const ask = (path: string, signal?: AbortSignal, body?: object) =>
    fetchJson({
      method: body === undefined ? "GET" : "POST",
      url: baseUrl + path,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal,
      patience: questionPatience,
      isQuestion: true,
      model: body !== undefined && "model" in body ? String(body.model) : "",
    });

  const read = <T>(schema: z.ZodType<T>, value: unknown, path: string): T => {
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    throw new ModelError(
      "not-ollama",
      `${baseUrl}${path} does not answer as Ollama does`,
      "Check the address (--host, OLLAMA_HOST)",
      result.error,
    );
  };

  return {
    baseUrl,

    async version(signal) {
      return read(versionReply, await ask("/api/version", signal), "/api/version").version;
    },

    async installedModels(signal) {
      const { models } = read(tagsReply, await ask("/api/tags", signal), "/api/tags");
      return (models ?? []).map((model) => ({
        name: model.name,
        size: model.size ?? 0,
        capabilities: model.capabilities ?? undefined,
        parameterSize: model.details?.parameter_size || undefined,
        quantization: model.details?.quantization_level || undefined,
        cloud: isCloud(model.name, model.remote_host ?? model.remote_model),
      }));
    },

    async showModel(name, signal) {
      const reply = read(showReply, await ask("/api/show", signal, { model: name }), "/api/show");
      return describeModel(name, reply);
    },

    async loadedModels(signal) {
      const { models } = read(psReply, await ask("/api/ps", signal), "/api/ps");
      return (models ?? []).map((model) => ({
        name: model.name,
        size: model.size ?? 0,
        sizeVram: model.size_vram ?? 0,
        contextLength: model.context_length ?? undefined,
      }));
    },

    async *pull(name, signal) {
      const text = streamText({
        method: "POST",
        url: `${baseUrl}/api/pull`,
        body: JSON.stringify({ model: name }),
        signal,
        patience,
        model: name,
      });
      for await (const lines of readLines(text, baseUrl)) {
        for (const line of lines) {
          const { status, error, total, completed } = read(pullLine, line, "/api/pull");
          if (error) throw serverError(error, name);
          yield { status: status ?? "", total: total ?? undefined, completed: completed ?? undefined };
        }
      }
    },

    async load(name, { numCtx, keepAlive }, signal) {
      const shape = { truncate: false, shift: false, keep_alive: keepAlive, options: { num_ctx: numCtx } };
      await fetchJson({
        method: "POST",
        url: `${baseUrl}/api/chat`,
        body: JSON.stringify({ model: name, ...shape, messages: [] }),
        signal,
        patience,
        model: name,
      });
    },

    async unload(name, signal) {
      await ask("/api/chat", signal, { model: name, messages: [], keep_alive: 0 });
    },

    async *chat(body, signal) {
      let done = false;
      const text = streamText({
        method: "POST",
        url: `${baseUrl}/api/chat`,
        body: JSON.stringify(body),
        signal,
        patience,
        model: body.model,
      });
      for await (const chunks of readLines(text, baseUrl)) {
        done ||= chunks.some((chunk) => chunk.done === true);
        yield chunks;
        const failed = chunks.find((chunk) => chunk.error !== undefined && chunk.error !== null);
        if (failed) throw serverError(String(failed.error), body.model);
      }
      if (!done) {
        throw new ModelError(
          "stream-cut",
          "the server ended its reply in the middle",
          "Send the prompt again; if it repeats, see the server's log (ollama serve)",
        );
      }
    },
  };
}

/** Newline-delimited JSON; all lines that one read completed are yielded together. */
async function* readLines(text: AsyncIterable<string>, baseUrl: string): AsyncGenerator<ChatChunk[]> {
  let carried = "";
  const parse = (line: string): ChatChunk => {
    try {
      const value: unknown = JSON.parse(line);
      if (typeof value === "object" && value !== null) return value;
    } catch {
      // Told below, with the line.
    }
    throw new ModelError(
      "not-ollama",
      `${baseUrl} sent a line that is not JSON: ${line.slice(0, 200)}`,
      "Check the address (--host, OLLAMA_HOST); a proxy may stand in between",
    );
  };
  for await (const piece of text) {
    const lines = (carried + piece).split("\n");
    carried = lines.pop() ?? "";
    const chunks = lines.filter((line) => line.trim() !== "").map(parse);
    if (chunks.length > 0) yield chunks;
  }
  if (carried.trim() !== "") {
    // Half an object at the end is a cut stream, told by the caller as such; a whole one counts.
    let last: ChatChunk;
    try {
      last = parse(carried);
    } catch (error) {
      if (carried.trimStart().startsWith("{")) return;
      throw error;
    }
    yield [last];
  }
}
