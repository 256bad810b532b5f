import type { CallProtocol } from "./call-protocol.js";
import type { Think } from "./chat-model.js";
import { supportsTools } from "./choose-model.js";
import type { ModelDescription } from "./model-description.js";

/** What a family of models needs beyond what its capabilities say. Prompt and tools are the same for all. */
interface Family {
  /** For people. */
  name: string;
  /** Of what the server calls the family, or of the model's own name, in small letters. */
  pattern: RegExp;
  /** Thinking comes in levels and cannot be switched off. */
  hasLevels?: true;
  /** Thinks in its text, also where the server does not know of it. */
  thinksInText?: true;
  /** Below it the family repeats itself without end, by the words of those who made it. */
  leastTemperature?: number;
}

/** The first that fits counts. */
const FAMILIES: readonly Family[] = [
  { name: "gpt-oss", pattern: /^gpt-?oss/, hasLevels: true },
  { name: "DeepSeek-R1", pattern: /^deepseek-r1/, thinksInText: true, leastTemperature: 0.5 },
  { name: "QwQ", pattern: /^qwq/, thinksInText: true, leastTemperature: 0.3 },
  { name: "Qwen3", pattern: /^qwen3/, leastTemperature: 0.3 },
];

/** Where the Modelfile sets no temperature: tool calls want little of it, and none makes some families repeat. */
const DEFAULT_TEMPERATURE = 0.2;

/** How a session treats a model. */
export interface ModelProfile {
  /** Undefined: none that needs anything of its own. */
  family: string | undefined;
  /** Where neither flag nor configuration decides. */
  protocol: CallProtocol;
  /** `switch`: on or off. `levels`: low, medium or high, never off. `in-text`: always, and it is taken out of the text. */
  thinking: "none" | "switch" | "levels" | "in-text";
  leastTemperature: number | undefined;
}

export function profileOf(name: string, details: ModelDescription): ModelProfile {
  const names = [details.family, name.replace(/^.*\//, "")].map((text) => text.toLowerCase());
  const family = FAMILIES.find(({ pattern }) => names.some((text) => pattern.test(text)));
  return {
    family: family?.name,
    protocol: supportsTools(details.capabilities) ? "native" : "text",
    thinking: thinkingOf(family, details),
    leastTemperature: family?.leastTemperature,
  };
}

function thinkingOf(family: Family | undefined, details: ModelDescription): ModelProfile["thinking"] {
  if (details.capabilities?.includes("thinking")) return family?.hasLevels ? "levels" : "switch";
  return family?.thinksInText || details.template.includes("<think>") ? "in-text" : "none";
}

/**
 * The `think` field, always explicit, since leaving it out means on. A model that the server does not take for a
 * thinking one refuses anything but false.
 */
export function thinkField(
  configured: "off" | "on" | "low" | "medium" | "high",
  { thinking }: ModelProfile,
): Think {
  if (thinking === "none" || thinking === "in-text") return false;
  if (thinking === "switch") return configured !== "off";
  return configured === "off" ? "low" : configured === "on" ? "medium" : configured;
}

/** Undefined leaves the model's own temperature in force. */
export function temperature(
  configured: number | undefined,
  { setsTemperature }: ModelDescription,
  { leastTemperature = 0 }: ModelProfile,
): number | undefined {
  const wanted = configured ?? (setsTemperature ? undefined : DEFAULT_TEMPERATURE);
  return wanted === undefined ? undefined : Math.max(wanted, leastTemperature);
}
