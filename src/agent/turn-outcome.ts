import type { TurnEnd } from "./agent-events.js";
import { stopReason, TimeIsUp } from "./turn-clock.js";
import { limitError, standingText, turnError, unmendedError } from "./turn-error.js";
import type { Turn } from "./turn.js";

/** The end of a turn whose run ended by itself. */
export function endOf(turn: Turn): TurnEnd {
  if (turn.limit !== undefined) return turn.end("limit", limitError(turn.limit));
  if (turn.fault === undefined) return turn.end("done");
  const stands = standingText(turn.fault);
  if (stands === undefined) return turn.end("failed", unmendedError(turn.fault));
  turn.emit({ type: "notice", level: "warning", code: `stands-${turn.fault}`, text: stands });
  return turn.end("done");
}

/** The end of a turn whose run threw. */
export function brokenEndOf(turn: Turn, error: unknown): TurnEnd {
  if (turn.limit !== undefined && error instanceof Error && error.name === "GraphRecursionError") {
    // Asked for words twice, once without tools, it still calls.
    return turn.end("limit", limitError(turn.limit));
  }
  if (turn.signal.aborted) {
    turn.onCut(`cut off: ${stopReason(turn.signal)}`);
    const isLate = turn.signal.reason instanceof TimeIsUp;
    return isLate && turn.limit ? turn.end("limit", limitError(turn.limit)) : turn.end("cancelled");
  }
  turn.onCut("cut off: the request failed");
  return turn.end("failed", turnError(error));
}
