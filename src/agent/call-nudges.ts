import type { ReplyStats } from "../model/reply-stats.js";
import type { AgentEvent } from "./agent-events.js";
import type { CallMade, CallResult, LoopAdvice, LoopKind } from "./loop-guard.js";
import type { Nudges } from "./nudges.js";
import { createReflection } from "./reflection.js";

/** What the user is told when the model is told that it goes round in circles. */
const CIRCLES: Record<LoopKind, string> = {
  repeat: "the model made a call again that had the same result before; it was told",
  changing: "the model made the same call many times; it was told",
  cycle: "the model goes round in circles; it was told",
  wandering: "the model's searches bring nothing new; it was told",
  "failing-edit": "the model's edits of a file fail again and again",
  "same-failure": "commands fail in the same way with nothing changed in between; the model was told",
  "wrong-call": "the model's calls cannot be run",
};

/** The words of ours behind the results of calls: about circles, and about failures that should be thought over. */
export interface CallNudges {
  /** What the model is told behind this result; undefined as a rule. */
  forCall(call: CallMade, result: CallResult, advice: LoopAdvice): string | undefined;
  /** The next request asks for a reflection. */
  readonly asksForReflection: boolean;
  /** The newest reply was to such a request. */
  readonly hasReflected: boolean;
  /** A reply has come; what a reflection took is told. */
  replied(stats: ReplyStats): void;
}

export interface CallNudgesOptions {
  nudges: Nudges;
  /** Whether failures are thought over. */
  reflects: boolean;
  emit: (event: AgentEvent) => void;
}

export function createCallNudges({ nudges, reflects, emit }: CallNudgesOptions): CallNudges {
  const reflection = createReflection();
  let reply = 0;
  /** The tool whose failures the next request asks about. */
  let about: string | undefined;
  let hasReflected = false;

  const tell = (code: string, text: string) => {
    emit({ type: "notice", level: "info", code, text });
  };

  return {
    get asksForReflection() {
      return about !== undefined;
    },
    get hasReflected() {
      return hasReflected;
    },
    forCall(call, result, { kind, note }) {
      const question = reflects ? reflection.after(call, result, reply) : undefined;
      if (question !== undefined && nudges.take()) {
        about = call.tool;
        tell(
          "reflection",
          `${call.tool} failed twice for the same reason: the model is asked to think it over`,
        );
        return question;
      }
      // A result that is stored, and a call that could not be run, say so themselves.
      if (kind === "repeat" && result.wasRun !== true) return undefined;
      if (kind === undefined || note === undefined || !nudges.take()) return undefined;
      tell(`loop-${kind}`, CIRCLES[kind]);
      return note;
    },
    replied({ outputTokens, promptMs, outputMs }) {
      reply++;
      hasReflected = about !== undefined;
      if (about === undefined) return;
      const seconds = ((promptMs + outputMs) / 1000).toFixed(1);
      tell(
        "reflection-cost",
        `the reply with the reflection on ${about} took ${outputTokens} tokens and ${seconds} s`,
      );
      about = undefined;
    },
  };
}
