import { createFruitlessSearches } from "./fruitless-searches.js";
import { LOOP_LIMITS } from "./loop-limits.js";
import { createRepeatedCalls } from "./repeated-calls.js";
import { createRepeatedFailures } from "./repeated-failures.js";
import { createReplyTally } from "./reply-tally.js";

export interface CallMade {
  tool: string;
  args: unknown;
}

export interface CallResult {
  status: string;
  output: string;
  /** It came to a run: the call was understood and permitted. */
  wasRun?: boolean;
  /** Files were changed. */
  changed: boolean;
  /** A command that does more than read has ended well, or was started. */
  mayHaveChanged?: boolean;
  /** Of a command; undefined for other tools. */
  exitCode?: number | null | undefined;
}

/** By which signal a circle was noticed. */
export type LoopKind =
  "repeat" | "changing" | "cycle" | "wandering" | "failing-edit" | "same-failure" | "wrong-call";

export interface LoopAdvice {
  kind?: LoopKind;
  /** Added to the result, for the model. */
  note?: string;
  /** Why the turn ends. */
  stop?: string;
}

/** Notices when the calls of a turn go round in circles; the limits are in `loop-limits.ts`. */
export interface LoopGuard {
  /** A reply with calls has come. */
  nextReply(): void;
  /** The stored result, in place of a run that would bring nothing new. */
  before(call: CallMade): string | undefined;
  after(call: CallMade, result: CallResult): LoopAdvice;
  /** A call could not be run, for the same reason as others with this key: how often, and what follows. */
  wrong(key: string): LoopAdvice & { times: number };
  /** The conversation was compacted: what was cut may be read again. */
  reset(): void;
}

export function createLoopGuard(): LoopGuard {
  const calls = createRepeatedCalls();
  const searches = createFruitlessSearches();
  const failures = createRepeatedFailures();
  const wrongCalls = createReplyTally();
  let reply = 0;

  return {
    nextReply() {
      reply++;
    },

    reset() {
      for (const part of [calls, searches, failures]) part.reset();
      wrongCalls.clear();
    },

    before: (call) => calls.before(call),

    after(call, result) {
      // A call whose result is known brings nothing new, whatever it changes.
      const isNews = !calls.knows(call, result);
      if (isNews && (result.changed || result.mayHaveChanged === true)) {
        calls.changedBy(call);
        failures.mayHaveChanged();
      }
      if (isNews && result.changed) {
        failures.reset();
        searches.reset();
        wrongCalls.clear();
      }
      const advice = [
        failures.after(call, result, reply),
        calls.after(call, result, reply),
        searches.after(call, result),
      ];
      // One hint at a time: two are not heeded better than one.
      return (
        advice.find(({ stop }) => stop !== undefined) ?? advice.find(({ note }) => note !== undefined) ?? {}
      );
    },

    wrong(key) {
      const times = wrongCalls.count(key, reply);
      return times < LOOP_LIMITS.wrongCallStop
        ? { times }
        : { times, kind: "wrong-call", stop: `${times} calls in this turn could not be run: ${key}` };
    },
  };
}
