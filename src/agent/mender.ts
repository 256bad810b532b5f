import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { replyText } from "./conversation.js";
import type { RequestForm } from "../model/call-protocol.js";
import { FORM_REMINDER } from "../model/text-protocol/tool-text.js";
import type { LiveConversation } from "./live-conversation.js";
import { turnedToText } from "./protocol-change.js";
import type { ReplyFault } from "./reply-faults.js";
import { isBlank, markOf, mendingStep } from "./reply-faults.js";
import type { ToolGate } from "./tool-gate.js";
import type { Turn } from "./turn.js";

/** How a request differs from the usual one. */
export interface ReplyManner {
  /** Thinking off. */
  quiet: boolean;
  /** Steps by which the temperature is raised. */
  heat: number;
  /**
   * Thinking on, if the model can think. The server loads nothing anew for it; a template that marks it in the user's
   * newest message has the turn read again from there.
   */
  thinks?: boolean;
}

/** Asks again, differently, where a reply was no use. */
export interface Mender {
  /** Of the next request. */
  readonly manner: ReplyManner;
  /** A new turn. */
  begin(): void;
  /** A reply has come that was of use. */
  replied(): void;
  /** Makes the conversation ready for another try. False if nothing is left to try. */
  mend(turn: Turn, fault: ReplyFault): Promise<boolean>;
}

/** Characters of the user's message that a reminder quotes. */
const GOAL_CHARS = 300;

/**
 * Calls of a session that could not be read, after which they travel as text. Calls that were recovered from text do
 * not count: nothing is lost by them, while the change makes the server read the whole conversation anew.
 */
const MOST_LOST_CALLS = 3;
const LOSING: readonly ReplyFault[] = ["swallowed-call", "unreadable-call", "server-parse"];

export interface MenderOptions {
  live: LiveConversation;
  /** Whether there is thinking that can be switched off. */
  mayBeQuiet: boolean;
  form: RequestForm;
  /** What the model is told about a call that it meant to make; empty if there is nothing to tell. */
  explain: ToolGate["explain"];
}

export function createMender({ live, mayBeQuiet, form, explain }: MenderOptions): Mender {
  let manner: ReplyManner = { quiet: false, heat: 0 };
  /** The step of each ladder that comes next. */
  const next = new Map<ReplyFault, number>();
  let lostCalls = 0;

  return {
    get manner() {
      return manner;
    },

    begin() {
      manner = { quiet: false, heat: 0 };
      next.clear();
    },

    replied() {
      manner = { ...manner, heat: 0 };
    },

    async mend(turn, fault) {
      const found = mendingStep(fault, next.get(fault) ?? 0, {
        isLater: turn.hasCalled,
        // A reflection has thinking on where it is off as a rule.
        canBeQuiet: (mayBeQuiet || turn.callNudges.hasReflected) && !manner.quiet,
      });
      if (!found || !turn.nudges.take()) return false;
      const { step } = found;
      next.set(fault, found.next);
      if (LOSING.includes(fault)) lostCalls++;
      const asText = (step.asText === true || lostCalls >= MOST_LOST_CALLS) && form.useText();
      if (!asText) turn.emit({ type: "notice", level: "warning", code: `reply-${fault}`, text: step.notice });
      manner = {
        quiet: manner.quiet || step.quiet === true,
        heat: asText ? 0 : step.hotter === true ? manner.heat + 1 : manner.heat,
      };

      const messages = await live.messages();
      const last = messages.at(-1);
      const isInConversation = AIMessage.isInstance(last) && (last.tool_calls ?? []).length === 0;
      if (step.nudge === undefined) {
        if (isInConversation) {
          turn.record({ type: "retried", because: fault });
          messages.pop();
        }
      } else {
        // Two user messages in a row break some chat templates, and so does a message without words.
        if (isInConversation && isBlank(last.text)) messages.pop();
        else if (!isInConversation) turn.onCut(markOf(fault));
        if (!isInConversation || isBlank(last.text)) {
          messages.push(new AIMessage(replyText(turn.records.findLast(({ type }) => type === "assistant"))));
        }
        const words = [
          explain(turn.unmadeCall, found.next),
          step.nudge.replace("{quote}", () => turn.quote),
          step.withGoal ? `The user wants: ${goalOf(turn)}` : "",
          form.protocol === "text" && fault !== "cut-answer" ? FORM_REMINDER : "",
        ]
          .filter((text) => text !== "")
          .join(" ");
        turn.record({ type: "nudge", text: words });
        messages.push(new HumanMessage(words));
      }
      if (asText) turnedToText(turn, form, "the model's calls get lost");
      await live.replace(messages);
      return true;
    },
  };
}

function goalOf({ prompt }: Turn): string {
  return prompt.length > GOAL_CHARS ? `${prompt.slice(0, GOAL_CHARS)}…` : prompt;
}
