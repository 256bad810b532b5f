import { SUMMARY_ROOM } from "./context-budget.js";
import { estimateTokens } from "./token-estimate.js";

/** Share of the window that one tool result may fill: four of them still leave room for the rest of the task. */
const WINDOW_SHARE = 0.2;
/** Characters of a token in source code, on the low side. */
const CHARS_PER_TOKEN = 3.5;
/** Beyond this a model reads worse, not better, however large the window is. */
const MAX_CHARS = 24_000;
/** Below this a result says nothing. */
const MIN_CHARS = 800;
const MIN_TOKENS = 250;

/** What the results of one reply may take of the window. They are fitted when they come, and never rewritten later. */
export interface ResultRoom {
  /** A new reply: `used` tokens of the window are taken. */
  start(used: number): void;
  /** Most characters of the next result. */
  maxChars(): number;
  /** The result as it is stored: cut if it would not leave room for a summary. */
  fit(text: string): string;
}

/** @param window tokens; asked each time, since a server may turn out to have less */
export function createResultRoom(window: () => number): ResultRoom {
  let left = window();
  return {
    start(used) {
      left = window() - SUMMARY_ROOM - used;
    },
    maxChars() {
      const share = Math.min(MAX_CHARS, window() * WINDOW_SHARE * CHARS_PER_TOKEN);
      return Math.floor(Math.max(MIN_CHARS, Math.min(share, left * CHARS_PER_TOKEN)));
    },
    fit(text) {
      const tokens = estimateTokens(text);
      const limit = Math.max(MIN_TOKENS, left);
      left -= Math.min(tokens, limit);
      return tokens <= limit ? text : cutMiddle(text, Math.floor((text.length * limit) / tokens));
    },
  };
}

/** Keeps the beginning and the end, with a visible mark between them. */
function cutMiddle(text: string, chars: number): string {
  const head = Math.floor(chars * 0.7);
  const tail = chars - head;
  const omitted = text.length - chars;
  return `${whole(text.slice(0, head))}\n[… ${omitted} characters left out, the context window is nearly full …]\n${whole(text.slice(-tail))}`;
}

/** Without half a character at a cut. */
function whole(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
}
