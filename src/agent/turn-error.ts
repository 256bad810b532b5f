import { messageOf, UserError } from "../errors.js";
import type { TurnEnd } from "./agent-events.js";
import type { ReplyFault } from "./reply-faults.js";
import type { TurnLimit } from "./turn-limits.js";

type TurnError = NonNullable<TurnEnd["error"]>;

/** What was thrown, as `turn-end` tells it. */
export function turnError(error: unknown): TurnError {
  if (!(error instanceof UserError)) return { code: "internal", message: messageOf(error) };
  return {
    code: error.code,
    message: error.message,
    hint: error.hint,
  };
}

/** What becomes of a turn whose last reply could not be mended: it fails, or the reply stands and the user is warned. */
type FaultEnd = { message: string; hint: string } | { stands: string };

const ENDS: Record<ReplyFault, FaultEnd> = {
  empty: {
    message: "the model returned nothing, neither words nor a tool call",
    hint: "Send the prompt again or in other words; if it repeats, use another model (--model)",
  },
  "swallowed-call": {
    message:
      "the model wrote something that did not arrive, most likely a tool call that the server could not read",
    hint: "Send the prompt again; if it repeats, use another model (--model). --debug records the replies",
  },
  "thinking-only": {
    message: "the model's reply was all thinking and held no answer",
    hint: "Switch thinking off with --think off, or use another model (--model)",
  },
  "output-limit": {
    message: "the reply reached the output limit while the model was still thinking, before an answer",
    hint: "Raise ollama.numPredict in the configuration, or switch thinking off with --think off",
  },
  "truncated-call": {
    message: "the model's tool calls were cut off again and again, and none was run",
    hint: "Ask for a smaller step, or raise ollama.numPredict in the configuration",
  },
  announced: { stands: "the model says what it will do next, and did not do it" },
  claimed: { stands: "the model says that it changed something, but no file was changed in this turn" },
  "shown-code": { stands: "the answer shows code for a file that was not changed" },
  "cut-answer": {
    stands: "the answer is not whole: it reached the output limit again (ollama.numPredict)",
  },
  repetition: {
    message: "the model repeated itself over and over and was stopped twice",
    hint: "Send the prompt again in other words; if it repeats, use another model (--model)",
  },
  "runaway-thinking": {
    message: "the model thought without coming to an answer and was stopped",
    hint: "Switch thinking off with --think off, or raise ollama.numPredict in the configuration",
  },
  "server-parse": {
    message: "the model wrote tool calls that the server could not read",
    hint: "Send the prompt again; if it repeats, use another model (--model)",
  },
  "unreadable-call": {
    message: "the model wrote tool calls that cannot be run",
    hint: "Send the prompt again; if it repeats, use another model (--model)",
  },
};

/** What the user is told of a reply that stands though it could not be mended; undefined if it cannot stand. */
export function standingText(fault: ReplyFault): string | undefined {
  const end = ENDS[fault];
  return "stands" in end ? end.stands : undefined;
}

/** The end of a turn whose last reply could not be mended. */
export function unmendedError(fault: ReplyFault): TurnError {
  const end = ENDS[fault];
  return { code: `reply-${fault}`, ...("stands" in end ? { message: end.stands } : end) };
}

/** How a limit is raised. */
const RAISES: Readonly<Record<string, string>> = {
  "limit-steps": "--max-steps N allows more requests",
  "limit-tool-calls": "--max-tool-calls N allows more calls",
  "limit-minutes": "--max-minutes N allows more time",
  "limit-tokens": "--max-tokens N allows more tokens",
};

export function limitError({ code, reason }: TurnLimit): TurnError {
  const raise = RAISES[code];
  const goOn = 'Go on from here with /continue, or with mini-cc ask --continue "go on"';
  return { code, message: reason, hint: raise === undefined ? goOn : `${goOn}; ${raise}` };
}
