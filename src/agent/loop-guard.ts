import { createHash } from "node:crypto";

/** When a model goes round in circles, by signal. Counted within a turn; progress of any kind starts the count anew. */
export const LOOP_LIMITS = {
  /** The same call with the same result: from this time on the stored result is given instead of a run. */
  storedFrom: 3,
  /** … and at this time the turn ends. */
  identicalStop: 5,
  /** Runs of a call whose result changes, such as a test between edits. */
  changingCap: 8,
  /** Rounds of a cycle of two to four calls after which it is named, and after which the turn ends. */
  cycleNudge: 3,
  cycleStop: 4,
  /** Searches and lists in a row that show nothing new. */
  wanderingNudge: 6,
  wanderingStop: 16,
  /** Failing edits of one file in a row. */
  failedEditStop: 5,
  /** The same failure of commands without a change in between. */
  sameFailureNudge: 3,
  sameFailureStop: 5,
} as const;

const LONGEST_CYCLE = 4;

interface CallMade {
  tool: string;
  args: unknown;
}

export interface CallResult {
  status: string;
  output: string;
  /** Files were changed. */
  changed: boolean;
  /** Of a command; undefined for other tools. */
  exitCode?: number | null | undefined;
}

interface LoopAdvice {
  /** Added to the result, for the model. */
  note?: string;
  /** Why the turn ends. */
  stop?: string;
}

export interface LoopGuard {
  /** The stored result, in place of a run that would bring nothing new. */
  before(call: CallMade): string | undefined;
  after(call: CallMade, result: CallResult): LoopAdvice;
  /** The conversation was compacted: what was cut may be read again. */
  reset(): void;
}

interface Seen {
  count: number;
  runs: number;
  result: string;
  output: string;
}

const WANDERING_TOOLS: ReadonlySet<string> = new Set(["list_files", "search_code"]);

export function createLoopGuard(): LoopGuard {
  let seen = new Map<string, Seen>();
  let history: string[] = [];
  let wandering = 0;
  let failedEdits = new Map<string, number>();
  let failure = { text: "", count: 0 };

  function reset(): void {
    seen = new Map();
    history = [];
    wandering = 0;
    failedEdits = new Map();
    failure = { text: "", count: 0 };
  }

  /** How often the same two to four steps, results included, have come round at the end of the history. */
  function cycles(): number {
    for (let period = 2; period <= LONGEST_CYCLE; period++) {
      const last = history.slice(-period);
      if (last.length < period || new Set(last).size === 1) continue;
      let rounds = 1;
      while (last.every((step, index) => step === history.at(-period * (rounds + 1) + index))) rounds++;
      if (rounds >= LOOP_LIMITS.cycleNudge) return rounds;
    }
    return 0;
  }

  function identical(key: string, result: string, output: string): LoopAdvice {
    const before = seen.get(key);
    if (before?.result !== result) {
      const runs = (before?.runs ?? 0) + 1;
      seen.set(key, { count: 1, runs, result, output });
      return runs > LOOP_LIMITS.changingCap
        ? { note: `You have done this ${runs} times. Think about the cause before you do it again.` }
        : {};
    }
    before.count++;
    before.runs++;
    if (before.count >= LOOP_LIMITS.identicalStop) {
      return { stop: `the same call was made ${before.count} times with the same result` };
    }
    return {
      note: "You have already made this very call, with the same result. Use it, or do something else.",
    };
  }

  function wander({ tool }: CallMade, isNew: boolean): LoopAdvice {
    if (!WANDERING_TOOLS.has(tool) || isNew) {
      wandering = 0;
      return {};
    }
    wandering++;
    if (wandering >= LOOP_LIMITS.wanderingStop) return { stop: `${wandering} searches brought nothing new` };
    return wandering % LOOP_LIMITS.wanderingNudge === 0
      ? { note: "The last searches brought nothing new. Say what you know; then edit, or answer." }
      : {};
  }

  function failing({ tool, args }: CallMade, { status, output, exitCode }: CallResult): LoopAdvice {
    if (tool === "edit_file" && status === "error") {
      const path = pathOf(args);
      const count = (failedEdits.get(path) ?? 0) + 1;
      failedEdits.set(path, count);
      if (count >= LOOP_LIMITS.failedEditStop) return { stop: `${count} edits of ${path} failed in a row` };
    }
    const failed = exitCode !== undefined && exitCode !== 0;
    if (!failed) return {};
    failure = { text: output, count: failure.text === output ? failure.count + 1 : 1 };
    if (failure.count >= LOOP_LIMITS.sameFailureStop) {
      return {
        stop: `a command failed ${failure.count} times in the same way, with nothing changed in between`,
      };
    }
    return failure.count >= LOOP_LIMITS.sameFailureNudge
      ? { note: "It fails in the same way as before. Change something first." }
      : {};
  }

  return {
    reset,

    before(call) {
      const known = seen.get(keyOf(call));
      if (!known || known.count + 1 < LOOP_LIMITS.storedFrom) return undefined;
      return known.output;
    },

    after(call, result) {
      const key = keyOf(call);
      const hash = hashOf(result.output);
      const isNew = !seen.has(key) && ![...seen.values()].some((other) => other.result === hash);
      if (result.changed && seen.get(key)?.result !== hash) reset();
      history.push(`${key}=${hash}`);
      const rounds = cycles();
      const advice = [
        identical(key, hash, result.output),
        rounds >= LOOP_LIMITS.cycleStop ? { stop: `the same steps came round ${rounds} times` } : {},
        rounds >= LOOP_LIMITS.cycleNudge
          ? { note: "You go round in circles: the same steps with the same results. Do something else." }
          : {},
        failing(call, result),
        wander(call, isNew),
      ];
      // One nudge at a time: two are not heeded better than one.
      return (
        advice.find(({ stop }) => stop !== undefined) ?? advice.find(({ note }) => note !== undefined) ?? {}
      );
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

function pathOf(args: unknown): string {
  return typeof args === "object" && args !== null && "path" in args ? String(args.path) : "";
}
