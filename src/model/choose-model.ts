import { ModelError } from "./model-error.js";
import type { InstalledModel, ModelDetails, OllamaClient } from "./ollama-client.js";

/** What is proposed where nothing is installed: small, known to everybody, and it supports tools. */
const FALLBACK_MODEL = "qwen2.5";

/** Share of the machine's memory that a model's file may have; the window and the system need the rest. */
const MEMORY_SHARE = 0.7;

export interface ModelWish {
  /** From flag, environment or configuration; undefined leaves the choice to us. */
  requested: string | undefined;
  /** The model that was used last on this server. */
  lastUsed: string | undefined;
  /** Bytes of the machine's memory. */
  memoryBytes: number;
}

export interface ChosenModel {
  name: string;
  details: ModelDetails;
}

/**
 * The model for a session, checked before the first prompt: the server answers, it has the model, and the model
 * supports tools. Throws ModelError otherwise.
 */
export async function chooseModel(
  ollama: OllamaClient,
  wish: ModelWish,
  signal?: AbortSignal,
): Promise<ChosenModel> {
  const name = wish.requested ?? (await preferredModel(ollama, wish, signal));
  const details = await ollama.showModel(name, signal);
  if (supportsTools(details.capabilities)) return { name, details };
  throw await lacksTools(ollama, name, signal);
}

/** `qwen2.5` and `qwen2.5:latest` are one model. */
export function sameModel(a: string, b: string): boolean {
  const full = (name: string) => (/:[^/]*$/.test(name) ? name : `${name}:latest`);
  return full(a) === full(b);
}

async function preferredModel(ollama: OllamaClient, wish: ModelWish, signal?: AbortSignal): Promise<string> {
  const local = (await ollama.installedModels(signal)).filter((model) => !model.cloud);
  for (const model of inOrderOfPreference(local, wish)) {
    const capabilities = model.capabilities ?? (await ollama.showModel(model.name, signal)).capabilities;
    if (supportsTools(capabilities)) return model.name;
  }
  return FALLBACK_MODEL;
}

/** The one used last, then those that fit in memory from large to small, then the others from small to large. */
function inOrderOfPreference(models: readonly InstalledModel[], wish: ModelWish): InstalledModel[] {
  const { lastUsed } = wish;
  const room = wish.memoryBytes * MEMORY_SHARE;
  const last = models.filter((model) => lastUsed !== undefined && sameModel(model.name, lastUsed));
  const others = models.filter((model) => !last.includes(model));
  return [
    ...last,
    ...others.filter((model) => model.size <= room).sort((a, b) => b.size - a.size),
    ...others.filter((model) => model.size > room).sort((a, b) => a.size - b.size),
  ];
}

/** A server too old to list capabilities gets the benefit of the doubt; it refuses the tools itself if it must. */
function supportsTools(capabilities: readonly string[] | undefined): boolean {
  return capabilities === undefined || capabilities.includes("tools");
}

async function lacksTools(ollama: OllamaClient, name: string, signal?: AbortSignal): Promise<ModelError> {
  const able = (await ollama.installedModels(signal))
    .filter((model) => !model.cloud && model.capabilities?.includes("tools"))
    .map((model) => model.name);
  return new ModelError(
    "no-tools",
    `the model ${name} does not support tools, and mini-cc works through tools`,
    able.length > 0
      ? `Installed models that do: ${able.join(", ")}   (use one with --model NAME)`
      : `Pull one that does, for example: ollama pull ${FALLBACK_MODEL}`,
  );
}
