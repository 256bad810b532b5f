import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import type { BaseMessage } from "@langchain/core/messages";
import { describe, expect, test } from "vitest";
import { createContextBudget, SUMMARY_ROOM } from "../../src/context/context-budget.js";
import { estimateTokens } from "../../src/context/token-estimate.js";
import { thinkingFields } from "../../src/model/thinking.js";

const FIXED = "You work with care. ".repeat(50);
const WORDS = "The parser loses the last line. ";

const budgetOf = (window = 8192, numPredict = 1000) =>
  createContextBudget({ window, numPredict, fixed: FIXED });

let ids = 0;
const withId = <Message extends BaseMessage>(message: Message): Message => {
  message.id = `m${++ids}`;
  return message;
};
const user = (text: string) => withId(new HumanMessage(text));
const assistant = (text: string, thinking = "") =>
  withId(new AIMessage({ content: text, ...(thinking === "" ? {} : thinkingFields(thinking)) }));
const called = (args: Record<string, unknown>) =>
  withId(
    new AIMessage({ content: "", tool_calls: [{ id: "c", name: "write_file", args, type: "tool_call" }] }),
  );
const result = (text: string) => withId(new ToolMessage({ tool_call_id: "c", content: text }));

describe("of the window", () => {
  test.each([
    { window: 8192, numPredict: 1000, reserve: 1000 },
    { window: 8192, numPredict: 4096, reserve: 2048 },
    { window: 4096, numPredict: 4096, reserve: 1024 },
    { window: 131_072, numPredict: 4096, reserve: 4096 },
  ])("$window tokens, $reserve are kept for a reply of $numPredict", ({ window, numPredict, reserve }) => {
    const budget = budgetOf(window, numPredict);
    expect(budget.replyReserve).toBe(reserve);
    expect(budget.promptLimit).toBe(window - reserve);
  });

  test.each([8192, 16_384, 32_768])(
    "%s tokens, a prompt at the threshold of compaction leaves room for a request for a summary",
    (window) => {
      const budget = budgetOf(window, 4096);
      expect(budget.compactAt).toBeLessThan(budget.promptLimit);
      expect(budget.compactAt + SUMMARY_ROOM).toBeLessThanOrEqual(window);
    },
  );

  test("that the server gave less, everything shrinks with it, and never grows again", () => {
    const budget = budgetOf(8192, 4096);
    budget.shrink(4096);
    expect(budget).toMatchObject({ window: 4096, replyReserve: 1024, promptLimit: 3072 });
    budget.shrink(16_384);
    expect(budget.window).toBe(4096);
  });
});

describe("the size of a prompt", () => {
  test("is that of system text, tools and all messages, calls and results included", () => {
    const budget = budgetOf();
    const text = WORDS.repeat(20);
    const messages = [user(text), called({ path: "a.ts", content: text }), result(text)];
    expect(budget.fixedTokens()).toBe(Math.ceil(estimateTokens(FIXED)));
    expect(budget.promptTokens(messages)).toBeGreaterThan(budget.fixedTokens() + 3 * estimateTokens(text));
    expect(budget.promptTokens(messages)).toBeLessThan(budget.fixedTokens() + 3.5 * estimateTokens(text));
  });

  test("holds the thinking of the current turn and of no earlier one", () => {
    const budget = budgetOf();
    const thinking = WORDS.repeat(100);
    const turn = [user("One"), assistant("Looking.", thinking)];
    const without = [user("One"), assistant("Looking.")];
    expect(budget.promptTokens(turn) - budget.promptTokens(without)).toBeCloseTo(
      estimateTokens(thinking),
      -1,
    );
    expect(budget.promptTokens([...turn, user("Two")])).toBe(budget.promptTokens([...without, user("Two")]));
  });

  test("is what the server counted, as far as it has counted", () => {
    const budget = budgetOf();
    const messages = [user(WORDS.repeat(50)), assistant("Yes.")];
    const estimated = budget.promptTokens(messages);
    const counted = Math.round(estimated * 1.3);
    expect(budget.learn(messages, counted)).toBe(true);
    expect(budget.promptTokens(messages)).toBe(counted);
    const more = user(WORDS.repeat(10));
    const grown = budget.promptTokens([...messages, more]) - counted;
    expect(grown).toBeCloseTo(1.3 * estimateTokens(more.text), -1.5);
  });

  test("no longer holds counted thinking when its turn is over", () => {
    const budget = budgetOf();
    const turn = [user("One"), assistant("", WORDS.repeat(200)), result(WORDS)];
    const before = budget.promptTokens(turn);
    budget.learn(turn, before);
    expect(budget.promptTokens([...turn, assistant("Done."), user("Two")])).toBeLessThan(before / 2);
  });

  test("is estimated by what was learnt where the conversation became another", () => {
    const budget = budgetOf();
    const messages = [user(WORDS.repeat(50)), assistant("Yes.")];
    budget.learn(messages, Math.round(budget.promptTokens(messages) * 1.5));
    const other = [user(WORDS.repeat(30))];
    const plain = budgetOf().promptTokens(other);
    expect(budget.promptTokens(other) / plain).toBeCloseTo(1.5, 1);
    expect(budget.fixedTokens() / budgetOf().fixedTokens()).toBeCloseTo(1.5, 1);
  });

  test.each([
    { times: 20, factor: 2.5 },
    { times: 0.05, factor: 0.5 },
  ])("is corrected by no more than $factor times, whatever the server counts", ({ times, factor }) => {
    const budget = budgetOf();
    const messages = [user(WORDS), assistant("Yes.")];
    const other = [user(WORDS.repeat(30))];
    const plain = budget.promptTokens(other);
    expect(budget.learn(messages, Math.round(budget.promptTokens(messages) * times))).toBe(true);
    expect(budget.promptTokens(other) / plain).toBeCloseTo(factor, 1);
  });

  test("is not corrected by a server that counts nothing", () => {
    const budget = budgetOf();
    const messages = [user(WORDS), assistant("Yes.")];
    const plain = budget.promptTokens(messages);
    expect(budget.learn(messages, 0)).toBe(true);
    expect(budget.promptTokens(messages)).toBe(plain);
  });
});

describe("a count", () => {
  test("of half the window for a prompt as long as the window means that the server cut it", () => {
    const budget = budgetOf(8192);
    const messages: BaseMessage[] = [user(WORDS)];
    while (budget.promptTokens(messages) < 8250) messages.push(assistant(WORDS.repeat(20)));
    const expected = budget.promptTokens(messages);
    expect(budget.learn(messages, 4098)).toBe(false);
    expect(budget.promptTokens(messages)).toBe(expected);
  });

  test("far below what was expected by earlier counts means the same", () => {
    const budget = budgetOf(8192);
    const messages: BaseMessage[] = [user(WORDS)];
    budget.learn(messages, budget.promptTokens(messages) * 2);
    while (budget.promptTokens(messages) < 7000) messages.push(assistant(WORDS.repeat(20)));
    expect(budget.learn(messages, 3900)).toBe(false);
  });

  test("below the estimate of a prompt that fits easily only corrects the estimate", () => {
    const budget = budgetOf(8192);
    const messages = [user(WORDS), assistant("Yes.")];
    expect(budget.learn(messages, Math.round(budget.promptTokens(messages) * 0.55))).toBe(true);
  });
});

describe("an image in a message", () => {
  const shown = (tokens: number) =>
    new ToolMessage({
      id: "shown",
      tool_call_id: "1",
      content: [
        { type: "text", text: "a.png is an image." },
        { type: "image", mimeType: "image/png", data: "AAAA", metadata: { name: "a.png", tokens } },
      ],
    });

  test("takes what was estimated for it, and does not change how text is counted", () => {
    const budget = createContextBudget({ window: 16_384, numPredict: 1_000, fixed: "" });
    const said = [new HumanMessage({ id: "said", content: "look at it ".repeat(200) })];
    const text = budget.promptTokens(said);
    const withImage = budget.promptTokens([...said, shown(2_900)]);
    expect(withImage - text).toBeGreaterThan(2_900);
    // A model that makes 256 tokens of any image has dropped nothing.
    expect(budget.learn([...said, shown(2_900)], text + 270)).toBe(true);
    expect(budget.tokensOf(said)).toBe(text);
  });
});
