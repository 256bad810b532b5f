import { messageOf, UserError } from "../errors.js";
import type { TurnEnd } from "./agent-events.js";
import type { EmptyReply, TurnLimit } from "./turn.js";

type TurnError = NonNullable<TurnEnd["error"]>;

/** What was thrown, as `turn-end` tells it. */
export function turnError(error: unknown): TurnError {
  if (!(error instanceof UserError)) return { code: "internal", message: messageOf(error) };
  return {
    code: error.code,
    message: error.message,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
  };
}

const EMPTY_REPLY: Record<EmptyReply, { message: string; hint: string }> = {
  nothing: {
    message: "the model returned nothing, neither words nor a tool call",
    hint: "Send the prompt again or in other words; if it repeats, use another model (--model)",
  },
  "thinking-only": {
    message: "the model's reply was all thinking and held no answer",
    hint: "Switch thinking off with --think off",
  },
  length: {
    message: "the reply reached the output limit before it held an answer",
    hint: "Raise ollama.numPredict in the configuration, or switch thinking off with --think off",
  },
};

export function emptyReplyError(kind: EmptyReply): TurnError {
  return { code: `empty-reply-${kind}`, ...EMPTY_REPLY[kind] };
}

export function limitError({ code, reason }: TurnLimit): TurnError {
  return { code, message: reason, hint: 'Send "go on" to continue from here' };
}
