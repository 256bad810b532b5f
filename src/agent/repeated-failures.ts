import type { CallMade, CallResult, LoopAdvice } from "./loop-guard.js";
import { LOOP_LIMITS } from "./loop-limits.js";
import { createReplyTally } from "./reply-tally.js";

/** Edits of one file that fail again and again, and commands that fail alike with nothing changed in between. */
export interface RepeatedFailures {
  after(call: CallMade, result: CallResult, reply: number): LoopAdvice;
  /** A command has done more than read: what failed before may go well now. */
  mayHaveChanged(): void;
  reset(): void;
}

/** What differs between two runs of a command though nothing else does: durations and times of day. */
const TIMES =
  /\b\d+(?:[.,]\d+)?\s?(?:ns|µs|us|ms|s|secs?|seconds?|m|min|minutes?)\b|\b\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?\b/g;

/** A failure that says nothing is no reason that could be compared: a search ends like that, and so does a test. */
const SAYS_NOTHING = /, no output$/;

export function createRepeatedFailures(): RepeatedFailures {
  const edits = createReplyTally();
  const commands = createReplyTally();
  let newest: string | undefined;

  function afterEdit({ args }: CallMade, reply: number): LoopAdvice {
    const path = pathOf(args);
    const count = edits.count(path, reply);
    if (count < LOOP_LIMITS.failedEditStop) return {};
    return { kind: "failing-edit", stop: `${count} edits of ${path} failed in a row` };
  }

  function afterCommand(output: string, reply: number): LoopAdvice {
    const failure = output.replace(TIMES, "…");
    if (SAYS_NOTHING.test(failure)) return {};
    if (failure !== newest) commands.clear();
    newest = failure;
    const count = commands.count(failure, reply);
    if (count >= LOOP_LIMITS.sameFailureStop) {
      return {
        kind: "same-failure",
        stop: `a command failed ${count} times in the same way, with nothing changed in between`,
      };
    }
    return count >= LOOP_LIMITS.sameFailureNudge
      ? { kind: "same-failure", note: "It fails in the same way as before. Change something first." }
      : {};
  }

  function mayHaveChanged(): void {
    commands.clear();
    newest = undefined;
  }

  return {
    mayHaveChanged,
    reset() {
      edits.clear();
      mayHaveChanged();
    },
    after(call, { status, output, exitCode }, reply) {
      if (call.tool === "edit_file" && status === "error") return afterEdit(call, reply);
      return exitCode === undefined || exitCode === 0 ? {} : afterCommand(output, reply);
    },
  };
}

function pathOf(args: unknown): string {
  return typeof args === "object" && args !== null && "path" in args ? String(args.path) : "";
}
