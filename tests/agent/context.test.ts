import { z } from "zod";
import { describe, expect, test } from "vitest";
import { conversationFrom } from "../../src/agent/conversation.js";
import type { AgentEvent } from "../../src/agent/agent-events.js";
import type { ChatRequest } from "../../src/demo/chat-request.js";
import { call, calls, fail, say, think } from "../../src/demo/reply.js";
import type { Reply } from "../../src/demo/reply.js";
import { defineTool } from "../../src/tools/tool.js";
import { chatModel } from "../model/model.js";
import type { TestAgent } from "./setup.js";
import { expectValidConversation, makeAgent, outline } from "./setup.js";

const WORDS = "The parser loses the last line. ";
const NATIVE_REFUSAL = (needed: number, window: number) =>
  fail(
    400,
    JSON.stringify({
      error: {
        code: 400,
        message: `request (${needed} tokens) exceeds the available context size (${window} tokens), try increasing it`,
        type: "exceed_context_size_error",
        n_prompt_tokens: needed,
        n_ctx: window,
      },
    }),
  );
const RENDERED_REFUSAL = fail(
  400,
  "the prompt is longer than the context length currently available to the model; shorten the prompt, adjust the context length in settings, or use a model with a longer context length",
);

const asksForSummary = ({ messages }: ChatRequest) =>
  messages.at(-1)?.content.includes("Write a summary") === true;

/** The replies in order, and a summary for each request for one. */
function scripted(replies: readonly Reply[], summary: () => Reply = () => say("The work goes on.")) {
  let index = 0;
  return (request: ChatRequest) =>
    asksForSummary(request) ? summary() : (replies[index++] ?? fail(500, "no reply left"));
}

/** A tool that gives so many characters of text. */
const bulky = (chars = 5_000) =>
  defineTool({
    name: "get_text",
    description: "Gives a text.",
    schema: z.object({}),
    effect: "read",
    touches: () => [],
    run: () => Promise.resolve({ status: "ok", output: WORDS.repeat(Math.ceil(chars / WORDS.length)) }),
  });
const getText = call("get_text", {});
const rounds = (count: number) => Array.from({ length: count }, () => getText);

const ofType = <Type extends AgentEvent["type"]>({ events }: TestAgent, type: Type) =>
  events.filter((event): event is Extract<AgentEvent, { type: Type }> => event.type === type);
const notices = (agent: TestAgent) => ofType(agent, "notice").map(({ code }) => code);
const mainBodies = ({ server }: TestAgent) => server.chatBodies().filter((body) => !asksForSummary(body));

describe("a request for a summary", () => {
  test("differs from the one before only in its last messages, and goes with thinking off", async () => {
    const agent = await makeAgent({
      window: 8192,
      tools: [bulky()],
      runner: {},
      think: true,
      quiet: false,
      replies: scripted([...rounds(8), say("Done.")]),
    });
    expect((await agent.prompt("Read.")).outcome).toBe("done");
    const bodies = agent.server.chatBodies();
    const index = bodies.findIndex(asksForSummary);
    const [before, summary] = [bodies[index - 1]!, bodies[index]!];
    expect({ ...summary, messages: undefined, think: undefined }).toEqual({
      ...before,
      messages: undefined,
      think: undefined,
    });
    expect([before.think, summary.think]).toEqual([true, false]);
    const shared = summary.messages.findIndex(({ content }, at) => content !== before.messages[at]?.content);
    expect(summary.messages.slice(0, shared)).toEqual(before.messages.slice(0, shared));
    expect(shared).toBeGreaterThanOrEqual(summary.messages.length - 2);
    expect(agent.server.loads).toHaveLength(1);
  });

  test("that is answered with a call runs nothing, and the work goes on", async () => {
    const agent = await makeAgent({
      window: 8192,
      tools: [bulky()],
      runner: {},
      replies: scripted([...rounds(8), say("Done.")], () => call("write_note", { name: "x", text: "y" })),
    });
    expect(await agent.prompt("Read. Write nothing.")).toMatchObject({ outcome: "done", text: "Done." });
    expect(ofType(agent, "tool-start").map(({ tool }) => tool)).toEqual(rounds(8).map(() => "get_text"));
    expect(notices(agent)).toContain("no-summary");
    expect(agent.sent().find(({ role }) => role === "user")?.content).toContain("Read. Write nothing.");
  });
});

describe("a compaction in a turn", () => {
  test("is told with both sizes, and the whole story stays in the records", async () => {
    const agent = await makeAgent({
      window: 8192,
      tools: [bulky()],
      runner: {},
      replies: scripted([...rounds(8), say("Done.")]),
    });
    await agent.prompt("Read.");
    const told = ofType(agent, "context-compacted");
    expect(told.length).toBeGreaterThan(0);
    for (const { tokensBefore, tokensAfter } of told) expect(tokensAfter).toBeLessThan(tokensBefore);
    expect(agent.records.filter(({ type }) => type === "call-finished")).toHaveLength(8);
    expect(agent.records.filter(({ type }) => type === "compaction")).toHaveLength(told.length);
  });

  test("leaves the same conversation in memory, in the records and in a resumed session", async () => {
    const agent = await makeAgent({
      window: 8192,
      tools: [bulky()],
      replies: scripted([...rounds(8), say("Done."), say("Yes."), say("Yes.")]),
    });
    await agent.prompt("Read.");
    const resumed = await makeAgent({
      window: 8192,
      tools: [bulky()],
      agent: { records: agent.records, model: chatModel(agent.server.url, { numCtx: 8192 }) },
    });
    const replayed = conversationFrom(agent.records).map(({ type, text }) => `${type} ${text}`);
    await resumed.prompt("And?");
    await agent.prompt("And?");
    const [byResumed, byFirst] = agent.server.chatBodies().slice(-2);
    expect(byResumed).toEqual(byFirst);
    expect(byFirst!.messages.slice(1, -1).map(({ content }) => content)).toEqual(
      replayed.map((line) => line.slice(line.indexOf(" ") + 1)),
    );
  });

  test("that is cancelled ends the turn, and the next prompt works", async () => {
    const agent = await makeAgent({
      window: 8192,
      tools: [bulky()],
      replies: scripted([...rounds(8), say("Done.")], () => ({ delay: "forever" })),
    });
    const control = new AbortController();
    const turn = agent.prompt("Read.", control.signal);
    await agent.server.waitFor((server) => server.chatBodies().some(asksForSummary));
    control.abort(new DOMException("Cancelled by the user", "AbortError"));
    expect((await turn).outcome).toBe("cancelled");
    await agent.server.waitFor(({ openRequests }) => openRequests === 0);
  });

  test("leaves several results of one reply fitted together, and none is lost", async () => {
    const agent = await makeAgent({
      window: 8192,
      tools: [bulky(20_000)],
      runner: {},
      replies: scripted([calls(getText, getText, getText, getText), say("Done.")]),
    });
    expect((await agent.prompt("Read.")).outcome).toBe("done");
    expectValidConversation(agent.sent());
    const ends = ofType(agent, "tool-end").map(({ output }) => output.includes("left out"));
    expect(ends.slice(1)).toEqual([true, true, true]);
    expect(agent.server.requests.every(({ prompt }) => prompt?.cut === false)).toBe(true);
  });
});

describe("a compaction between turns", () => {
  const talk = async (agent: TestAgent) => {
    for (let turn = 1; turn <= 6; turn += 1) await agent.prompt(`Question ${turn}. ${WORDS.repeat(20)}`);
  };

  test("is followed by a valid prompt with the user's words", async () => {
    const agent = await makeAgent({
      replies: scripted(Array.from({ length: 8 }, () => say(WORDS.repeat(30)))),
    });
    await agent.prompt("Never touch the lexer.");
    await talk(agent);
    const sizes = await agent.agent.compact(new AbortController().signal);
    expect(sizes.tokensAfter).toBeLessThan(sizes.tokensBefore * 0.75);
    await agent.prompt("And now?");
    expectValidConversation(agent.sent());
    expect(agent.sent()[1]?.content).toContain("1. Never touch the lexer.");
    expect(agent.sent()[1]?.content).toContain("The work goes on.");
    expect(agent.sent().at(-1)?.content).toBe("And now?");
  });

  test("of nothing, and of a few words, asks for nothing and changes nothing", async () => {
    const agent = await makeAgent({ replies: scripted([say("Hello."), say("Yes.")]) });
    const { signal } = new AbortController();
    const empty = await agent.agent.compact(signal);
    expect(empty.tokensAfter).toBe(empty.tokensBefore);
    await agent.prompt("Hi");
    const short = await agent.agent.compact(signal);
    expect(short.tokensAfter).toBe(short.tokensBefore);
    await agent.prompt("And?");
    expect(outline(agent.sent()).slice(1)).toEqual(["user: Hi", "assistant: Hello.", "user: And?"]);
    expect(agent.records.filter(({ type }) => type === "compaction")).toEqual([]);
  });

  test("twice in a row keeps one introduction", async () => {
    const agent = await makeAgent({
      replies: scripted(Array.from({ length: 8 }, () => say(WORDS.repeat(30)))),
    });
    await talk(agent);
    const { signal } = new AbortController();
    for (let time = 0; time < 3; time += 1) {
      const { tokensBefore, tokensAfter } = await agent.agent.compact(signal);
      expect(tokensAfter).toBeLessThanOrEqual(tokensBefore);
    }
    await agent.prompt("And now?");
    expectValidConversation(agent.sent());
    expect(JSON.stringify(agent.sent()).match(/was shortened to fit/g)).toHaveLength(1);
  });

  test("is known to the agent that takes the conversation over, with all that the user said", async () => {
    const agent = await makeAgent({
      replies: scripted(Array.from({ length: 9 }, () => say(WORDS.repeat(30)))),
    });
    await agent.prompt("Never touch the lexer.");
    await talk(agent);
    const { records, facts } = await agent.agent.handOver();
    const next = await makeAgent({ replies: scripted([say("Yes.")]), agent: { records, facts } });
    await next.agent.compact(new AbortController().signal);
    await next.prompt("And now?");
    expect(next.sent()[1]?.content).toContain("1. Never touch the lexer.");
  });
});

describe("without automatic compaction", () => {
  test("a full window ends the turn with both numbers and the ways out, and nothing was sent", async () => {
    const agent = await makeAgent({
      window: 4096,
      replies: scripted([say("Never.")]),
      agent: { autoCompact: false },
    });
    const end = await agent.prompt(WORDS.repeat(600));
    expect(end).toMatchObject({ outcome: "failed", error: { code: "context-overflow" } });
    expect(end.error?.message).toMatch(/about \d+ tokens.*window of 4096/);
    expect(end.error?.hint).toMatch(/\/compact.*\/clear.*--num-ctx/);
    expect(agent.server.requests).toEqual([]);
  });

  test("a refusal of the server leads to no compaction, and the next prompt works", async () => {
    const agent = await makeAgent({
      replies: scripted([NATIVE_REFUSAL(9000, 8192), say("Here I am.")]),
      agent: { autoCompact: false },
    });
    const end = await agent.prompt("First");
    expect(end.error).toMatchObject({ code: "context-overflow" });
    expect(end.error?.message).toMatch(/9000 tokens.*8192/);
    expect(end.error?.hint).toContain("/compact");
    expect(agent.server.requests).toHaveLength(1);
    expect(ofType(agent, "context-compacted")).toEqual([]);
    expect(await agent.prompt("Second")).toMatchObject({ outcome: "done", text: "Here I am." });
    expectValidConversation(agent.sent());
  });

  test("a full window is free again after a compaction by hand", async () => {
    const agent = await makeAgent({
      window: 8192,
      tools: [bulky()],
      replies: scripted([...rounds(10), say("Done."), say("Yes.")]),
      agent: { autoCompact: false },
      runner: {},
    });
    expect((await agent.prompt("Read.")).error?.code).toBe("context-overflow");
    expect((await agent.prompt("And?")).error?.code).toBe("context-overflow");
    const { tokensBefore, tokensAfter } = await agent.agent.compact(new AbortController().signal);
    expect(tokensAfter).toBeLessThan(tokensBefore);
    expect((await agent.prompt("And now?")).outcome).toBe("done");
    expectValidConversation(agent.sent());
  });
});

describe("a prompt that the server refuses as too long", () => {
  test.each([
    ["in llama.cpp's words", NATIVE_REFUSAL(9000, 8192)],
    ["in Ollama's words", RENDERED_REFUSAL],
  ])("%s is compacted once and sent again", async (_, refusal) => {
    const agent = await makeAgent({
      tools: [bulky(3_000)],
      replies: scripted([...rounds(4), refusal, say("Done.")]),
    });
    expect(await agent.prompt("Read. Touch nothing.")).toMatchObject({ outcome: "done", text: "Done." });
    expect(ofType(agent, "context-compacted")).toHaveLength(1);
    const [refused, again] = mainBodies(agent).slice(-2);
    expect(JSON.stringify(again!.messages).length).toBeLessThan(
      JSON.stringify(refused!.messages).length * 0.75,
    );
    expectValidConversation(again!.messages);
    expect(again!.messages[1]?.content).toContain("Read. Touch nothing.");
  });

  test("again, straight after, ends the turn with both numbers", async () => {
    const agent = await makeAgent({
      tools: [bulky(3_000)],
      replies: scripted([...rounds(4), NATIVE_REFUSAL(9000, 8192), NATIVE_REFUSAL(8500, 8192), say("Back.")]),
    });
    const end = await agent.prompt("Read.");
    expect(end).toMatchObject({ outcome: "failed", error: { code: "context-overflow" } });
    expect(end.error?.message).toMatch(/8500 tokens.*8192/);
    expect(ofType(agent, "context-compacted")).toHaveLength(1);
    expect(await agent.prompt("And?")).toMatchObject({ outcome: "done", text: "Back." });
    expectValidConversation(agent.sent());
  });

  test("is one that the next requests stay below: the server's window counts from then on", async () => {
    const agent = await makeAgent({
      window: 32_768,
      tools: [bulky(3_000)],
      replies: scripted([...rounds(4), NATIVE_REFUSAL(9000, 6000), ...rounds(10), say("Done.")]),
    });
    expect((await agent.prompt("Read.")).outcome).toBe("done");
    expect((await agent.agent.contextUse()).window).toBe(6000);
  });

  test("every other time is compacted each time, not more often", async () => {
    let count = 0;
    const agent = await makeAgent({
      window: 32_768,
      tools: [bulky(3_000)],
      replies: (request) => {
        if (asksForSummary(request)) return say("On it.");
        count += 1;
        if (count % 3 === 0) return RENDERED_REFUSAL;
        return count < 12 ? getText : say("Done.");
      },
    });
    expect((await agent.prompt("Read.")).outcome).toBe("done");
    expect(ofType(agent, "context-compacted").length).toBeLessThanOrEqual(4);
  });
});

describe("a prompt of the user", () => {
  test("that alone is too long is told with both numbers, not cut, and the next one works", async () => {
    const agent = await makeAgent({ window: 4096, replies: scripted([say("Hello."), say("Back.")]) });
    await agent.prompt("Hi");
    const end = await agent.prompt(WORDS.repeat(1000));
    expect(end).toMatchObject({ outcome: "failed", error: { code: "context-overflow" } });
    expect(end.error?.message).toMatch(/about \d+ tokens.*window of 4096/);
    for (const { messages } of mainBodies(agent))
      expect(JSON.stringify(messages)).not.toContain(WORDS.repeat(5));
    expect(await agent.prompt("Again")).toMatchObject({ outcome: "done", text: "Back." });
    expectValidConversation(agent.sent());
  });

  test("that fits only by itself is sent in whole, with the earlier ones in short", async () => {
    const agent = await makeAgent({
      window: 8192,
      replies: scripted([...Array.from({ length: 6 }, () => say(WORDS.repeat(80))), say("Done.")]),
    });
    for (let turn = 1; turn <= 6; turn += 1) await agent.prompt(`Question ${turn}.`);
    const long = WORDS.repeat(500);
    expect((await agent.prompt(long)).outcome).toBe("done");
    expect(agent.sent().findLast(({ role }) => role === "user")?.content).toContain(long.trim());
    expect(JSON.stringify(agent.sent())).toContain("Question 1.");
    expectValidConversation(agent.sent());
  });
});

describe("a reply to a prompt that the server cut", () => {
  test("is told, and the conversation is compacted before the next request", async () => {
    const agent = await makeAgent({
      window: 8192,
      tools: [bulky(5_000)],
      replies: scripted(
        [getText, getText, getText, { ...getText, promptTokens: 1500 }, say("Done.")].map((reply, index) =>
          index < 3 ? { ...reply, promptTokens: 1200 + index * 1800 } : reply,
        ),
      ),
    });
    expect((await agent.prompt("Read.")).outcome).toBe("done");
    expect(notices(agent)).toContain("context-cut");
    expect(ofType(agent, "context-compacted").length).toBeGreaterThan(0);
  });
});

describe("a server that counts nothing", () => {
  test("still gets only what fits", async () => {
    const agent = await makeAgent({
      window: 8192,
      tools: [bulky(20_000)],
      replies: scripted([...rounds(6), say("Done.")].map((reply) => ({ ...reply, promptTokens: 0 }))),
    });
    expect((await agent.prompt("Read.")).outcome).toBe("done");
    for (const body of agent.server.chatBodies()) {
      expect(JSON.stringify(body.messages).length / 4).toBeLessThan(8192);
    }
  });
});

describe("a reply that is all thinking", () => {
  const blank = think("Hm. ".repeat(50), say([]));
  const atLimit = think("Hm. ".repeat(50), say([], { doneReason: "length" }));

  test.each([
    ["that ended by itself", blank],
    ["that reached the output limit", atLimit],
    ["in tags that the server left in the text", say("<think>plan</think>")],
  ])("%s is told and asked again once with thinking off", async (_, reply) => {
    const agent = await makeAgent({ think: true, quiet: false, replies: [reply, say("Done."), say("Yes.")] });
    expect(await agent.prompt("Go.")).toMatchObject({ outcome: "done", text: "Done." });
    expect(notices(agent)).toEqual(["thinking-only"]);
    const [first, second] = agent.server.chatBodies();
    expect([first!.think, second!.think]).toEqual([true, false]);
    expect({ ...second, think: undefined }).toEqual({ ...first, think: undefined });
    await agent.prompt("And?");
    expectValidConversation(agent.sent());
    expect(outline(agent.sent()).slice(1)).toEqual(["user: Go.", "assistant: Done.", "user: And?"]);
    expect(agent.server.chatBodies()[2]?.think).toBe(true);
    expect(conversationFrom(agent.records).map(({ text }) => text)).toEqual(["Go.", "Done.", "And?", "Yes."]);
  });

  test("twice is a failure of its own, with no empty message kept, and the next prompt works", async () => {
    const agent = await makeAgent({ think: true, quiet: false, replies: [blank, blank, say("Back.")] });
    expect(await agent.prompt("Go.")).toMatchObject({
      outcome: "failed",
      error: { code: "empty-reply-thinking-only" },
    });
    expect(agent.server.requests).toHaveLength(2);
    expect(await agent.prompt("And?")).toMatchObject({ outcome: "done", text: "Back." });
    expectValidConversation(agent.sent());
  });

  test("of a model that knows levels only is asked again on the lowest", async () => {
    const agent = await makeAgent({ think: "high", quiet: "low", replies: [blank, say("Done.")] });
    expect((await agent.prompt("Go.")).outcome).toBe("done");
    expect(agent.server.chatBodies().map(({ think }) => think)).toEqual(["high", "low"]);
  });

  test("in the middle of a task keeps the work that was done", async () => {
    const agent = await makeAgent({
      think: true,
      quiet: false,
      replies: [call("write_note", { name: "c", text: "x" }), blank, say("Written.")],
    });
    expect(await agent.prompt("Write.")).toMatchObject({ outcome: "done", changedFiles: ["c"] });
    expect(outline(agent.sent()).slice(1)).toEqual([
      "user: Write.",
      "assistant:  → write_note",
      "tool: Wrote c.",
    ]);
  });
});
