import { z } from "zod";
import { describe, expect, test } from "vitest";
import type { ChatRequest } from "../../src/demo/chat-request.js";
import { call, say } from "../../src/demo/reply.js";
import type { Reply } from "../../src/demo/reply.js";
import { replyTokens } from "../../src/demo/render-prompt.js";
import type { RunnerBehaviour } from "../../src/demo/scripted-models.js";
import type { ScriptedOllama } from "../../src/demo/scripted-ollama.js";
import { defineTool } from "../../src/tools/tool.js";
import { SAMPLES } from "../context/samples.js";
import { asksForSummary } from "./bulky-work.js";
import { expectValidConversation, makeAgent } from "./setup.js";

const GOAL = "Find out why the parser loses the last line.";
const RESTRICTION = "Never touch src/lexer.ts.";

/** Gives a text of so many characters, or of so many as are wanted. */
function bulkyTool(chars: number, sample = SAMPLES["TypeScript"]!) {
  return defineTool({
    name: "get_text",
    description: "Gives a text.",
    schema: z.object({ part: z.int() }),
    effect: "read",
    touches: () => [],
    run: ({ part }, { maxOutputChars }) => {
      const text = `part ${part}\n${sample.repeat(Math.ceil(chars / sample.length))}`;
      return Promise.resolve({ status: "ok", output: text.slice(0, Math.min(chars, maxOutputChars)) });
    },
  });
}

/** Calls the tool in so many rounds, whatever is compacted in between, and then answers. */
function workFor(rounds: number): (request: ChatRequest) => Reply {
  let round = 0;
  return (request) => {
    if (asksForSummary(request)) return say(`Parts up to ${round} were read; nothing was found yet.`);
    round += 1;
    return round <= rounds ? call("get_text", { part: round }) : say("It is the missing line break.");
  };
}

interface TaskShape {
  window?: number;
  /** Of a result. */
  chars?: number;
  sample?: string | undefined;
}

const statuses = ({ requests }: ScriptedOllama) =>
  requests.flatMap(({ path, prompt }) => (path === "/api/chat" ? [prompt !== undefined] : []));

async function longTask(
  rounds: number,
  { window = 8192, chars = 20_000, sample, ...runner }: RunnerBehaviour & TaskShape = {},
) {
  const agent = await makeAgent({
    window,
    tools: [bulkyTool(chars, sample)],
    runner,
    replies: workFor(rounds),
    limits: { maxSteps: 1000, toolCalls: 1000, tokens: 1e9 },
  });
  const end = await agent.prompt(`${GOAL} ${RESTRICTION}`);
  const compactions = agent.events.filter(({ type }) => type === "context-compacted");
  return { ...agent, end, compactions };
}

describe("a task of 300 rounds with results of 20 KB in a window of 8k", () => {
  test.each(["rendered", "native"] as const)("ends in an answer on the %s path", async (path) => {
    const { end, server, records, compactions } = await longTask(300, { path, needsUserMessage: true });
    expect(end).toMatchObject({ outcome: "done", text: "It is the missing line break." });
    // A request that the server refuses has no figures.
    expect(statuses(server)).not.toContain(false);
    for (const { prompt } of server.requests)
      expect(prompt).toMatchObject({ cut: false, droppedMessages: 0 });
    const bodies = server.chatBodies();
    expect(new Set(bodies.map(({ options }) => options?.["num_ctx"]))).toEqual(new Set([8192]));
    expect(server.loads).toHaveLength(1);
    for (const { messages } of bodies) expectValidConversation(messages);
    const last = JSON.stringify(bodies.at(-1)?.messages);
    expect(last).toContain(GOAL);
    expect(last).toContain(RESTRICTION);
    expect(records.filter(({ type }) => type === "call-finished")).toHaveLength(300);
    expect(compactions.length).toBeLessThan(300);
  });
});

describe("a talk of 40 turns with 300 words each", () => {
  test.each([4096, 8192])(
    "stays within a window of %s, and what was forbidden first is still known",
    async (window) => {
      const agent = await makeAgent({
        window,
        runner: { path: "native", needsUserMessage: true },
        replies: (request) =>
          say(asksForSummary(request) ? "They talk about the parser." : "It is so. ".repeat(80)),
      });
      await agent.prompt(RESTRICTION);
      for (let turn = 1; turn <= 40; turn += 1) {
        const end = await agent.prompt(`Question ${turn}: ${"why is that so ".repeat(75)}`);
        expect(end.outcome).toBe("done");
      }
      expect(statuses(agent.server)).not.toContain(false);
      for (const { messages } of agent.server.chatBodies()) expectValidConversation(messages);
      expect(JSON.stringify(agent.sent())).toContain(RESTRICTION);
      expect(JSON.stringify(agent.sent())).toContain("Question 40:");
      expect(agent.events.filter(({ type }) => type === "context-compacted").length).toBeLessThan(40);
      expect(agent.server.loads).toHaveLength(1);
    },
  );
});

describe("the compactions of a long task", () => {
  test.each([
    { window: 4096, most: 25 },
    { window: 8192, most: 22 },
    { window: 16_384, most: 10 },
    { window: 32_768, most: 4 },
  ])("in 40 rounds with a window of $window are no more than $most", async ({ window, most }) => {
    const { end, compactions } = await longTask(40, { window, chars: 6_000 });
    expect(end.outcome).toBe("done");
    expect(compactions.length).toBeLessThanOrEqual(most);
  });

  test.each(Object.keys(SAMPLES))("go in time for results of any kind: %s", async (kind) => {
    const { end, server } = await longTask(12, { sample: SAMPLES[kind] });
    expect(end.outcome).toBe("done");
    expect(statuses(server)).not.toContain(false);
  });
});

describe("what the server reads anew", () => {
  test("in a task of ten rounds is what came since, and nothing else", async () => {
    const { server } = await longTask(10, { window: 32_768, chars: 3_000, appendOnly: true });
    const figures = server.requests.flatMap(({ prompt }) => prompt ?? []);
    expect(figures).toHaveLength(11);
    const least = figures.map(({ promptTokens }, index) => {
      const [before, reply] = [figures[index - 1], server.chatBodies()[index]?.messages.at(-2)];
      return before && reply ? promptTokens - before.promptTokens - replyTokens(reply).length : promptTokens;
    });
    const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
    expect(sum(figures.map(({ readTokens }) => readTokens)) / sum(least)).toBe(1);
  });

  test("for a summary is the request for it, since the conversation before it is in the cache", async () => {
    const { server } = await longTask(10, { chars: 3_000 });
    const index = server.chatBodies().findIndex(asksForSummary);
    const [before, summary] = server.requests.slice(index - 1, index + 1).map(({ prompt }) => prompt!);
    expect(summary!.cachedTokens).toBeGreaterThan(before!.promptTokens - 10);
    expect(summary!.readTokens).toBeLessThan(1200);
  });

  test("after a warm-up is not what the warm-up has read", async () => {
    const agent = await makeAgent({ runner: {}, replies: [say("Hello.")] });
    await agent.agent.warmUp(new AbortController().signal);
    await agent.prompt("Fix it.");
    const [warm, first] = agent.server.requests.map(({ prompt }) => prompt!);
    expect(first!.cachedTokens).toBeGreaterThan(warm!.promptTokens - 10);
    expect(first!.readTokens).toBeLessThan(15);
    expect(agent.server.loads).toHaveLength(1);
    const shape = agent.server.chatBodies().map((body) => ({
      ...body,
      messages: undefined,
      options: { ...body.options, num_predict: undefined },
    }));
    expect(shape[0]).toEqual(shape[1]);
    const ends = agent.events.filter((event) => event.type === "model-end");
    expect(ends[0]?.cachedTokens).toBeGreaterThan(warm!.promptTokens * 0.8);
  });
});
