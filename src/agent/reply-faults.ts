import type { ReplyStats } from "../model/reply-stats.js";

/** What is wrong with a reply that neither says anything nor makes a call that can be run. */
export type ReplyFault =
  | "swallowed-call"
  | "empty"
  | "thinking-only"
  | "output-limit"
  | "truncated-call"
  | "unreadable-call"
  | "server-parse";

/** One try at mending a fault. Something is different at every step, since the same request fails in the same way. */
export interface MendingStep {
  /** What the model is told; without it only the rest changes. */
  nudge?: string;
  /** With thinking off. */
  quiet?: true;
  /** With a higher temperature. */
  hotter?: true;
  /** What the user is told. */
  notice: string;
}

const CALL_OR_ANSWER = "Call one tool with valid arguments, or answer in plain text.";

/** What is tried for a fault, in this order; then the turn ends with its cause. */
const LADDERS: Record<ReplyFault, readonly MendingStep[]> = {
  "swallowed-call": [
    {
      nudge: `Your last reply could not be read. ${CALL_OR_ANSWER}`,
      notice: "the reply came empty though the model wrote something, so a tool call was lost; asking again",
    },
    {
      nudge: `Your last reply could not be read. ${CALL_OR_ANSWER}`,
      hotter: true,
      notice: "the reply was lost again; asking once more",
    },
  ],
  empty: [
    {
      nudge: "Continue: call the next tool, or answer the user.",
      hotter: true,
      notice: "the model returned nothing; asking again",
    },
  ],
  "thinking-only": [{ quiet: true, notice: "the reply was all thinking; asking again with thinking off" }],
  "output-limit": [
    { quiet: true, notice: "the reply reached the output limit before its answer; asking without thinking" },
  ],
  "truncated-call": [
    {
      nudge: "Your tool call was cut off and was not run. Write in smaller parts, at most 150 lines each.",
      notice: "a tool call was cut off; asking for smaller parts",
    },
    {
      nudge: "It was cut off again. Make a much smaller change first.",
      notice: "a tool call was cut off again; asking for a smaller one",
    },
  ],
  "unreadable-call": [
    { nudge: CALL_OR_ANSWER, notice: "the model wrote a call that cannot be run; telling it why" },
    { nudge: CALL_OR_ANSWER, hotter: true, notice: "the call still cannot be run; telling the model why" },
  ],
  "server-parse": [
    {
      nudge: `Your last tool call could not be read. ${CALL_OR_ANSWER}`,
      hotter: true,
      notice: "the server could not read the model's tool call; asking again",
    },
    {
      nudge: `It could not be read again. Use shorter arguments. ${CALL_OR_ANSWER}`,
      hotter: true,
      notice: "the server could not read the call again; asking once more",
    },
  ],
};

/** The next try for a fault that came `times` times before in this turn; undefined when nothing is left to try. */
export function mendingStep(fault: ReplyFault, times: number): MendingStep | undefined {
  return LADDERS[fault][times];
}

/** Undefined if the reply may stand. `text` and `thinking` are what it held; it made no call. */
export function replyFault(text: string, thinking: boolean, stats: ReplyStats): ReplyFault | undefined {
  const { problem, doneReason, outputTokens } = stats;
  if (problem === "truncated") return "truncated-call";
  if (problem !== undefined) return "unreadable-call";
  if (text.trim() !== "") return undefined;
  if (doneReason === "length") return "output-limit";
  if (thinking) return "thinking-only";
  // One or two tokens are an end mark; more are words that did not arrive.
  return outputTokens > 2 ? "swallowed-call" : "empty";
}
