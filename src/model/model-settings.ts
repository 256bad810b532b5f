import type { ModelDetails } from "./ollama-client.js";

const GIB = 1024 ** 3;

/**
 * Tokens of window by the machine's memory, the first line that fits. Modest on purpose: the window's memory comes on
 * top of the model's, at 56 to 144 KB a token for models of 7 to 8 billion parameters.
 */
const WINDOW_BY_MEMORY: readonly { atLeastBytes: number; window: number }[] = [
  { atLeastBytes: 22 * GIB, window: 32_768 },
  { atLeastBytes: 12 * GIB, window: 16_384 },
  { atLeastBytes: 0, window: 8_192 },
];

/** Near what most Modelfiles set. */
const MODEL_DEFAULT = 0.6;

export interface WindowWish {
  /** From flag or configuration. */
  configured: number | undefined;
  /** Found to fit on this server in an earlier session. */
  remembered: number | undefined;
  /** Bytes of the machine's memory. */
  memoryBytes: number;
}

/** Tokens for `num_ctx`, the same for a whole session; never more than the model was trained for. */
export function contextWindow(
  { configured, remembered, memoryBytes }: WindowWish,
  details: Pick<ModelDetails, "trainedContext">,
): number {
  const byMemory = WINDOW_BY_MEMORY.find(({ atLeastBytes }) => memoryBytes >= atLeastBytes)?.window;
  const wanted = configured ?? remembered ?? byMemory ?? Infinity;
  return Math.min(wanted, details.trainedContext ?? Infinity);
}

/** A step of temperature, and the most that steps lead to. */
const HEAT_STEP = 0.2;
const MOST_HEAT = 0.9;

/** Temperature for asking again, since a model fails at the same temperature in the same way. */
export function hotter(temperature: number | undefined, steps: number): number {
  const usual = temperature ?? MODEL_DEFAULT;
  return Math.max(usual, Math.min(usual + steps * HEAT_STEP, MOST_HEAT));
}

/** Tokens of a reply that may be thinking before its first word; at the default length of a reply 3,000. */
const LEAST_THINKING_LIMIT = 3_000;
const THINKING_SHARE = 3_000 / 4_096;

/** Most tokens of thinking without a word of an answer. What is configured to be longer may think longer. */
export function thinkingLimit(numPredict: number): number {
  return Math.max(LEAST_THINKING_LIMIT, Math.round(numPredict * THINKING_SHARE));
}
