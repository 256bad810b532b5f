import type { ReplyStats } from "../model/reply-stats.js";
import type { WordFault } from "./word-faults.js";

/** What is wrong with a reply that makes no call that can be run. */
export type ReplyFault =
  | WordFault
  | "swallowed-call"
  | "empty"
  | "thinking-only"
  | "output-limit"
  | "truncated-call"
  | "unreadable-call"
  | "server-parse"
  | "cut-answer"
  | "repetition"
  | "runaway-thinking";

/** One try at mending a fault. Something is different at every step, since the same request fails in the same way. */
export interface MendingStep {
  /**
   * What the model is told, with `{quote}` for what the fault is about; without it the reply is forgotten, and only the
   * rest changes.
   */
  nudge?: string;
  /** The nudge ends with what the user wants. */
  withGoal?: true;
  /** With thinking off; left out where it cannot be switched off, unless the step changes something else. */
  quiet?: true;
  /** With a higher temperature than before. */
  hotter?: true;
  /** Calls travel as text from here on, if the session may; else the step is as it stands without this. */
  asText?: true;
  /** Only for the first reply to the user's message, or only once tools were called. */
  only?: "first" | "later";
  /** What the user is told. */
  notice: string;
}

/** What can be done about a reply where it stands. */
export interface MendingPlace {
  /** Tools were called in this turn. */
  isLater: boolean;
  /** Thinking is on and can be switched off. */
  canBeQuiet: boolean;
}

const CALL_OR_ANSWER = "Call one tool with valid arguments, or answer in plain text.";

/** What is tried for a fault, in this order; then the turn ends with its cause, or the reply stands. */
const LADDERS: Record<ReplyFault, readonly MendingStep[]> = {
  "swallowed-call": [
    {
      nudge: `Your last reply could not be read. ${CALL_OR_ANSWER}`,
      notice: "the reply came empty though the model wrote something, so a tool call was lost; asking again",
    },
    {
      nudge: `It could not be read again. ${CALL_OR_ANSWER}`,
      hotter: true,
      asText: true,
      notice: "the reply was lost again; asking once more",
    },
  ],
  empty: [
    { only: "first", hotter: true, notice: "the model returned nothing; asking again" },
    {
      only: "later",
      nudge: "Continue: answer the user, or call the next tool.",
      notice: "the model returned nothing; asking it to go on",
    },
    {
      only: "later",
      nudge: "Continue: answer the user, or call the next tool.",
      withGoal: true,
      hotter: true,
      notice: "the model returned nothing again; reminding it of the task",
    },
  ],
  // Without a word at first: the prompt stays the same, and what helps is thinking off.
  "thinking-only": [
    { quiet: true, notice: "the reply was all thinking; asking again with thinking off" },
    {
      nudge: "Give the answer or call a tool now.",
      quiet: true,
      hotter: true,
      notice: "the reply was all thinking; asking for the answer",
    },
  ],
  "output-limit": [
    { quiet: true, notice: "the reply reached the output limit before its answer; asking without thinking" },
  ],
  "truncated-call": [
    {
      nudge: "Your tool call was cut off and was not run. Write in smaller parts, at most 150 lines each.",
      notice: "a tool call was cut off at the output limit (ollama.numPredict); asking for smaller parts",
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
    {
      nudge: `It could not be read again. ${CALL_OR_ANSWER}`,
      hotter: true,
      asText: true,
      notice: "the server cannot read the model's calls; asking a last time",
    },
  ],
  "cut-answer": [
    {
      nudge: "Your answer was cut off at the output limit. Go on exactly where it stops, and repeat nothing.",
      notice: "the answer reached the output limit (ollama.numPredict); asking for the rest",
    },
  ],
  // Asked as before: what a model repeats it would go on to repeat.
  repetition: [
    { hotter: true, notice: "the model repeated itself over and over and was stopped; asking again" },
  ],
  announced: Array<MendingStep>(2).fill({
    nudge:
      'You said "{quote}" but called no tool. Call the tool now. If the task is finished, reply with a short summary.',
    notice: "the model said what it would do and did not do it; telling it to go on",
  }),
  claimed: [
    {
      nudge:
        "No file was changed in this turn. Make the change now with edit_file or write_file; if none is needed, say plainly that nothing was changed.",
      notice: "the model says that it changed something, but no file was changed; telling it",
    },
  ],
  "shown-code": [
    {
      nudge:
        "You showed code for {quote}, and the file is unchanged. Apply it with edit_file or write_file, or say that it is only an example.",
      notice: "the model showed code in place of an edit; asking it to make the edit",
    },
  ],
  "runaway-thinking": [
    { quiet: true, notice: "the model thought without coming to an answer; asking again with thinking off" },
  ],
};

/** The next step for a fault, from the given one on, that changes something in this place; undefined if none is left. */
export function mendingStep(
  fault: ReplyFault,
  from: number,
  { isLater, canBeQuiet }: MendingPlace,
): { step: MendingStep; next: number } | undefined {
  const steps = LADDERS[fault];
  const index = steps.findIndex(
    ({ nudge, quiet, hotter, only }, at) =>
      at >= from &&
      (only === undefined || (only === "later") === isLater) &&
      (nudge !== undefined || hotter === true || (quiet === true && canBeQuiet)),
  );
  const step = steps[index];
  return step && { step, next: index + 1 };
}

/** What stands in a conversation in the place of a reply without words, so that something can be said about it. */
const MARKS: Partial<Record<ReplyFault, string>> = {
  "swallowed-call": "a reply that could not be read",
  "truncated-call": "a tool call that was cut off and not run",
  "unreadable-call": "a tool call that could not be run",
  "server-parse": "a tool call that could not be read",
  repetition: "cut off: it repeated itself",
};
const NO_REPLY = "no reply: it came back empty";

export function markOf(fault: ReplyFault): string {
  return MARKS[fault] ?? NO_REPLY;
}

/** No words: nothing, or one of those marks, which a model may take for a way to answer. */
export function isBlank(text: string): boolean {
  const words = text.trim();
  return words === "" || [NO_REPLY, ...Object.values(MARKS)].some((mark) => words === `[${mark}]`);
}

/** Undefined if the reply may stand. `text` and `thinking` are what it held; it made no call. */
export function replyFault(text: string, thinking: boolean, stats: ReplyStats): ReplyFault | undefined {
  const { problem, doneReason, outputTokens, runaway } = stats;
  if (runaway !== undefined) return runaway === "thinking" ? "runaway-thinking" : "repetition";
  const isCut = doneReason === "length";
  if (problem === "truncated") return "truncated-call";
  if (problem !== undefined) return "unreadable-call";
  if (!isBlank(text)) return isCut ? "cut-answer" : undefined;
  // Without thinking the tokens were spent on a call, which the server drops if it has no end.
  if (isCut) return thinking ? "output-limit" : "truncated-call";
  if (thinking) return "thinking-only";
  // One or two tokens are an end mark; more are words that did not arrive.
  return outputTokens > 2 ? "swallowed-call" : "empty";
}
