import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { describe, expect, test } from "vitest";
import { call, say } from "../../src/demo/reply.js";
import { thinkingFields } from "../../src/model/thinking.js";
import { scriptedOllama } from "../helpers/scripted-ollama.js";
import { chatModel, replyTo, wireTool } from "./model.js";

describe("a chat request", () => {
  test("says what the server would otherwise decide by itself", async () => {
    const server = await scriptedOllama({ replies: [say("Hello.")] });
    await replyTo(chatModel(server.url), [new HumanMessage("Hi")]);
    expect(server.chatBodies()).toEqual([
      {
        model: "scripted",
        messages: [{ role: "user", content: "Hi" }],
        stream: true,
        think: false,
        truncate: false,
        shift: false,
        keep_alive: "30m",
        options: { num_ctx: 8192, num_predict: 512 },
      },
    ]);
  });

  test("is made the same way by stream and by invoke", async () => {
    const server = await scriptedOllama({ replies: [say("One."), say("Two.")] });
    const model = chatModel(server.url);
    await replyTo(model, [new HumanMessage("Hi")]);
    const invoked = await model.invoke([new HumanMessage("Hi")]);
    expect(invoked.text).toBe("Two.");
    expect(server.requests[1]?.text).toBe(server.requests[0]?.text);
  });

  test("differs from the one before in its messages only", async () => {
    const server = await scriptedOllama({
      replies: [call("read_file", { path: "a" }), say("Done."), say("Yes.")],
    });
    const bound = chatModel(server.url, { temperature: 0.2 }).bindTools([wireTool("read_file")]);
    const conversation = [new SystemMessage("You help."), new HumanMessage("Read a.")];
    const reply = await bound.invoke(conversation);
    const result = new ToolMessage({ tool_call_id: reply.tool_calls?.[0]?.id ?? "", content: "A" });
    await bound.invoke([...conversation, reply, result]);
    await bound.invoke([...conversation, reply, result, new HumanMessage("Sure?")]);

    const [first, ...others] = server.chatBodies().map((body) => ({ ...body, messages: undefined }));
    expect(first?.options).toEqual({ num_ctx: 8192, num_predict: 512, temperature: 0.2 });
    expect(first?.tools).toEqual([wireTool("read_file")]);
    expect(others).toEqual([first, first]);
  });

  test.each([true, "low", "medium", "high"] as const)("passes the thinking level %s on", async (think) => {
    const server = await scriptedOllama({
      models: [{ name: "scripted", capabilities: ["completion", "tools", "thinking"] }],
      replies: [say("Hello.")],
    });
    await replyTo(chatModel(server.url, { think }), [new HumanMessage("Hi")]);
    expect(server.chatBodies()[0]?.think).toBe(think);
  });

  test("names no tools where none are bound", async () => {
    const server = await scriptedOllama({ replies: [say("Hello.")] });
    await replyTo(chatModel(server.url), [new HumanMessage("Hi")]);
    expect(server.chatBodies()[0]).not.toHaveProperty("tools");
  });
});

describe("the conversation in a chat request", () => {
  const assistant = (text: string, thinking: string, id: string) =>
    new AIMessage({
      content: text,
      tool_calls: [{ type: "tool_call", id, name: "read_file", args: { path: `${id}.txt`, n: 1 } }],
      ...thinkingFields(thinking),
    });
  const result = (id: string) =>
    new ToolMessage({ tool_call_id: id, name: "read_file", content: `content of ${id}` });

  async function sent(messages: Parameters<typeof replyTo>[1]) {
    const server = await scriptedOllama({ replies: [say("Done.")] });
    await replyTo(chatModel(server.url), messages);
    return server.chatBodies()[0]?.messages;
  }

  test("gives a result the id and the tool of its call", async () => {
    expect(await sent([new HumanMessage("Read."), assistant("", "", "c1"), result("c1")])).toEqual([
      { role: "user", content: "Read." },
      {
        role: "assistant",
        content: "",
        tool_calls: [{ id: "c1", function: { name: "read_file", arguments: { path: "c1.txt", n: 1 } } }],
      },
      { role: "tool", content: "content of c1", tool_name: "read_file", tool_call_id: "c1" },
    ]);
  });

  test("holds the thinking of the current turn, and of no earlier one", async () => {
    const messages = await sent([
      new SystemMessage("You help."),
      new HumanMessage("First."),
      assistant("Looking.", "old plan", "c1"),
      result("c1"),
      new AIMessage({ content: "Read.", ...thinkingFields("old end") }),
      new HumanMessage("Second."),
      assistant("Again.", "new plan", "c2"),
      result("c2"),
      assistant("And again.", "newer plan", "c3"),
      result("c3"),
    ]);
    expect(messages?.map(({ role, thinking }) => [role, thinking])).toEqual([
      ["system", undefined],
      ["user", undefined],
      ["assistant", undefined],
      ["tool", undefined],
      ["assistant", undefined],
      ["user", undefined],
      ["assistant", "new plan"],
      ["tool", undefined],
      ["assistant", "newer plan"],
      ["tool", undefined],
    ]);
  });

  test("passes words, tags and odd characters of user and tool on as they are", async () => {
    const odd = '<think>sample</think> \u2028 \u0000 \u{1f600} \\n "quoted"\r\n\ttab';
    const messages = await sent([
      new HumanMessage(odd),
      assistant(odd, "", "c1"),
      new ToolMessage({ tool_call_id: "c1", name: "read_file", content: odd }),
    ]);
    expect(messages?.map(({ content }) => content)).toEqual([odd, odd, odd]);
  });

  test("keeps the order of a call's arguments", async () => {
    const ordered = { zebra: 1, apple: { y: 1, x: 2 }, middle: [3] };
    const messages = await sent([
      new HumanMessage("Go."),
      new AIMessage({
        content: "",
        tool_calls: [{ type: "tool_call", id: "c1", name: "t", args: ordered }],
      }),
      result("c1"),
    ]);
    const args = messages?.[1]?.tool_calls?.[0]?.function.arguments;
    expect(JSON.stringify(args)).toBe(JSON.stringify(ordered));
  });
});
