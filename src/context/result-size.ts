/** Share of the window that one tool result may fill: four of them still leave room for the rest of the task. */
const WINDOW_SHARE = 0.2;
/** Characters of a token in source code, on the low side. */
const CHARS_PER_TOKEN = 3.5;
/** Beyond this a model reads worse, not better, however large the window is. */
const MAX_CHARS = 24_000;
/** Below this a result says nothing. */
const MIN_CHARS = 2_000;

/** Most characters of one tool result, for a window of `numCtx` tokens. */
export function resultChars(numCtx: number): number {
  return Math.max(MIN_CHARS, Math.min(MAX_CHARS, Math.floor(numCtx * WINDOW_SHARE * CHARS_PER_TOKEN)));
}
