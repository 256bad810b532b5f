import type { MemoryFit } from "../../model/memory-fit.js";
import type { LoadedConfig } from "../../config/load-config.js";
import type { Origin } from "../../config/overrides.js";
import type { LoadedModel } from "../../model/ollama-client.js";
import type { ModelProfile } from "../../model/profiles.js";
import type { Messages } from "../messages/catalogue.js";
import type { SessionWindow } from "./model-server.js";

/** Decimal units, as Ollama counts. */
export function byteText(bytes: number): string {
  if (bytes >= 1e9) return `${(bytes / 1e9).toFixed(1)} GB`;
  if (bytes >= 1e6) return `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
  return `${Math.ceil(bytes / 1e3)} kB`;
}

export function tokenText(tokens: number): string {
  return tokens.toLocaleString("en-US");
}

/** The flag, variable or file that set a value. */
export function originText(origin: Origin | undefined, messages: Messages): string {
  const { layer, source } = origin ?? { layer: "default", source: "" };
  return source === "" ? messages.config.origins[layer] : source;
}

/** What the model can do, apart from answering; "?" where the server does not say. */
export function abilityText(capabilities: readonly string[] | undefined, messages: Messages): string {
  if (capabilities === undefined) return "?";
  const { abilities, noAbilities } = messages.models;
  const known = Object.entries(abilities).flatMap(([name, word]) =>
    capabilities.includes(name) ? [word] : [],
  );
  return known.join(" ") || noAbilities;
}

/** How calls of a session with the model travel, and what decides it. */
export function protocolText(
  profile: ModelProfile,
  { config, origins }: LoadedConfig,
  messages: Messages,
): string {
  const words = messages.models.protocol;
  const origin = originText(origins["protocol"], messages);
  if (config.protocol === "text") return words.textSet(origin);
  if (profile.protocol === "native") return words.native;
  return config.protocol === "native" ? words.impossible(origin) : words.text;
}

export function windowText({ tokens, because, origin }: SessionWindow, messages: Messages): string {
  const reasons = messages.models.windowBecause;
  const reason =
    because === "configured" ? reasons.configured(originText(origin, messages)) : reasons[because];
  return messages.models.windowText(tokens, reason);
}

export function fitText(fit: MemoryFit, messages: Messages): string {
  return messages.models.fit[fit.verdict](byteText(fit.neededBytes));
}

/** The window and the GPU's share of a model in memory. */
export function loadedText({ size, sizeVram, contextLength }: LoadedModel, messages: Messages): string {
  const window = contextLength === undefined ? "?" : tokenText(contextLength);
  return size === 0 ? window : `${window}, ${messages.models.gpuShare(Math.round((100 * sizeVram) / size))}`;
}
