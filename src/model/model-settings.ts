import type { Think } from "./chat-model.js";
import type { ModelDetails } from "./ollama-client.js";

/** Tokens; a window that a 7B model can hold on an 8 GB machine, and that a task of ten files fits into. */
const DEFAULT_WINDOW = 16_384;

/** Where the Modelfile sets no temperature: tool calls want little of it, and none makes some families repeat. */
const DEFAULT_TEMPERATURE = 0.2;

/** Tokens for `num_ctx`: what was configured or our default, never more than the model was trained for. */
export function contextWindow(configured: number | undefined, details: ModelDetails): number {
  return Math.min(configured ?? DEFAULT_WINDOW, details.trainedContext ?? Infinity);
}

/** Undefined leaves the model's own temperature in force. */
export function temperature(configured: number | undefined, details: ModelDetails): number | undefined {
  return configured ?? (details.setsTemperature ? undefined : DEFAULT_TEMPERATURE);
}

/**
 * The `think` field, always explicit, since leaving it out means on. A model that cannot think refuses anything but
 * false; gpt-oss knows levels only and cannot be switched off.
 */
export function thinkField(
  configured: "off" | "on" | "low" | "medium" | "high",
  details: ModelDetails,
): Think {
  if (details.capabilities?.includes("thinking") !== true) return false;
  const levelsOnly = /^gpt-?oss/.test(details.family);
  switch (configured) {
    case "off":
      return levelsOnly ? "low" : false;
    case "on":
      return levelsOnly ? "medium" : true;
    case "low":
    case "medium":
    case "high":
      return levelsOnly ? configured : true;
  }
}
