import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import type { BaseMessage } from "@langchain/core/messages";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { messageGroups, newestGroups } from "../../src/context/message-groups.js";
import { conversations } from "./conversations.js";

/** A token a character, so that sizes are easy to see. */
const tokensOf = (messages: readonly BaseMessage[]) =>
  messages.reduce((sum, message) => sum + message.text.length, 0);

describe("the groups of any conversation", () => {
  test("are the conversation, in order and in whole", () => {
    fc.assert(
      fc.property(conversations(), (messages) => {
        expect(messageGroups(messages).flat()).toEqual(messages);
      }),
    );
  });

  test("hold a call together with all of its results, and never begin with a result", () => {
    fc.assert(
      fc.property(conversations(), (messages) => {
        for (const [first, ...others] of messageGroups(messages)) {
          expect(ToolMessage.isInstance(first)).toBe(false);
          const calls = AIMessage.isInstance(first) ? (first.tool_calls ?? []) : [];
          const results = others.map((message) => ToolMessage.isInstance(message) && message.tool_call_id);
          expect(results).toEqual(calls.map(({ id }) => id));
        }
      }),
    );
  });
});

describe("the newest groups", () => {
  test("are as many of the last ones as fit, at least one", () => {
    fc.assert(
      fc.property(
        conversations({ minLength: 1 }),
        fc.integer({ min: -10, max: 4000 }),
        (messages, tokens) => {
          const groups = messageGroups(messages);
          const kept = newestGroups(groups, tokens, tokensOf);
          expect(kept.length).toBeGreaterThan(0);
          expect(kept).toEqual(groups.slice(-kept.length));
          if (kept.length > 1) expect(tokensOf(kept.flat())).toBeLessThanOrEqual(tokens);
          const oneMore = groups.slice(-kept.length - 1);
          if (oneMore.length > kept.length) expect(tokensOf(oneMore.flat())).toBeGreaterThan(tokens);
        },
      ),
    );
  });

  test("of nothing are none", () => {
    expect(newestGroups([], 100, tokensOf)).toEqual([]);
  });

  test("end in front of the group that is too large, though an older one would fit", () => {
    const groups = messageGroups([
      new HumanMessage("a"),
      new AIMessage("b".repeat(100)),
      new HumanMessage("c"),
      new AIMessage("d"),
    ]);
    expect(newestGroups(groups, 50, tokensOf)).toEqual(groups.slice(2));
  });
});
