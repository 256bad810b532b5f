import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { describe, expect, test } from "vitest";
import { call, calls, json, raw, say, think } from "../../src/demo/reply.js";
import type { Reply } from "../../src/demo/reply.js";
import { statsOf } from "../../src/model/reply-stats.js";
import { thinkingOf } from "../../src/model/thinking.js";
import { scriptedOllama } from "../helpers/scripted-ollama.js";
import { chatModel, replyTo, wireTool } from "./model.js";

const HI = [new HumanMessage("Hi")];

async function received(reply: Reply) {
  const server = await scriptedOllama({ replies: [reply] });
  return replyTo(chatModel(server.url), HI);
}

const line = (value: unknown) => `${JSON.stringify(value)}\n`;
const DONE = line({ message: { role: "assistant", content: "" }, done: true, done_reason: "stop" });

describe("the words of a reply", () => {
  test("come as they are streamed, not when the reply ends", async () => {
    const server = await scriptedOllama({ replies: [say(["One ", "two"], { stallAfter: 1 })] });
    for await (const chunk of await chatModel(server.url).stream(HI)) {
      expect(chunk.text).toBe("One ");
      break;
    }
  });

  test("stay whole when one read brings many of them", async () => {
    const words = Array.from({ length: 500 }, (_, index) => `${index} `);
    expect((await received(say(words, { chunksPerWrite: 100 }))).text).toBe(words.join(""));
  });

  test("survive reads that end in the middle of a character and of a line", async () => {
    const text = "Grüße, 世界 \u{1f600}!";
    const bytes = Buffer.from(line({ message: { role: "assistant", content: text } }) + DONE);
    const pieces = Array.from(bytes, (byte) => Uint8Array.of(byte));
    const server = await scriptedOllama({ replies: [{ ...raw(...pieces), chunkDelay: 1 }] });
    expect((await replyTo(chatModel(server.url), HI)).text).toBe(text);
  });

  test("count also when the last line has no line break", async () => {
    const whole = line({ message: { content: "Whole." } }) + DONE.trimEnd();
    expect((await received(raw(whole))).text).toBe("Whole.");
  });

  test("are kept apart from the thinking before them", async () => {
    const reply = await received(think("I should greet.", say("Hello.")));
    expect(reply.text).toBe("Hello.");
    expect(thinkingOf(reply)).toBe("I should greet.");
  });

  test("keep think tags that belong to them", async () => {
    const text = "The tag is written `<think>` and `</think>`.";
    expect((await received(say(text))).text).toBe(text);
  });

  test("are followed by what the server counted and measured", async () => {
    const counted = { promptTokens: 120, outputTokens: 7, loadMs: 5, promptMs: 40, outputMs: 90 };
    const stats = statsOf(await received(say("Hello.", { ...counted, doneReason: "length" })));
    expect(stats).toEqual({
      ...counted,
      doneReason: "length",
      loadMs: expect.closeTo(5) as number,
      promptMs: expect.closeTo(40) as number,
      outputMs: expect.closeTo(90) as number,
    });
  });

  test("may lack every count", async () => {
    const stats = statsOf(await received(raw(line({ message: { content: "Hi" }, done: true }))));
    expect(stats).toEqual({
      doneReason: "",
      promptTokens: 0,
      outputTokens: 0,
      loadMs: 0,
      promptMs: 0,
      outputMs: 0,
    });
  });
});

describe("a tool call in a reply", () => {
  const madeUpId = expect.stringMatching(/^call_\w+$/) as string;

  test("keeps the id that the server gave", async () => {
    const reply = await received({
      toolCalls: [{ name: "t", arguments: { path: "a" }, id: "call_server1" }],
    });
    expect(reply.tool_calls).toEqual([
      { type: "tool_call", id: "call_server1", name: "t", args: { path: "a" } },
    ]);
  });

  test("gets an id where the server gave none", async () => {
    const reply = await received({
      toolCalls: [
        { name: "t", arguments: {}, id: null },
        { name: "t", arguments: {}, id: "" },
      ],
    });
    const ids = reply.tool_calls?.map(({ id }) => id);
    expect(ids).toEqual([madeUpId, madeUpId]);
    expect(new Set(ids).size).toBe(2);
  });

  test("never shares its id with another call of the conversation or of the reply", async () => {
    const server = await scriptedOllama({
      replies: [
        {
          toolCalls: [
            { name: "t", arguments: { path: "1" }, id: "call_0" },
            { name: "t", arguments: { path: "2" }, id: "call_1" },
            { name: "t", arguments: { path: "3" }, id: "call_1" },
          ],
        },
      ],
    });
    const reply = await replyTo(chatModel(server.url), [
      ...HI,
      new AIMessage({ content: "", tool_calls: [{ type: "tool_call", id: "call_0", name: "t", args: {} }] }),
      new ToolMessage({ tool_call_id: "call_0", name: "t", content: "done" }),
    ]);
    const ids = reply.tool_calls?.map(({ id }) => id);
    expect(ids).toEqual([madeUpId, "call_1", madeUpId]);
    expect(new Set([...(ids ?? []), "call_0"]).size).toBe(4);
    expect(reply.tool_calls?.map(({ args }) => args)).toEqual([{ path: "1" }, { path: "2" }, { path: "3" }]);
  });

  test.each([
    ["an object written as a string", '{"path":"a.txt","n":2}', { path: "a.txt", n: 2 }],
    ["an empty string", "", {}],
    ["a cut string", '{"path":"a.t', { arguments: '{"path":"a.t' }],
    ["bare words", "a.txt", { arguments: "a.txt" }],
    ["a list written as a string", '["a.txt"]', { arguments: '["a.txt"]' }],
  ])("is readable with arguments given as %s", async (_, given, args) => {
    const reply = await received(call("t", given));
    expect(reply.tool_calls).toMatchObject([{ name: "t", args }]);
    expect(reply.invalid_tool_calls ?? []).toEqual([]);
  });

  test.each([
    ["missing", { name: "t" }, "t", {}],
    ["null", { name: "t", arguments: null }, "t", {}],
    ["without a name", { arguments: { path: "a" } }, "", { path: "a" }],
  ])("is still a call when its parts are %s", async (_, called, name, args) => {
    const reply = await received(raw(line({ message: { tool_calls: [{ function: called }] } }), DONE));
    expect(reply.tool_calls).toMatchObject([{ name, args, id: madeUpId }]);
  });

  test("keeps its order among several, in one line and over several", async () => {
    const wire = (name: string) => ({ id: `call_${name}`, function: { index: 0, name, arguments: {} } });
    const reply = await received(
      raw(
        line({ message: { content: "First ", tool_calls: [wire("a"), wire("b")] } }),
        line({ message: { tool_calls: [wire("c")] } }),
        line({ message: { content: "then.", tool_calls: [wire("d")] }, done: true, done_reason: "stop" }),
      ),
    );
    expect(reply.tool_calls?.map(({ name, id }) => [name, id])).toEqual([
      ["a", "call_a"],
      ["b", "call_b"],
      ["c", "call_c"],
      ["d", "call_d"],
    ]);
    expect(reply.text).toBe("First then.");
  });

  test("counts when it comes in the last line", async () => {
    const reply = await received({ ...call("t", { path: "a" }), callsInLastLine: true });
    expect(reply.tool_calls).toMatchObject([{ name: "t", args: { path: "a" } }]);
    expect(statsOf(reply)?.doneReason).toBe("stop");
  });

  test("arrives alike through invoke", async () => {
    const server = await scriptedOllama({
      replies: [think("Hm.", { ...calls(call("a", { path: "1" }), call("b", { path: "2" })), text: "Two:" })],
    });
    const reply = await chatModel(server.url)
      .bindTools([wireTool("a"), wireTool("b")])
      .invoke(HI);
    expect(reply.text).toBe("Two:");
    expect(reply.tool_calls?.map(({ name, args }) => [name, args])).toEqual([
      ["a", { path: "1" }],
      ["b", { path: "2" }],
    ]);
    expect(thinkingOf(reply)).toBe("Hm.");
    expect(statsOf(reply)?.doneReason).toBe("stop");
  });
});

test("a reply in one object, as a server without streaming sends it, is read too", async () => {
  const reply = await received(json({ message: { role: "assistant", content: "Whole." }, done: true }));
  expect(reply.text).toBe("Whole.");
});

test("an empty reply is an empty message, not a failure", async () => {
  const reply = await received(say([]));
  expect(reply.text).toBe("");
  expect(reply.tool_calls ?? []).toEqual([]);
});
