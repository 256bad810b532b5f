import { setTimeout as sleep } from "node:timers/promises";
import type { ChatRequest } from "./chat-request.js";
import { keepAliveMs } from "./keep-alive.js";
import { fail } from "./reply.js";
import type { HttpReply } from "./reply.js";
import { allocatedWindow, expiresAt, fullName, kvBytesPerToken, sizeOf } from "./scripted-models.js";
import type { LoadedModel, RunnerBehaviour, ScriptedModel } from "./scripted-models.js";

/** Bytes that models may take; what does not fit into video memory runs on the CPU. */
export interface Machine {
  vram: number;
  /** Main memory beside it; default 0. */
  memory?: number;
}

/** One time that a model was loaded, or was to be. */
export interface Load {
  model: string;
  /** What a later request must have in common so as not to load anew. */
  options: Record<string, unknown>;
  /** Why it came to nothing. */
  failure?: string;
}

/** A model in memory with its single slot. */
interface Runner extends LoadedModel {
  loadKey: string;
  /** Tokens whose state is there for the next prompt. */
  cache: readonly string[];
}

/** Options that the model is started with. */
const LOAD_OPTIONS = [
  "num_batch",
  "num_gpu",
  "main_gpu",
  "use_mmap",
  "num_thread",
  "draft_num_predict",
] as const;
const LOADED_ALREADY_MS = 40;
const DEFAULT_LOAD_MS = 3000;

export interface LoadedRunner {
  runner: Runner;
  /** As the reply reports it. */
  loadMs: number;
}

export interface ModelRunners {
  readonly loads: readonly Load[];
  loaded(): LoadedModel[];
  unload: (model: ScriptedModel) => void;
  /** Keeps a model without behaviour of its own in the list. */
  note(entry: LoadedModel): void;
  /**
   * Waits for the model's slot, which is free again once `gone` has fired, then loads the model unless it is there
   * with the same options. An answer says why it cannot be loaded. Rejects if the client leaves.
   */
  load(
    model: ScriptedModel,
    behaviour: RunnerBehaviour,
    request: ChatRequest,
    gone: AbortSignal,
  ): Promise<LoadedRunner | HttpReply>;
}

/** The models that are in memory. Each has the machine for itself. */
export function createModelRunners(machine: Machine | undefined): ModelRunners {
  const entries = new Map<string, LoadedModel>();
  const runners = new Map<string, Runner>();
  const slots = new Map<string, Promise<unknown>>();
  const loads: Load[] = [];

  function unload(model: ScriptedModel): void {
    entries.delete(model.name);
    runners.delete(model.name);
  }

  /** The real server has a timer; here what is past its time goes when somebody looks. */
  function dropExpired(): void {
    for (const entry of entries.values()) {
      if (entry.idleSince !== undefined && Date.now() >= expiresAt(entry)) unload(entry.model);
    }
  }

  async function slotOf(model: ScriptedModel, gone: AbortSignal): Promise<void> {
    const before = slots.get(model.name);
    const left = whenAborted(gone);
    slots.set(model.name, Promise.all([before, left]));
    await Promise.race([before, left]);
    gone.throwIfAborted();
  }

  async function start(
    model: ScriptedModel,
    behaviour: RunnerBehaviour,
    options: Record<string, unknown>,
    contextLength: number,
    gone: AbortSignal,
  ): Promise<Runner | HttpReply> {
    unload(model);
    const load: Load = { model: fullName(model.name), options };
    loads.push(load);
    const memory = memoryFor(model, behaviour, contextLength, machine);
    if (typeof memory === "string") {
      load.failure = memory;
      return fail(500, memory);
    }
    const runner = { model, contextLength, memory, loadKey: JSON.stringify(options), cache: [] };
    // The real list, too, has the model while it is still being loaded.
    entries.set(model.name, runner);
    runners.set(model.name, runner);
    try {
      if (behaviour.realLoadMs !== undefined) await sleep(behaviour.realLoadMs, undefined, { signal: gone });
    } catch (error) {
      unload(model);
      load.failure = "request canceled";
      throw error;
    }
    return runner;
  }

  return {
    loads,
    unload,
    note(entry) {
      entries.set(entry.model.name, entry);
    },
    loaded() {
      dropExpired();
      return [...entries.values()];
    },
    async load(model, behaviour, request, gone) {
      await slotOf(model, gone);
      dropExpired();
      const contextLength = allocatedWindow(model, request.options ?? {});
      const options = loadOptions(request, contextLength);
      const present = runners.get(model.name);
      const isLoaded = present?.loadKey === JSON.stringify(options);
      const runner = isLoaded ? present : await start(model, behaviour, options, contextLength, gone);
      if ("status" in runner) return runner;
      runner.keepAliveMs = keepAliveMs(request.keep_alive) ?? 0;
      runner.idleSince = undefined;
      void whenAborted(gone).then(() => {
        runner.idleSince = Date.now();
      });
      return { runner, loadMs: isLoaded ? LOADED_ALREADY_MS : (behaviour.loadMs ?? DEFAULT_LOAD_MS) };
    },
  };
}

function loadOptions(request: ChatRequest, contextLength: number): Record<string, unknown> {
  const given = LOAD_OPTIONS.flatMap((name) => {
    const value = request.options?.[name];
    return value === undefined || value === null ? [] : [[name, value] as const];
  });
  return { num_ctx: contextLength, ...Object.fromEntries(given), shift: request.shift ?? true };
}

/** Bytes that the model takes, or the server's words when it does not fit. */
function memoryFor(
  model: ScriptedModel,
  behaviour: RunnerBehaviour,
  contextLength: number,
  machine: Machine | undefined,
): { size: number; sizeVram: number } | string {
  const kvBytes = contextLength * kvBytesPerToken(behaviour);
  const size = sizeOf(model) + kvBytes;
  if (machine === undefined) return { size, sizeVram: size };
  const available = machine.vram + (machine.memory ?? 0);
  if (sizeOf(model) > available) {
    return `model requires more system memory (${gib(sizeOf(model))}) than is available (${gib(available)})`;
  }
  if (size > available) {
    return (
      "llama-server reported out-of-memory during startup: ggml_backend_cpu_buffer_type_alloc_buffer: " +
      `failed to allocate buffer of size ${kvBytes}\n` +
      "llama_init_from_model: failed to initialize the context: failed to allocate buffer for kv cache"
    );
  }
  return { size, sizeVram: Math.min(size, machine.vram) };
}

function gib(bytes: number): string {
  return `${(bytes / 1024 ** 3).toFixed(1)} GiB`;
}

function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
