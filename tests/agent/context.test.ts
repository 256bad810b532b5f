import { describe, expect, test } from "vitest";
import { showControlTokens } from "../../src/agent/control-tokens.js";
import { conversationFrom } from "../../src/agent/conversation.js";
import { call, calls, say, think } from "../../src/demo/reply.js";
import { chatModel } from "../model/model.js";
import { WORDS, asksForSummary, scripted, bulky, getText, rounds, ofType, notices } from "./bulky-work.js";
import type { TestAgent } from "./setup.js";
import { expectValidConversation, makeAgent, outline } from "./setup.js";

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
      agent: { records: agent.records, modelFor: () => chatModel(agent.server.url, { numCtx: 8192 }) },
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
    control.abort(new DOMException("cancelled by the user", "AbortError"));
    expect((await turn).outcome).toBe("cancelled");
    await agent.server.waitFor(({ openRequests }) => openRequests === 0);
  });

  test("lets the model read again what was cut, and does not take that for going in circles", async () => {
    const parts = Array.from({ length: 7 }, (_, index) => [0, 10 + index, 20 + index]).flat();
    const agent = await makeAgent({
      window: 8192,
      tools: [bulky(6_500)],
      runner: {},
      limits: { maxSteps: 100 },
      replies: scripted([...parts.map(getText), say("Done.")]),
    });
    expect((await agent.prompt("Read.")).outcome).toBe("done");
    const ends = ofType(agent, "tool-end").map(({ status, output }) => `${status} ${output.slice(0, 7)}`);
    expect(ends).toEqual(parts.map((part) => `ok ${`part ${part}:`.slice(0, 7)}`));
  });

  test("leaves several results of one reply fitted together, and none is lost", async () => {
    const agent = await makeAgent({
      window: 8192,
      tools: [bulky(20_000)],
      runner: {},
      replies: scripted([calls(...rounds(4)), say("Done.")]),
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

describe("a reply that is all thinking", () => {
  const blank = think("Hm. ".repeat(50), say([]));
  const atLimit = think("Hm. ".repeat(50), say([], { doneReason: "length" }));

  test.each([
    ["that ended by itself", blank, "reply-thinking-only"],
    ["that reached the output limit", atLimit, "reply-output-limit"],
    ["in tags that the server left in the text", say("<think>plan</think>"), "reply-thinking-only"],
  ])("%s is told and asked again once with thinking off", async (_, reply, code) => {
    const agent = await makeAgent({ think: true, quiet: false, replies: [reply, say("Done."), say("Yes.")] });
    expect(await agent.prompt("Go.")).toMatchObject({ outcome: "done", text: "Done." });
    expect(notices(agent)).toEqual([code]);
    const [first, second] = agent.server.chatBodies();
    expect([first!.think, second!.think]).toEqual([true, false]);
    expect({ ...second, think: undefined }).toEqual({ ...first, think: undefined });
    await agent.prompt("And?");
    expectValidConversation(agent.sent());
    expect(outline(agent.sent()).slice(1)).toEqual(["user: Go.", "assistant: Done.", "user: And?"]);
    expect(agent.server.chatBodies()[2]?.think).toBe(true);
    expect(conversationFrom(agent.records).map(({ text }) => text)).toEqual(["Go.", "Done.", "And?", "Yes."]);
  });

  test("again and again is a failure of its own, with no empty message kept, and the next prompt works", async () => {
    const agent = await makeAgent({
      think: true,
      quiet: false,
      replies: [blank, blank, blank, say("Back.")],
    });
    expect(await agent.prompt("Go.")).toMatchObject({
      outcome: "failed",
      error: { code: "reply-thinking-only" },
    });
    const [, second, third] = agent.server.chatBodies();
    expect(agent.server.requests).toHaveLength(3);
    expect(second?.messages.at(-1)?.content).toBe("Go.");
    expect(third?.messages.at(-1)?.content).toContain("Give the answer or call a tool now.");
    expect([second?.think, third?.think]).toEqual([false, false]);
    expectValidConversation(third?.messages ?? []);
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

describe("think tags that are not the model's thinking", () => {
  const tags = "<think>sample</think>\n[THINK]x[/THINK]";

  test("pass as they are, in the user's words, in arguments, in files and in an answer", async () => {
    const answer = `Here it is:\n\`\`\`\n${tags}\n\`\`\``;
    const agent = await makeAgent({
      replies: [
        call("write_note", { name: "c", text: tags }),
        call("read_note", { name: "c" }),
        say(`<think>The user wants tags.</think>\n${answer}`),
        say("Yes."),
      ],
    });
    const end = await agent.prompt(`Write this: ${tags}`);
    expect(end.text).toBe(answer);
    expect(agent.notes.get("c")).toBe(tags);
    await agent.prompt("And?");
    const [, prompt, writing, , , result, said] = agent.sent();
    expect(prompt?.content).toBe(`Write this: ${tags}`);
    expect(writing?.tool_calls?.[0]?.function.arguments).toEqual({ name: "c", text: tags });
    expect(result?.content).toBe(showControlTokens(tags));
    expect(said?.content).toBe(answer);
    expect(
      ofType(agent, "thinking-delta")
        .map(({ text }) => text)
        .join(""),
    ).toBe("The user wants tags.");
  });
});
