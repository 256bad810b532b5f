import { createRepetitionWatch } from "./repetition.js";
import type { Delta } from "./reply-deltas.js";

/** Why a reply was ended before the model had finished it. */
export type Runaway = "repetition" | "thinking";

export interface RunawayWatch {
  /**
   * Takes what one read brought, and how many objects of the stream that were. Tells why the reply should be ended;
   * undefined as a rule.
   */
  take(deltas: readonly Delta[], objects: number): Runaway | undefined;
  /** Characters of the text up to the end of the first copy; undefined if the text does not repeat itself. */
  readonly keptChars: number | undefined;
}

/** Hardly a token is longer, so that it gives their least number where a server sends many in one object. */
const LONG_TOKEN_CHARS = 12;

/**
 * Watches a reply for text that comes round and round, and for thinking without an end. What may turn out to be a call
 * is not watched: arguments may repeat themselves.
 * @param mostThinking tokens of thinking without a word of an answer; undefined if it cannot be switched off
 */
export function createRunawayWatch(mostThinking: number | undefined): RunawayWatch {
  const text = createRepetitionWatch();
  const thinking = createRepetitionWatch();
  let objectsOfThinking = 0;
  let charsOfThinking = 0;
  let hasAnswer = false;
  let keptChars: number | undefined;

  return {
    get keptChars() {
      return keptChars;
    },
    take(deltas, objects) {
      for (const delta of deltas) {
        if (delta.kind === "text") {
          hasAnswer ||= delta.text.trim() !== "";
          keptChars ??= text.add(delta.text);
          if (keptChars !== undefined) return "repetition";
        } else if (delta.kind === "thinking") {
          objectsOfThinking += objects;
          charsOfThinking += delta.text.length;
          const repeats = thinking.add(delta.text) !== undefined;
          if (repeats) return mostThinking === undefined ? "repetition" : "thinking";
        } else {
          hasAnswer = true;
        }
      }
      if (hasAnswer || mostThinking === undefined) return undefined;
      const tokens = Math.max(objectsOfThinking, charsOfThinking / LONG_TOKEN_CHARS);
      return tokens > mostThinking ? "thinking" : undefined;
    },
  };
}
