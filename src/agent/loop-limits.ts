/**
 * When a model goes round in circles, by signal. Counted within a turn; progress of any kind starts the count anew. What
 * comes several times in one reply counts once towards an end: the model has read nothing in between.
 */
export const LOOP_LIMITS = {
  /** The same call with the same result: from this time on the stored result is given instead of a run. */
  storedFrom: 3,
  /** … and at this time the turn ends. */
  identicalStop: 4,
  /** Runs of a call whose result changes though nothing was changed: a hint from here on, and in the end a stop. */
  changingCap: 8,
  changingStop: 16,
  /** Rounds of a cycle of two to four calls after which it is named, and after which the turn ends. */
  cycleNudge: 3,
  cycleStop: 4,
  /** Searches and lists in a row that show nothing new: the first hint, the next ones after so many more, the end. */
  wanderingNudge: 6,
  wanderingAgain: 4,
  wanderingStop: 16,
  /** Failing edits of one file in a row. The edit's own answers lead up to it: a diff, the lines to copy, a rewrite. */
  failedEditStop: 4,
  /** The same failure of commands without a change in between. */
  sameFailureNudge: 3,
  sameFailureStop: 4,
  /** Calls that were wrong in the same way: an unknown name, arguments that do not fit, a cut. */
  wrongCallStop: 3,
} as const;

/** Words of ours to the model within one turn, about replies and about circles together; more are not heeded. */
export const NUDGES_PER_TURN = 6;
