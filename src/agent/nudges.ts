import { NUDGES_PER_TURN } from "./loop-limits.js";

/** The words of ours to the model that a turn has left. */
export interface Nudges {
  /** Uses one up; false if none is left, or if the newest reply has had one. */
  take(): boolean;
  /** A reply has come. */
  nextReply(): void;
}

export function createNudges(): Nudges {
  let left = NUDGES_PER_TURN;
  let isTaken = false;
  return {
    take() {
      if (left === 0 || isTaken) return false;
      left--;
      isTaken = true;
      return true;
    },
    nextReply() {
      isTaken = false;
    },
  };
}
