import type { RecordedTurn } from "../undo/change-recorder.js";
import type { GateTurn } from "./tool-gate.js";

/** A turn as undo knows it. */
export function recordedTurn({ signal, emit }: Pick<GateTurn, "signal" | "emit">): RecordedTurn {
  return { signal, tell: (level, code, text) => emit({ type: "notice", level, code, text }) };
}
