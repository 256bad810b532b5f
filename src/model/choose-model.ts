import type { ProtocolSetting } from "./call-protocol.js";
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
  /** With `native` only models that support tools are usable. */
  protocol: ProtocolSetting;
}

/** Why a session takes a model; "without-tools": none has tools; "fallback": there is no better one. */
type ChoiceReason =
  "requested" | "last-used" | "largest-that-fits" | "smallest" | "without-tools" | "fallback";

export interface ChosenModel {
  name: string;
  details: ModelDescription;
  because: ChoiceReason;
}

/**
 * The model for a session, checked before the first prompt: the server answers, it has the model, and the model can do
 * what the protocol needs. Throws ModelError otherwise.
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
  if (isUsable(details.capabilities, wish.protocol)) return { name, details, because };
  throw await unusable(ollama, { name, details }, signal);
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
  let withoutTools: { name: string; because: ChoiceReason } | undefined;
  for (const { model, because } of inOrderOfPreference(local, wish)) {
    const capabilities = model.capabilities ?? (await ollama.showModel(model.name, signal)).capabilities;
    const { name } = model;
    if (supportsTools(capabilities)) return { name, because };
    if (!isUsable(capabilities, wish.protocol)) continue;
    withoutTools ??= { name, because: because === "last-used" ? because : "without-tools" };
  }
  return withoutTools ?? { name: FALLBACK_MODEL, because: "fallback" };
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
export function supportsTools(capabilities: readonly string[] | undefined): boolean {
  return capabilities === undefined || capabilities.includes("tools");
}

function isUsable(capabilities: readonly string[] | undefined, protocol: ProtocolSetting): boolean {
  return (
    supportsTools(capabilities) || (protocol !== "native" && capabilities?.includes("completion") === true)
  );
}

async function unusable(
  ollama: OllamaClient,
  { name, details }: Pick<ChosenModel, "name" | "details">,
  signal?: AbortSignal,
): Promise<ModelError> {
  const chats = details.capabilities?.includes("completion") === true;
  const wanted = chats ? "tools" : "completion";
  const able = (await ollama.installedModels(signal))
    .filter((model) => !model.cloud && model.capabilities?.includes(wanted))
    .map((model) => model.name);
  const others =
    able.length > 0
      ? `installed models that do: ${able.join(", ")}   (use one with --model NAME)`
      : `pull one that does, for example: ollama pull ${FALLBACK_MODEL}`;
  return chats
    ? new ModelError(
        "no-tools",
        `the model ${name} does not support tools, which protocol native needs`,
        `Leave out --protocol native, and its tool calls travel as text; or ${others}`,
      )
    : new ModelError("no-chat", `the model ${name} does not answer prompts`, upperFirst(others));
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
