import { AIMessage, HumanMessage } from "@langchain/core/messages";
import type { LiveConversation } from "./live-conversation.js";
import type { ReplyFault } from "./reply-faults.js";
import { mendingStep } from "./reply-faults.js";
import type { Turn } from "./turn.js";

/** How a request differs from the usual one. */
export interface ReplyManner {
  /** Thinking off. */
  quiet: boolean;
  /** A higher temperature. */
  hotter: boolean;
}

/** Asks again, differently, where a reply was no use. */
export interface Mender {
  /** Of the next request. */
  readonly manner: ReplyManner;
  /** A new turn. */
  begin(): void;
  /** A reply has come. */
  replied(): void;
  /** Makes the conversation ready for another try. False if nothing is left to try. */
  mend(turn: Turn, fault: ReplyFault): Promise<boolean>;
}

/** Replies that are asked about in one turn, in all. */
const MOST_MENDINGS = 6;

/** @param mayBeQuiet whether there is thinking that can be switched off */
export function createMender(live: LiveConversation, mayBeQuiet: boolean): Mender {
  let manner: ReplyManner = { quiet: false, hotter: false };
  let nudge: string | undefined;
  const tried = new Map<ReplyFault, number>();

  return {
    get manner() {
      return manner;
    },

    begin() {
      manner = { quiet: false, hotter: false };
      nudge = undefined;
      tried.clear();
    },

    replied() {
      manner = { ...manner, hotter: false };
    },

    async mend(turn, fault) {
      const times = tried.get(fault) ?? 0;
      const step = mendingStep(fault, times);
      const total = [...tried.values()].reduce((sum, count) => sum + count, 0);
      if (!step || total >= MOST_MENDINGS || (step.quiet && (manner.quiet || !mayBeQuiet))) return false;
      tried.set(fault, times + 1);
      turn.emit({ type: "notice", level: "warning", code: `reply-${fault}`, text: step.notice });

      const messages = await live.messages();
      const withdraw = () => {
        turn.record({ type: "retried", because: fault });
        messages.pop();
      };
      // An empty reply is forgotten; one with words stays, and what is wrong with it is said.
      const last = messages.at(-1);
      if (last && AIMessage.isInstance(last) && last.text.trim() === "") withdraw();
      // What was said of the try before is replaced: two user messages in a row break some chat templates.
      if (nudge !== undefined && messages.at(-1)?.text === nudge) withdraw();

      const about =
        turn.faultDetail === undefined ? [] : [`Your call could not be run (${turn.faultDetail}).`];
      const words = [...about, ...(step.nudge === undefined ? [] : [step.nudge])].join(" ");
      const canSay = words !== "" && !HumanMessage.isInstance(messages.at(-1));
      if (canSay) {
        turn.record({ type: "nudge", text: words });
        messages.push(new HumanMessage(words));
        nudge = words;
      }
      manner = {
        quiet: manner.quiet || step.quiet === true,
        hotter: step.hotter === true || (words !== "" && !canSay),
      };
      await live.replace(messages);
      return true;
    },
  };
}
