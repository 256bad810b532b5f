import { createHash } from "node:crypto";
import { DEFAULT_KEEP_ALIVE_MS } from "./keep-alive.js";

/** A model that the scripted server has, as `/api/tags` and `/api/show` tell of it. */
export interface ScriptedModel {
  name: string;
  /** Bytes. */
  size?: number;
  /** Default: completion and tools. */
  capabilities?: readonly string[];
  /** Trained context length in tokens. */
  contextLength?: number;
  family?: string;
  parameterSize?: string;
  template?: string;
  /** Where clients find RENDERER and PARSER lines. */
  modelfile?: string;
  /** Lines of `key   value`. */
  parameters?: string;
  /** ISO date; the server's list is sorted newest first. */
  modifiedAt?: string;
  /** Marks a cloud model: where its requests go. */
  remoteHost?: string;
  /** Bytes in video memory once loaded; less than `size` means that it spilled to the CPU. */
  sizeVram?: number;
  /**
   * Has the model loaded, its prompt tokens counted, its window enforced and its prompt cached as the real server
   * does. Without it requests of any length are answered at once.
   */
  runner?: RunnerBehaviour;
  /** How `/api/pull` goes. */
  pull?: PullBehaviour;
}

/** What differs between models once they run. Milliseconds are only reported unless they are called real. */
export interface RunnerBehaviour {
  /**
   * "rendered" (default): the server writes the prompt itself, and cuts it if it may. "native": llama.cpp does,
   * which never cuts and is given no thinking.
   */
  path?: "rendered" | "native";
  /** Memory for each token of the window, a multiple of 2048 bytes; default 57,344, as for a 7B model. */
  kvBytesPerToken?: number;
  /** What a load takes; default 3000. */
  loadMs?: number;
  realLoadMs?: number;
  /** What a token that is not in the cache takes to read; default 2. */
  promptMsPerToken?: number;
  realPromptMsPerToken?: number;
  /** Hybrid and sliding-window models: a prompt that does not extend the cached one is read anew in whole. */
  appendOnly?: boolean;
  /** The template refuses a conversation without a user message that says something. */
  needsUserMessage?: boolean;
}

interface PullBehaviour {
  /** Lines of progress for the large layer; default 4. */
  steps?: number;
  /** Real milliseconds between two lines. */
  chunkDelay?: number;
  /** The first pull stops behind this many steps; the next one goes on there. */
  failAfter?: number;
  /** How it stops: with this line, or with a broken connection if there is none. */
  failure?: string;
}

export interface LoadedModel {
  model: ScriptedModel;
  /** Tokens. */
  contextLength: number;
  /** Bytes in all and in video memory; without them what the model says. */
  memory?: { size: number; sizeVram: number };
  /** Default: the server's 5 minutes. */
  keepAliveMs?: number;
  /** When its last request ended, in milliseconds since the epoch; undefined while it works. */
  idleSince?: number | undefined;
}

/** Tokens, Ollama's default window on a machine with less than 23 GiB of video memory. */
const DEFAULT_WINDOW = 4096;
const DEFAULT_SIZE = 4_683_087_332;
const SMALLEST_WINDOW = 4;
const DEFAULT_KV_BYTES = 57_344;
/** Keys and values of 16 bits for each layer, with the 4 heads of 128 numbers that `/api/show` tells of. */
const KV_BYTES_PER_LAYER = 2 * 2 * 4 * 128;
const DEFAULT_TRAINED = 32_768;

/** `name` and `name:latest` are one model, in any case. */
export function fullName(name: string): string {
  const lower = name.toLowerCase();
  return lower.includes(":") ? lower : `${lower}:latest`;
}

export function capabilitiesOf(model: ScriptedModel): readonly string[] {
  return model.capabilities ?? ["completion", "tools"];
}

/** Bytes of the model itself. */
export function sizeOf(model: ScriptedModel): number {
  return model.size ?? DEFAULT_SIZE;
}

/** Bytes that the window takes for each of its tokens. */
export function kvBytesPerToken(behaviour: RunnerBehaviour): number {
  return behaviour.kvBytesPerToken ?? DEFAULT_KV_BYTES;
}

/** The window that a request gets: what it or else the model's parameters ask for, at most what was trained. */
export function allocatedWindow(model: ScriptedModel, options: Record<string, unknown>): number {
  const own = /^num_ctx\s+(\d+)/mu.exec(model.parameters ?? "")?.[1] ?? DEFAULT_WINDOW;
  const asked = options["num_ctx"] ?? Number(own);
  const tokens = typeof asked === "number" ? Math.trunc(asked) : DEFAULT_WINDOW;
  return Math.max(SMALLEST_WINDOW, Math.min(tokens, model.contextLength ?? DEFAULT_TRAINED));
}

/** When a loaded model goes if nothing comes, in milliseconds since the epoch. */
export function expiresAt({ idleSince, keepAliveMs }: LoadedModel): number {
  return (idleSince ?? Date.now()) + (keepAliveMs ?? DEFAULT_KEEP_ALIVE_MS);
}

/** The body of GET /api/tags. */
export function tagsBody(models: readonly ScriptedModel[]): unknown {
  const newestFirst = [...models].sort((a, b) => modifiedAt(b).localeCompare(modifiedAt(a)));
  return {
    models: newestFirst.map((model) => ({
      name: fullName(model.name),
      model: fullName(model.name),
      ...remote(model),
      modified_at: modifiedAt(model),
      size: sizeOf(model),
      digest: digest(model),
      details: details(model),
      capabilities: capabilitiesOf(model),
    })),
  };
}

/** The body of POST /api/show. */
export function showBody(model: ScriptedModel): unknown {
  const family = model.family ?? "qwen2";
  const template = model.template ?? "{{ .Prompt }}";
  return {
    modelfile: model.modelfile ?? `FROM ${model.name}\nTEMPLATE """${template}"""\n`,
    parameters: model.parameters ?? "",
    template,
    details: details(model),
    ...remote(model),
    model_info: {
      "general.architecture": family,
      [`${family}.context_length`]: model.contextLength ?? DEFAULT_TRAINED,
      ...(model.runner && {
        [`${family}.block_count`]: kvBytesPerToken(model.runner) / KV_BYTES_PER_LAYER,
        [`${family}.attention.head_count_kv`]: 4,
        [`${family}.attention.key_length`]: 128,
        [`${family}.attention.value_length`]: 128,
      }),
    },
    capabilities: capabilitiesOf(model),
    modified_at: modifiedAt(model),
  };
}

/** The body of GET /api/ps. */
export function psBody(loaded: Iterable<LoadedModel>): unknown {
  return {
    models: [...loaded].map((entry) => {
      const { model } = entry;
      return {
        name: fullName(model.name),
        model: fullName(model.name),
        size: entry.memory?.size ?? sizeOf(model),
        digest: digest(model),
        details: details(model),
        expires_at: new Date(expiresAt(entry)).toISOString(),
        size_vram: entry.memory?.sizeVram ?? model.sizeVram ?? sizeOf(model),
        context_length: entry.contextLength,
      };
    }),
  };
}

function details(model: ScriptedModel): unknown {
  const family = model.family ?? "qwen2";
  return {
    parent_model: "",
    format: model.remoteHost === undefined ? "gguf" : "",
    family,
    families: [family],
    parameter_size: model.parameterSize ?? "7.6B",
    quantization_level: "Q4_K_M",
  };
}

function remote(model: ScriptedModel): { remote_model?: string; remote_host?: string } {
  return model.remoteHost === undefined ? {} : { remote_model: model.name, remote_host: model.remoteHost };
}

function modifiedAt(model: ScriptedModel): string {
  return model.modifiedAt ?? "2026-01-01T00:00:00Z";
}

/** Hexadecimal SHA-256, made from the name. */
export function digest(model: ScriptedModel): string {
  return createHash("sha256").update(fullName(model.name)).digest("hex");
}
