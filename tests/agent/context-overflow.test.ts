import { describe, expect, test } from "vitest";
import { say } from "../../src/demo/reply.js";
import {
  WORDS,
  nativeRefusal,
  RENDERED_REFUSAL,
  asksForSummary,
  scripted,
  bulky,
  getText,
  rounds,
  ofType,
  notices,
  mainBodies,
} from "./bulky-work.js";
import { expectValidConversation, makeAgent } from "./setup.js";

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
      replies: scripted([nativeRefusal(9000, 8192), say("Here I am.")]),
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
    ["in llama.cpp's words", nativeRefusal(9000, 8192)],
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
      replies: scripted([...rounds(4), nativeRefusal(9000, 8192), nativeRefusal(8500, 8192), say("Back.")]),
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
      replies: scripted([...rounds(4), nativeRefusal(9000, 6000), ...rounds(10, 4), say("Done.")]),
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
        return count < 12 ? getText(count) : say("Done.");
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
      replies: scripted([...rounds(4), { ...getText(4), promptTokens: 2200 }, say("Done.")]),
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
