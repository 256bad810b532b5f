import { createHash } from "node:crypto";
import type { CallMade, CallResult, LoopAdvice } from "./loop-guard.js";
import { LOOP_LIMITS } from "./loop-limits.js";
import { createReplyTally } from "./reply-tally.js";

/** What waits for something else to happen: asking again is the way to use it. */
const POLLING_TOOLS: ReadonlySet<string> = new Set(["command_output"]);
const LONGEST_CYCLE = 4;

interface Seen {
  /** Times with this result, and times at all. */
  count: number;
  runs: number;
  result: string;
  output: string;
}

/** The same call with the same result, and the same few calls in turn. */
export interface RepeatedCalls {
  /** The stored result, in place of a run that would bring nothing new. */
  before(call: CallMade): string | undefined;
  after(call: CallMade, result: CallResult, reply: number): LoopAdvice;
  /** Whether this result of this call is known. */
  knows(call: CallMade, result: CallResult): boolean;
  /** By this call something was changed: others may have another result now. A cycle goes on: progress breaks it. */
  changedBy(call: CallMade): void;
  reset(): void;
}

export function createRepeatedCalls(): RepeatedCalls {
  const seen = new Map<string, Seen>();
  const replies = createReplyTally();
  let history: string[] = [];
  /** The reply in which a cycle was named. */
  let namedIn: number | undefined;

  function identical(call: CallMade, result: string, output: string, reply: number): LoopAdvice {
    const key = keyOf(call);
    const before = seen.get(key);
    const runs = (before?.runs ?? 0) + 1;
    if (before?.result !== result || POLLING_TOOLS.has(call.tool)) {
      replies.clear(key);
      replies.count(key, reply);
      seen.set(key, { count: 1, runs, result, output });
      if (runs >= LOOP_LIMITS.changingStop) {
        return { kind: "changing", stop: `${call.tool} was called ${runs} times in the same way` };
      }
      return runs > LOOP_LIMITS.changingCap
        ? {
            kind: "changing",
            note: `You have done this ${runs} times. Think about the cause before you do it again.`,
          }
        : {};
    }
    before.count++;
    before.runs = runs;
    const times = replies.count(key, reply);
    if (times >= LOOP_LIMITS.identicalStop) {
      return {
        kind: "repeat",
        stop: `the same call of ${call.tool} was made ${times} times with the same result`,
      };
    }
    return {
      kind: "repeat",
      note: "You have already made this very call, with the same result. Use it, or do something else.",
    };
  }

  /** The steps that come round at the end of the history, results included, and how often they have. */
  function cycle(): { steps: readonly string[]; rounds: number } {
    for (let period = 2; period <= LONGEST_CYCLE; period++) {
      const steps = history.slice(-period);
      if (steps.length < period || new Set(steps).size === 1) continue;
      let rounds = 1;
      while (steps.every((step, index) => step === history.at(-period * (rounds + 1) + index))) rounds++;
      if (rounds >= LOOP_LIMITS.cycleNudge) return { steps, rounds };
    }
    return { steps: [], rounds: 0 };
  }

  function inCircles(reply: number): LoopAdvice {
    const { steps, rounds } = cycle();
    if (rounds === 0) {
      namedIn = undefined;
      return {};
    }
    if (rounds >= LOOP_LIMITS.cycleStop && namedIn !== undefined && namedIn < reply) {
      return { kind: "cycle", stop: `the same ${steps.length} steps came round ${rounds} times` };
    }
    namedIn ??= reply;
    const names = steps.map((step) => step.slice(0, step.indexOf(" "))).join(", ");
    return {
      kind: "cycle",
      note: `You go round in circles: ${names}, ${rounds} times with the same results. Do something else.`,
    };
  }

  return {
    changedBy(call) {
      const own = keyOf(call);
      for (const key of [...seen.keys()].filter((other) => other !== own)) {
        seen.delete(key);
        replies.clear(key);
      }
    },
    reset() {
      seen.clear();
      replies.clear();
      history = [];
      namedIn = undefined;
    },
    before(call) {
      const known = POLLING_TOOLS.has(call.tool) ? undefined : seen.get(keyOf(call));
      if (!known || known.count + 1 < LOOP_LIMITS.storedFrom) return undefined;
      return known.output;
    },
    knows: (call, { output }) => seen.get(keyOf(call))?.result === hashOf(output),
    after(call, { output }, reply) {
      const result = hashOf(output);
      history.push(`${keyOf(call)}=${result}`);
      const same = identical(call, result, output, reply);
      const round = inCircles(reply);
      // Of two hints the one that says more.
      if (round.stop !== undefined || same.stop === undefined) return round.kind === undefined ? same : round;
      return same;
    },
  };
}

/** The order in which a model writes the keys makes no other call. */
function keyOf({ tool, args }: CallMade): string {
  return `${tool} ${JSON.stringify(sorted(args))}`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
