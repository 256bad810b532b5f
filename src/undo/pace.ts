import { setImmediate } from "node:timers/promises";

/** Milliseconds of work in one piece; then the interface has its turn. */
const SLICE_MS = 15;

/**
 * To be awaited between small pieces of work: lets other work go on after every slice, and rejects on abort. Resolves
 * to true once the time is up.
 */
export function createPace(limitMs: number, signal?: AbortSignal): () => Promise<boolean> {
  const end = performance.now() + limitMs;
  let since = performance.now();
  return async () => {
    if (performance.now() - since < SLICE_MS) return false;
    await setImmediate();
    signal?.throwIfAborted();
    since = performance.now();
    return since > end;
  };
}
