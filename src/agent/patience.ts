/** Milliseconds that a call may go on after it was stopped: ending a tree of processes takes up to three seconds. */
const STOPPING_MS = 10_000;

/** What `work` comes to; undefined if it has not ended some time after it was told to. */
export async function endedInTime<T>(
  work: Promise<T>,
  signal: AbortSignal,
  limitMs: number = STOPPING_MS,
): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  let onAbort = (): void => undefined;
  const late = new Promise<undefined>((resolve) => {
    onAbort = () => {
      timer = setTimeout(() => resolve(undefined), limitMs);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}
