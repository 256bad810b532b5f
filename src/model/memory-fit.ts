/**
 * Shares of the machine's memory. Up to the first, model and window leave room for the system and an editor, and stay
 * within the 75 % that macOS lets a GPU have; beyond the second, a server refuses the model or the system swaps.
 */
const COMFORTABLE_SHARE = 0.7;
const LAST_SHARE = 0.9;

/** For a server that does not tell the model's shape: the larger end for models of 7 to 8 billion parameters. */
const USUAL_KV_BYTES_PER_TOKEN = 147_456;

export interface MemoryFit {
  verdict: "fits" | "tight" | "too-large";
  /** Bytes of model and window together, estimated. */
  neededBytes: number;
}

/** Whether a model with a window of so many tokens fits into so much memory; the file is loaded as it is. */
export function memoryFit(model: {
  fileBytes: number;
  window: number;
  kvBytesPerToken: number | undefined;
  memoryBytes: number;
}): MemoryFit {
  const { fileBytes, window, kvBytesPerToken = USUAL_KV_BYTES_PER_TOKEN, memoryBytes } = model;
  const neededBytes = fileBytes + window * kvBytesPerToken;
  const share = neededBytes / memoryBytes;
  const verdict = share <= COMFORTABLE_SHARE ? "fits" : share <= LAST_SHARE ? "tight" : "too-large";
  return { verdict, neededBytes };
}
