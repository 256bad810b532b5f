import type { ReplyStats } from "./reply-stats.js";

/** Tells how much of a prompt the server had in its cache; it counts all tokens but times only those it read. */
export interface ReadSpeed {
  /** Tokens; an estimate against the slowest reading seen so far, which was the least cached. */
  cachedTokens(stats: ReplyStats): number;
}

export function createReadSpeed(): ReadSpeed {
  let msPerToken = 0;
  return {
    cachedTokens({ promptTokens, promptMs }) {
      if (promptTokens === 0) return 0;
      msPerToken = Math.max(msPerToken, promptMs / promptTokens);
      return msPerToken === 0 ? 0 : Math.max(0, Math.round(promptTokens - promptMs / msPerToken));
    },
  };
}
