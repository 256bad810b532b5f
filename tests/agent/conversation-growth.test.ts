import { HumanMessage } from "@langchain/core/messages";
import { createReactAgent, ToolNode } from "@langchain/langgraph/prebuilt";
import { describe, expect, test } from "vitest";
import { NewestCheckpointSaver } from "../../src/agent/newest-checkpoint-saver.js";
import { call, calls, say, think } from "../../src/demo/reply.js";
import { scriptedOllama } from "../helpers/scripted-ollama.js";
import { chatModel, wireTool } from "../model/model.js";
import type { TestAgent } from "./setup.js";
import { makeAgent, outline } from "./setup.js";

const read = call("read_note", { name: "a" });

/** The messages of each request as bytes, each message by itself. */
function sentMessages({ server }: TestAgent, map = (message: object) => message): string[][] {
  return server.chatBodies().map(({ messages }) => messages.map((message) => JSON.stringify(map(message))));
}

describe("each request goes on where the one before ended", () => {
  test("within a turn and from turn to turn, byte for byte", async () => {
    const agent = await makeAgent({
      replies: [
        { ...read, text: "Looking:" },
        calls(read, call("nope", { x: 1 }), call("write_note", { text: "z", name: "c" })),
        say("  Done.\n"),
        call("run_command", { command: "true" }),
        say("Ran."),
        say("Bye."),
      ],
    });
    for (const text of ["One", "Two", "Three"]) await agent.prompt(text);
    const requests = sentMessages(agent);
    expect(requests).toHaveLength(6);
    for (const [index, request] of requests.slice(1).entries()) {
      const before = requests[index] ?? [];
      expect(request.slice(0, before.length)).toEqual(before);
      expect(request.length).toBeGreaterThan(before.length);
    }
    const heads = agent.server.requests.map(({ text }) => text.slice(0, text.indexOf('"role":"user"')));
    expect(new Set(heads).size).toBe(1);
    const tails = agent.server.chatBodies().map((body) => JSON.stringify({ ...body, messages: undefined }));
    expect(new Set(tails).size).toBe(1);
  });

  test("with thinking, which stays within its turn and is dropped once, at the turn's end", async () => {
    const agent = await makeAgent({
      replies: [
        think("First, look.", read),
        think("Then again.", read),
        think("Enough.", say("A.")),
        say("Yes."),
      ],
    });
    await agent.prompt("One");
    await agent.prompt("Two");
    const [first = [], second = [], third = [], fourth = []] = sentMessages(agent);
    expect(second.slice(0, first.length)).toEqual(first);
    expect(third.slice(0, second.length)).toEqual(second);
    expect(third.filter((message) => message.includes('"thinking"'))).toHaveLength(2);
    expect(fourth.filter((message) => message.includes('"thinking"'))).toEqual([]);

    const withoutThinking = sentMessages(agent, (message) => ({ ...message, thinking: undefined }));
    expect(withoutThinking[3]?.slice(0, third.length)).toEqual(withoutThinking[2]);
  });

  test("also after a turn that broke", async () => {
    const agent = await makeAgent({
      replies: [read, say("A."), read, say("Half an", { cutAfter: 1, chunkDelay: 10 }), say("Yes.")],
    });
    for (const text of ["One", "Two", "Three"]) await agent.prompt(text);
    const [, , , broken = [], next = []] = sentMessages(agent);
    expect(next.slice(0, broken.length)).toEqual(broken);
  });

  test("also in a session that is resumed from its records", async () => {
    const first = await makeAgent({
      replies: [think("Look.", calls(read, call("nope", {}))), say("A."), say("Yes.")],
    });
    await first.prompt("One");
    const { server } = first;
    const resumed = await makeAgent({
      replies: [],
      agent: { records: first.records, modelFor: () => chatModel(server.url) },
    });
    await resumed.prompt("Two");
    await first.prompt("Two");
    const [, , byResumed, byFirst] = sentMessages(first);
    expect(byResumed).toEqual(byFirst);
    expect(outline(server.chatBodies()[2]?.messages ?? []).at(-1)).toBe("user: Two");
  });
});

describe("the memory of a conversation", () => {
  test("is one checkpoint, however long it gets, and its messages are all there", async () => {
    const rounds = 50;
    const server = await scriptedOllama({
      replies: (_, index) =>
        index % (rounds + 1) < rounds ? call("read_note", { path: "a" }) : say("Done."),
    });
    const checkpointer = new NewestCheckpointSaver();
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- the graph that the saver is made for
    const agent = createReactAgent({
      llm: () => chatModel(server.url).bindTools([wireTool("read_note")]),
      tools: new ToolNode([]),
      checkpointSaver: checkpointer,
    });
    for (const thread of ["one", "two"]) {
      const config = { configurable: { thread_id: thread }, recursionLimit: 200 };
      await agent.invoke({ messages: [new HumanMessage("Go.")] }, config);
    }
    const checkpoints = Object.values(checkpointer.storage).map((byNamespace) =>
      Object.values(byNamespace).map((kept) => Object.keys(kept).length),
    );
    expect(checkpoints).toEqual([[1], [1]]);
    expect(Object.keys(checkpointer.writes).length).toBeLessThanOrEqual(2);
    const state = await agent.getState({ configurable: { thread_id: "one" } });
    expect((state.values as { messages: unknown[] }).messages).toHaveLength(2 * rounds + 2);

    await checkpointer.deleteThread("one");
    expect(Object.keys(checkpointer.storage)).toEqual(["two"]);
  });
});
