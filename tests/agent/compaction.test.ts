import type { BaseMessage } from "@langchain/core/messages";
import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createCompactor } from "../../src/agent/compactor.js";
import { noFacts } from "../../src/agent/task-facts.js";
import type { TaskFacts } from "../../src/agent/task-facts.js";
import { createContextBudget } from "../../src/context/context-budget.js";
import type { ChatMessage } from "../../src/demo/chat-request.js";
import { call, fail, say, silence } from "../../src/demo/reply.js";
import type { Reply } from "../../src/demo/reply.js";
import { toWireMessages } from "../../src/model/wire-messages.js";
import { conversations } from "../context/conversations.js";
import { scriptedOllama } from "../helpers/scripted-ollama.js";
import { chatModel } from "../model/model.js";
import { toWireTool } from "../../src/tools/wire-schema.js";
import { expectValidConversation } from "./setup.js";
import { noteTools } from "./tools.js";

const SYSTEM = "You work with care.";
const TOOLS = noteTools().tools.map(toWireTool);
const WORDS = "The parser loses the last line. ";
const signal = new AbortController().signal;

/** A compactor on a server that answers requests for a summary with `reply`. */
async function makeCompactor(window: number, reply: () => Reply) {
  const server = await scriptedOllama({ replies: reply });
  const budget = createContextBudget({ window, numPredict: 1000, fixed: SYSTEM + JSON.stringify(TOOLS) });
  const compactor = createCompactor({
    summariser: chatModel(server.url, { numCtx: window }),
    systemPrompt: SYSTEM,
    tools: TOOLS,
    budget,
  });
  const compact = (messages: readonly BaseMessage[], facts: TaskFacts = factsOf(messages)) =>
    compactor.compact(messages, facts, signal);
  return { server, budget, compact };
}

function factsOf(messages: readonly BaseMessage[]): TaskFacts {
  const prompts = messages.filter((message) => HumanMessage.isInstance(message)).map(({ text }) => text);
  return { ...noFacts(), prompts };
}

function asSent(messages: readonly BaseMessage[]): ChatMessage[] {
  return toWireMessages([new SystemMessage(SYSTEM), ...messages]);
}

/** A conversation of so many rounds with results of about 600 tokens each, in the middle of its turn. */
const working = (rounds: number, result = WORDS.repeat(75)): BaseMessage[] => [
  new HumanMessage("Fix the parser. Never touch the lexer."),
  ...Array.from({ length: rounds }, (_, index) => [
    new AIMessage({
      content: "",
      tool_calls: [{ id: `c${index}`, name: "read_note", args: { name: `n${index}` }, type: "tool_call" }],
    }),
    new ToolMessage({ tool_call_id: `c${index}`, name: "read_note", content: `result ${index}: ${result}` }),
  ]).flat(),
];

const ENDINGS: Record<string, () => Reply> = {
  "a summary": () => say("The user wants the parser fixed. ".repeat(20)),
  "a summary without end": () => say(WORDS.repeat(300)),
  nothing: () => say([]),
  "a call": () => call("read_note", { path: "a" }, { text: "Let me look." }),
  "an error": () => fail(500, "boom"),
};

describe.each(Object.entries(ENDINGS))(
  "any conversation, compacted by a model that answers with %s,",
  (_, reply) => {
    test.each([4096, 8192, 32_768])(
      "is valid, fits into a window of %s and is no larger than before",
      async (window) => {
        const { server, budget, compact } = await makeCompactor(window, reply);
        await fc.assert(
          fc.asyncProperty(conversations({ minLength: 1 }), async (messages) => {
            const before = server.requests.length;
            const { messages: shorter } = await compact(messages);
            expectValidConversation(asSent(shorter));
            expect(
              shorter.some((message) => HumanMessage.isInstance(message) && message.text.trim() !== ""),
            ).toBe(true);
            expect(budget.promptTokens(shorter)).toBeLessThanOrEqual(budget.promptTokens(messages));
            const last = messages.at(-1)!;
            const promptAlone = HumanMessage.isInstance(last) ? budget.tokensOf([last]) : 0;
            if (promptAlone < budget.promptLimit / 3) {
              expect(budget.promptTokens(shorter)).toBeLessThanOrEqual(budget.promptLimit);
            }
            for (const { messages: asked } of server.chatBodies().slice(before)) {
              expectValidConversation(asked);
              expect(asked.at(-1)?.role).toBe("user");
              expect(budget.promptTokens(asked.slice(1).map(toMessage))).toBeLessThanOrEqual(window);
            }
          }),
          { numRuns: 15 },
        );
      },
    );
  },
);

function toMessage({ role, content, tool_calls = [] }: ChatMessage): BaseMessage {
  if (role === "user") return new HumanMessage(content);
  if (role === "tool") return new ToolMessage({ tool_call_id: "", content });
  return new AIMessage({
    content,
    tool_calls: tool_calls.map(({ function: { name, arguments: args } }) => ({ name, args, id: "" })),
  });
}

describe("a compacted conversation", () => {
  test("begins with the user's words, the facts and the summary, and ends as before", async () => {
    const { server, compact } = await makeCompactor(8192, () => say("The cause is in readLine."));
    const messages = working(8);
    const facts: TaskFacts = {
      ...factsOf(messages),
      changedFiles: new Set(["src/parser.ts"]),
      commands: new Map([
        ["npm test", { exitCode: 1 }],
        ["npm run dev", { exitCode: null }],
        ["npm start", { exitCode: null, background: "c1", state: "running" }],
        ["npm test | tail", { exitCode: 0, pipeline: [1, 0] }],
      ]),
      readFiles: new Set(["src/lexer.ts"]),
    };
    const { messages: shorter, noSummary } = await compact(messages, facts);
    expect(noSummary).toBeUndefined();
    const introduction = shorter[0]?.text ?? "";
    for (const part of [
      "1. Fix the parser. Never touch the lexer.",
      "Files changed: src/parser.ts",
      "Commands run: npm test (exit code 1), npm run dev (ended by a signal), npm start (running in the background as c1), npm test | tail (exit codes in the pipeline: 1, 0)",
      "src/lexer.ts",
      "Summary:\nThe cause is in readLine.",
    ]) {
      expect(introduction).toContain(part);
    }
    expect(shorter.at(-1)).toEqual(messages.at(-1));
    expect(server.chatBodies()).toHaveLength(1);
  });

  test.each(Object.entries(ENDINGS).slice(2))(
    "of a model that answers with %s has the facts, says why there is no summary, and runs nothing",
    async (_, reply) => {
      const { server, compact } = await makeCompactor(8192, reply);
      const { messages: shorter, noSummary } = await compact(working(8));
      expect(noSummary).toBeTruthy();
      expect(shorter[0]?.text).toContain("Never touch the lexer.");
      expect(shorter[0]?.text).not.toContain("Summary:");
      expect(shorter.length).toBeLessThan(8);
      expect(server.chatBodies()).toHaveLength(1);
    },
  );

  test.each(Object.entries(ENDINGS).slice(2))(
    "of a model that answers with %s keeps the summary of the compaction before",
    async (_, reply) => {
      let next: Reply = say("The cause is in readLine.");
      const { compact } = await makeCompactor(8192, () => next);
      const once = await compact(working(8));
      next = reply();
      const twice = await compact([...once.messages, ...working(9).slice(-16)], factsOf(working(1)));
      expect(twice.messages[0]?.text).toContain("Summary:\nThe cause is in readLine.");
      expect(twice.messages[0]?.text.match(/was shortened to fit/g)).toHaveLength(1);
    },
  );

  test("does not hold the introduction of the one before, but what a new summary makes of it", async () => {
    const summaries = ["First summary.", "Second summary."];
    const { server, compact } = await makeCompactor(8192, () => say(summaries.shift() ?? ""));
    const once = await compact(working(8));
    const twice = await compact([...once.messages, ...working(9).slice(-16)], factsOf(working(1)));
    expect(server.chatBodies()[1]?.messages[1]?.content).toContain("First summary.");
    expect(twice.messages[0]?.text).toContain("Second summary.");
    expect(twice.messages[0]?.text).not.toContain("First summary.");
  });

  test("shows the newest result, which nobody has read yet, at least in part", async () => {
    const { compact } = await makeCompactor(8192, () => say("Reading."));
    const messages = working(3, WORDS.repeat(900));
    const { messages: shorter } = await compact(messages);
    const result = shorter.at(-1)?.text ?? "";
    expect(result.startsWith("result 2: The parser loses")).toBe(true);
    expect(result).toContain("characters left out");
    expect(result.length).toBeGreaterThan(3000);
  });

  test("is summed up in slices where it does not fit into one request, each of which fits", async () => {
    const { server, budget, compact } = await makeCompactor(4096, () => say("A part."));
    const { messages: shorter } = await compact(working(12));
    const asked = server.chatBodies();
    expect(asked.length).toBeGreaterThan(1);
    expect(asked.length).toBeLessThanOrEqual(4);
    expect(shorter[0]?.text.match(/A part\./g)).toHaveLength(asked.length);
    for (const { messages } of asked) {
      expect(messages.at(-1)?.content).toContain("Write a summary");
      expect(budget.promptTokens(messages.slice(1).map(toMessage))).toBeLessThan(4096);
    }
  });

  test("costs no more than four requests, however long the conversation was", async () => {
    const { server, compact } = await makeCompactor(4096, () => say("A part."));
    const { messages: shorter } = await compact(working(100));
    expect(server.chatBodies()).toHaveLength(4);
    expect(shorter[0]?.text).toContain("Never touch the lexer.");
  });

  test("is short also where files, commands and prompts are long and many", async () => {
    const { budget, compact } = await makeCompactor(8192, () => say("中文摘要。".repeat(2000)));
    const long = (index: number) => `${index} ${"修复解析器，不要修改词法分析器。".repeat(300)}`;
    const many = Array.from({ length: 40 }, (_, index) => long(index));
    const { messages: shorter } = await compact(working(8), {
      prompts: many,
      changedFiles: new Set(many),
      commands: new Map(many.map((command) => [command, { exitCode: 0 }])),
      readFiles: new Set(many),
    });
    expect(budget.promptTokens(shorter)).toBeLessThan(budget.compactAt);
    expect(shorter[0]?.text).toContain(`1. ${long(0).slice(0, 30)}`);
    expect(shorter[0]?.text).toContain(`40. ${long(39).slice(0, 30)}`);
  });

  test.each([
    ["nothing", []],
    ["one prompt", [new HumanMessage("Hi")]],
    ["a short turn", [new HumanMessage("Hi"), new AIMessage("Hello")]],
  ])("is what it was if there is nothing to gain: %s", async (_, messages) => {
    const { compact } = await makeCompactor(8192, () => say("A long summary. ".repeat(50)));
    expect((await compact(messages)).messages).toBe(messages);
  });

  test("is not made when it is cancelled, and the request is closed", async () => {
    const { server, budget } = await makeCompactor(8192, () => silence());
    const compactor = createCompactor({
      summariser: chatModel(server.url),
      systemPrompt: SYSTEM,
      tools: TOOLS,
      budget,
    });
    const control = new AbortController();
    const compacting = compactor.compact(working(8), noFacts(), control.signal);
    const cancelled = expect(compacting).rejects.toThrow("cancelled");
    await server.waitFor(({ openRequests }) => openRequests === 1);
    control.abort(new DOMException("cancelled by the user", "AbortError"));
    await cancelled;
    await server.waitFor(({ openRequests }) => openRequests === 0);
  });
});
