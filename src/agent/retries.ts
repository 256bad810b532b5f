import { setTimeout as delay } from "node:timers/promises";
import type { ModelErrorKind } from "../model/model-error.js";
import { ModelError } from "../model/model-error.js";

/** Faults of the server that pass by themselves, with the waits before each new try in milliseconds. */
const WAITS: Partial<Record<ModelErrorKind, readonly number[]>> = {
  busy: [1_000, 3_000, 9_000],
  "runner-crashed": [2_000],
};

/** Counts the tries of one request. */
export interface Retries {
  /** Waits and returns true if the same request is worth another try; `tell` says so first. */
  again(error: unknown, tell: (text: string) => void, signal: AbortSignal): Promise<boolean>;
}

export function createRetries(): Retries {
  const tried = new Map<ModelErrorKind, number>();
  return {
    async again(error, tell, signal) {
      if (!(error instanceof ModelError)) return false;
      const count = tried.get(error.kind) ?? 0;
      const wait = WAITS[error.kind]?.[count];
      if (wait === undefined) return false;
      tried.set(error.kind, count + 1);
      tell(`${error.message}; trying again in ${wait / 1000} s`);
      await delay(wait, undefined, { signal });
      return true;
    },
  };
}
