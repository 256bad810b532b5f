import type { BaseMessage } from "@langchain/core/messages";
import { HumanMessage, ToolMessage } from "@langchain/core/messages";
import { concat } from "@langchain/core/utils/stream";
import { describe, expect, test } from "vitest";
import { call, say, think } from "../../../src/demo/reply.js";
import type { Reply } from "../../../src/demo/reply.js";
import { statsOf } from "../../../src/model/reply-stats.js";
import { thinkingOf } from "../../../src/model/thinking.js";
import { makeAgent } from "../../agent/setup.js";
import { scriptedOllama } from "../../helpers/scripted-ollama.js";
import { chatModel } from "../model.js";
import { WIRE_TOOLS } from "./samples.js";

const HI = [new HumanMessage("Hi")];
const TAGGED = '<tool_call>\n{"name": "read_file", "arguments": {"file_path": "a.ts"}}\n</tool_call>';

async function serverWith(...replies: Reply[]) {
  const server = await scriptedOllama({ replies });
  return { server, model: chatModel(server.url) };
}

/** The texts of a streamed reply, and the whole of it. */
async function streamedReply(reply: Reply) {
  const { model } = await serverWith(reply);
  const chunks = [];
  for await (const chunk of await model.bindTools(WIRE_TOOLS).stream(HI)) chunks.push(chunk);
  return {
    texts: chunks.map((chunk) => chunk.text),
    whole: chunks.reduce((all, chunk) => concat(all, chunk)),
  };
}

describe("a call that arrives as text", () => {
  test("is a call with an id, and its text is gone", async () => {
    const { texts, whole } = await streamedReply(say(Array.from(`I look.\n${TAGGED}`)));
    expect(texts.join("")).toBe("I look.");
    expect(whole.tool_calls).toEqual([
      {
        type: "tool_call",
        id: expect.stringMatching(/^call_\w+$/) as string,
        name: "read_file",
        args: { path: "a.ts" },
      },
    ]);
    expect(statsOf(whole)).toMatchObject({ recovered: "hermes", doneReason: "stop" });
  });

  test("stands in the next request as any other call", async () => {
    const { server, model } = await serverWith(say(TAGGED), say("Done."));
    const bound = model.bindTools(WIRE_TOOLS);
    const messages: BaseMessage[] = [...HI, await bound.invoke(HI)];
    const [made] = messages.flatMap((message) =>
      "tool_calls" in message ? (message.tool_calls as { id: string }[]) : [],
    );
    await bound.invoke([
      ...messages,
      new ToolMessage({ content: "text", tool_call_id: made!.id, name: "read_file" }),
    ]);
    expect(server.chatBodies().at(-1)?.messages).toEqual([
      { role: "user", content: "Hi" },
      {
        role: "assistant",
        content: "",
        tool_calls: [{ id: made!.id, function: { name: "read_file", arguments: { path: "a.ts" } } }],
      },
      { role: "tool", content: "text", tool_name: "read_file", tool_call_id: made!.id },
    ]);
  });

  test("in thinking is taken out of it", async () => {
    const { whole } = await streamedReply(think(["I should look.\n", TAGGED], say([])));
    expect(thinkingOf(whole)).toBe("I should look.");
    expect(whole.tool_calls).toMatchObject([{ name: "read_file" }]);
  });

  test("that breaks off is told, and not made", async () => {
    const { whole } = await streamedReply(say(TAGGED.slice(0, 50), { doneReason: "length" }));
    expect(whole.text).toBe("");
    expect(whole.tool_calls ?? []).toEqual([]);
    expect(statsOf(whole)).toMatchObject({ problem: "truncated", detail: "read_file" });
    expect(statsOf(whole)).not.toHaveProperty("recovered");
  });

  test("stays text in a request without tools", async () => {
    const { model } = await serverWith(say(TAGGED));
    const reply = await model.invoke(HI);
    expect(reply.text).toBe(TAGGED);
    expect(reply.tool_calls ?? []).toEqual([]);
  });

  test("beside its own echo by the server is made once", async () => {
    const { whole } = await streamedReply({ ...call("read_file", { path: "a.ts" }), text: TAGGED });
    expect(whole.text).toBe("");
    expect(whole.tool_calls).toHaveLength(1);
    expect(statsOf(whole)).not.toHaveProperty("recovered");
  });

  test("is named by the event that ends the request, and its tool runs", async () => {
    const { prompt, events, records } = await makeAgent({
      replies: [say('Action: read_note\nAction Input: {"name": "a"}\nObservation: empty'), say("It says A.")],
    });
    await prompt("What does a say?");
    expect(events.find(({ type }) => type === "model-end")).toMatchObject({ recovered: "react" });
    expect(events.find(({ type }) => type === "tool-end")).toMatchObject({ tool: "read_note", status: "ok" });
    expect(records.find(({ type }) => type === "assistant")).toMatchObject({
      text: "",
      calls: [{ name: "read_note" }],
    });
  });
});
