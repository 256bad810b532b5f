import { ModelError } from "./model-error.js";
import type { ModelDescription } from "./model-description.js";
import type { InstalledModel, OllamaClient } from "./ollama-client.js";

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

/** Why a session takes a model; "fallback": there is no better one. */
type ChoiceReason = "requested" | "last-used" | "largest-that-fits" | "smallest" | "fallback";

export interface ChosenModel {
  name: string;
  details: ModelDescription;
  because: ChoiceReason;
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
  const { name, because } =
    wish.requested === undefined
      ? await preferredModel(ollama, wish, signal)
      : { name: wish.requested, because: "requested" as const };
  const details = await ollama.showModel(name, signal);
  if (supportsTools(details.capabilities)) return { name, details, because };
  throw await lacksTools(ollama, name, signal);
}

/** `qwen2.5` and `qwen2.5:latest` are one model. */
export function sameModel(a: string, b: string): boolean {
  return fullName(a) === fullName(b);
}

/** The name with its tag. */
export function fullName(name: string): string {
  return /:[^/]*$/.test(name) ? name : `${name}:latest`;
}

async function preferredModel(
  ollama: OllamaClient,
  wish: ModelWish,
  signal?: AbortSignal,
): Promise<{ name: string; because: ChoiceReason }> {
  const local = (await ollama.installedModels(signal)).filter((model) => !model.cloud);
  for (const { model, because } of inOrderOfPreference(local, wish)) {
    const capabilities = model.capabilities ?? (await ollama.showModel(model.name, signal)).capabilities;
    if (supportsTools(capabilities)) return { name: model.name, because };
  }
  return { name: FALLBACK_MODEL, because: "fallback" };
}

/** The one used last, then those that fit in memory from large to small, then the others from small to large. */
function inOrderOfPreference(
  models: readonly InstalledModel[],
  wish: ModelWish,
): { model: InstalledModel; because: ChoiceReason }[] {
  const { lastUsed } = wish;
  const room = wish.memoryBytes * MEMORY_SHARE;
  const last = models.filter((model) => lastUsed !== undefined && sameModel(model.name, lastUsed));
  const others = models.filter((model) => !last.includes(model));
  const fitting = others.filter((model) => model.size <= room).sort((a, b) => b.size - a.size);
  const tooLarge = others.filter((model) => model.size > room).sort((a, b) => a.size - b.size);
  const as = (because: ChoiceReason) => (model: InstalledModel) => ({ model, because });
  return [
    ...last.map(as("last-used")),
    ...fitting.map(as("largest-that-fits")),
    ...tooLarge.map(as("smallest")),
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
