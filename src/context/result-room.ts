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
/** What the mark of a cut takes on top. */
const MARK_TOKENS = 30;

/** What the results of one reply may take of the window. They are fitted when they come, and never rewritten later. */
export interface ResultRoom {
  /** A new reply: `used` tokens of the window are taken. */
  start(used: number): void;
  /** Most characters of the next result. */
  maxChars(): number;
  /** Most tokens of the next image. */
  maxImageTokens(): number;
  /** Counts an image. */
  takeImage(tokens: number): void;
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
    // The rest is for what the image is about.
    maxImageTokens: () => Math.max(0, Math.floor(left / 2)),
    takeImage(tokens) {
      left -= tokens;
    },
    fit(text) {
      const tokens = estimateTokens(text);
      const limit = Math.max(MIN_TOKENS, left);
      left -= Math.min(tokens, limit);
      return tokens <= limit ? text : cutTo(text, limit);
    },
  };
}

/** The beginning and the end of a text, with a visible mark between them, in about so many tokens at most. */
export function cutTo(text: string, tokens: number, tokensIn = estimateTokens): string {
  let chars = Math.max(1, Math.floor((text.length * tokens) / tokensIn(text)));
  // What is kept may be denser than the text is on the whole.
  while (chars > 1 && tokensIn(cutMiddle(text, chars)) > tokens + MARK_TOKENS)
    chars = Math.floor(chars * 0.8);
  return cutMiddle(text, chars);
}

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
