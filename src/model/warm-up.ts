/** The model is loaded and reads what every request begins with, while the user types. */
export interface WarmUp {
  /** The server lists a model from the beginning of its load on, so only this knows when that ends. */
  readonly isLoading: boolean;
  /** A prompt is about to be sent: reading ends at once. A load goes on, since the prompt would only begin it anew. */
  makeWay(): Promise<void>;
  /** Ends the load too. */
  stop(): Promise<void>;
}

export interface WarmUpSteps {
  load: (signal: AbortSignal) => Promise<void>;
  read: (signal: AbortSignal) => Promise<void>;
  /** Of any step; nobody waits for an answer. */
  onFailure: (error: unknown) => void;
}

export function startWarmUp({ load, read, onFailure }: WarmUpSteps): WarmUp {
  const loading = new AbortController();
  const reading = new AbortController();
  let isLoading = true;

  async function run(): Promise<void> {
    try {
      await load(loading.signal).finally(() => {
        isLoading = false;
      });
      if (!reading.signal.aborted) await read(reading.signal);
    } catch (error) {
      const wasEnded = reading.signal.aborted && error instanceof Error && error.name === "AbortError";
      if (!wasEnded) onFailure(error);
    }
  }
  const done = run();

  return {
    get isLoading() {
      return isLoading;
    },
    async makeWay() {
      reading.abort(new DOMException("A prompt was sent", "AbortError"));
      if (!isLoading) await done;
    },
    async stop() {
      reading.abort(new DOMException("The session ends", "AbortError"));
      loading.abort(reading.signal.reason);
      await done;
    },
  };
}
