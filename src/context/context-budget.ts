import type { BaseMessage } from "@langchain/core/messages";
import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { estimateTokens } from "./token-estimate.js";

/** Largest share of the window that is kept free for a reply; more would leave no room for the work. */
const MAX_REPLY_SHARE = 0.25;
/** Share of what a prompt may take at which the conversation is compacted: the next reply and its results still fit. */
const COMPACT_AT = 0.85;
/** Tokens kept for asking for a summary and writing it. */
export const SUMMARY_ROOM = 1_500;
/** What a chat template adds to a message, in tokens: role, separators, a call's frame. */
const FRAME_TOKENS = 8;
/** Limits of calibration: beyond them the count means something else than the text. */
const CALIBRATION = { least: 0.5, most: 2.5 };
/** A count this far below a calibrated estimate means that the server dropped a part of the prompt. */
const CUT_BELOW = 0.6;

/** What of a context window is used, in tokens. Estimates are corrected by what the server counts. */
export interface ContextBudget {
  readonly window: number;
  /** Kept free for a reply. */
  readonly replyReserve: number;
  /** Most that a prompt may take. */
  readonly promptLimit: number;
  /** At this size of a prompt the conversation is compacted. */
  readonly compactAt: number;
  /** System text and tools. */
  fixedTokens(): number;
  tokensOf: (messages: readonly BaseMessage[]) => number;
  /** Size of a request with these messages. */
  promptTokens(messages: readonly BaseMessage[]): number;
  /**
   * Takes in what the server counted for a request with these messages. False if the count can only mean that the
   * server dropped a part of them.
   */
  learn(messages: readonly BaseMessage[], counted: number): boolean;
  /** A smaller window than was asked for, as the server reports it. */
  shrink(window: number): void;
}

/** @param fixed system text and tool list as they are sent */
export function createContextBudget(options: {
  window: number;
  numPredict: number;
  fixed: string;
}): ContextBudget {
  const fixedEstimate = estimateTokens(options.fixed);
  const known = new WeakMap<BaseMessage, MessageEstimate>();
  let window = options.window;
  /** Tokens of the model per estimated token; undefined until the server has counted. */
  let factor: number | undefined;
  /** The newest request that the server has counted. */
  let anchor: (Size & { lastId: string | undefined; length: number; counted: number }) | undefined;

  const estimateOf = (message: BaseMessage): MessageEstimate => {
    const estimate = known.get(message) ?? estimateMessage(message);
    known.set(message, estimate);
    return estimate;
  };
  /** As they are sent: with the thinking of the newest user message's turn, and of no earlier one. */
  const sizeOf = (messages: readonly BaseMessage[], fixed: number): Size => {
    const turnStart = messages.findLastIndex((message) => HumanMessage.isInstance(message));
    const size: Size = { text: fixed, images: 0 };
    for (const [index, message] of messages.entries()) {
      const { said, thought, shown } = estimateOf(message);
      size.text += said + (index > turnStart ? thought : 0);
      size.images += shown;
    }
    return size;
  };
  // What an image takes has nothing to do with how densely a vocabulary packs text.
  const inTokens = ({ text, images }: Size): number => Math.ceil(text * (factor ?? 1) + images);

  const budget: ContextBudget = {
    get window() {
      return window;
    },
    get replyReserve() {
      return Math.min(options.numPredict, Math.floor(window * MAX_REPLY_SHARE));
    },
    get promptLimit() {
      return window - budget.replyReserve;
    },
    get compactAt() {
      return Math.floor(budget.promptLimit * COMPACT_AT);
    },
    fixedTokens: () => Math.ceil(fixedEstimate * (factor ?? 1)),
    tokensOf: (messages) => inTokens(sizeOf(messages, 0)),
    promptTokens(messages) {
      const { text, images } = sizeOf(messages, fixedEstimate);
      // What the server has counted once is known; only what changed since is estimated.
      if (anchor?.lastId !== undefined && messages[anchor.length - 1]?.id === anchor.lastId) {
        return anchor.counted + inTokens({ text: text - anchor.text, images: images - anchor.images });
      }
      return inTokens({ text, images });
    },
    learn(messages, counted) {
      const last = messages.at(-1);
      if (counted <= 0 || last === undefined) return true;
      const size = sizeOf(messages, fixedEstimate);
      // Some models make little of a large image; that nothing of it was counted says nothing of the text.
      const expected = budget.promptTokens(messages) - size.images;
      if (counted < CUT_BELOW * expected && expected > window * CUT_BELOW) return false;
      const ofText = (counted - size.images) / size.text;
      if (size.images === 0) factor = Math.min(CALIBRATION.most, Math.max(CALIBRATION.least, ofText));
      anchor = { ...size, lastId: last.id, length: messages.length, counted };
      return true;
    },
    shrink(smaller) {
      window = Math.min(window, smaller);
    },
  };
  return budget;
}

/** Estimated tokens of a prompt. */
interface Size {
  text: number;
  images: number;
}

interface MessageEstimate {
  said: number;
  thought: number;
  shown: number;
}

function estimateMessage(message: BaseMessage): MessageEstimate {
  const calls = AIMessage.isInstance(message) ? (message.tool_calls ?? []) : [];
  const called =
    calls.length === 0 ? 0 : estimateTokens(JSON.stringify(calls.map(({ name, args }) => ({ name, args }))));
  // LangChain keeps thinking among the fields that it has no name for.
  const thoughts = Object.values(message.additional_kwargs).filter((value) => typeof value === "string");
  return {
    said: FRAME_TOKENS + estimateTokens(message.text) + called,
    thought: thoughts.reduce((total, text) => total + estimateTokens(text), 0),
    shown: imageTokens(message),
  };
}

/** As whoever made the image a part of the message has estimated it. */
function imageTokens({ content }: BaseMessage): number {
  if (typeof content === "string") return 0;
  return content.reduce((total, { type, metadata }) => {
    const tokens = type === "image" ? (metadata as { tokens?: unknown } | undefined)?.tokens : undefined;
    return total + (typeof tokens === "number" ? tokens : 0);
  }, 0);
}
