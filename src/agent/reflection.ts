import type { CallMade, CallResult } from "./loop-guard.js";
import { createReplyTally } from "./reply-tally.js";

/** When a model is asked to think about its failures. */
const REFLECTION_LIMITS = {
  /** Failures of a tool for the same reason. */
  failures: 2,
  perTurn: 2,
} as const;

/** Notices that a tool fails again and again for one reason, and asks the model what it will do differently. */
export interface Reflection {
  /** A prompt to put behind the result, once for each reason; undefined as a rule. */
  after(call: CallMade, result: CallResult, reply: number): string | undefined;
}

/** Of a command; a search that finds nothing ends like this. */
const SAYS_NOTHING = /, no output$/;
/** What differs from try to try though the reason is the same: times, and places in a text that was edited. */
const VARYING =
  /\b\d+(?:[.,]\d+)?\s?(?:ns|µs|us|ms|s)\b|\b\d{1,2}:\d{2}(?::\d{2})?\b|(?<=:)\d+(?::\d+)?|\(\d+ lines?\)/g;
const REASON_CHARS = 160;

export function createReflection(): Reflection {
  const failures = createReplyTally();
  const asked = new Set<string>();
  return {
    after(call, result, reply) {
      const reason = reasonOf(call, result);
      if (reason === undefined) return undefined;
      const key = `${call.tool}: ${reason.key}`;
      const isDue = failures.count(key, reply) >= REFLECTION_LIMITS.failures && !asked.has(key);
      if (!isDue || asked.size >= REFLECTION_LIMITS.perTurn) return undefined;
      asked.add(key);
      return [
        `${call.tool} has failed twice for the same reason: ${reason.shown}`,
        "Before the next call, write three short lines: what failed; why; what you will do differently. Then do that.",
      ].join("\n");
    },
  };
}

/** Why a call failed; undefined if it did not fail, or was not run. */
function reasonOf(
  { args }: CallMade,
  { status, output, exitCode, wasRun }: CallResult,
): { key: string; shown: string } | undefined {
  if (wasRun !== true) return undefined;
  const failed = status === "error" || (exitCode !== undefined && exitCode !== 0);
  if (!failed || SAYS_NOTHING.test(output)) return undefined;
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  if (exitCode !== undefined) {
    const shown = lines.find((line) => /error|fail|not found|no such/i.test(line)) ?? lines[1] ?? lines[0];
    return { key: output.replace(VARYING, "…"), shown: short(shown ?? "") };
  }
  // The first sentence tells the reason; what follows helps more each time.
  const reason = lines[0]?.split(/(?<=[.:])\s/)[0] ?? "";
  return { key: `${JSON.stringify(pathIn(args))} ${reason.replace(VARYING, "…")}`, shown: short(reason) };
}

function pathIn(args: unknown): unknown {
  return typeof args === "object" && args !== null && "path" in args ? args.path : "";
}

function short(text: string): string {
  const line = text.trim();
  return line.length > REASON_CHARS ? `${line.slice(0, REASON_CHARS)}…` : line;
}
