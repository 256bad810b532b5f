import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { describe, expect, test } from "vitest";
import { say } from "../../../src/demo/reply.js";
import type { Reply } from "../../../src/demo/reply.js";
import type { CallProtocol } from "../../../src/model/call-protocol.js";
import { createRequestForm } from "../../../src/model/call-protocol.js";
import { ModelError } from "../../../src/model/model-error.js";
import { statsOf } from "../../../src/model/reply-stats.js";
import { thinkingFields } from "../../../src/model/thinking.js";
import { toTextMessages } from "../../../src/model/text-protocol/text-messages.js";
import { scriptedOllama } from "../../helpers/scripted-ollama.js";
import { WIRE_TOOLS } from "../call-recovery/samples.js";
import { chatModel } from "../model.js";

const READ = '<call tool="read_file">\npath: a.ts\n</call>';
const HI = [new SystemMessage("You code."), new HumanMessage("Hi")];

function reads(...paths: string[]) {
  const tool_calls = paths.map((path) => ({ id: path, name: "read_file", args: { path } }));
  return new AIMessage({ content: "I look.", tool_calls });
}
const result = (path: string, content: string) =>
  new ToolMessage({ tool_call_id: path, name: "read_file", content });

async function textModel(...replies: Reply[]) {
  const server = await scriptedOllama({ replies });
  const form = createRequestForm("scripted", "text", "native");
  return { server, model: chatModel(server.url, { form }) };
}

describe("a conversation for a model without tools", () => {
  test("has system text with the tools, calls as text, and results as one message", () => {
    const wire = toTextMessages(
      [...HI, reads("a", "b"), result("a", "A"), result("b", "B"), new HumanMessage("And now?")],
      WIRE_TOOLS,
    );
    const tools = wire[0]!.content.slice("You code.\n\n".length);
    expect(tools).toMatch(/^# Tools\n[^]*<call tool="edit_file">[^]*\nread_file: read_file\n/);
    expect(wire).toEqual([
      { role: "system", content: `You code.\n\n${tools}` },
      { role: "user", content: "Hi" },
      {
        role: "assistant",
        content:
          'I look.\n\n<call tool="read_file">\npath: a\n</call>\n<call tool="read_file">\npath: b\n</call>',
      },
      {
        role: "user",
        content:
          "<tool_response>\nread_file:\nA\n</tool_response>\n\n<tool_response>\nread_file:\nB\n</tool_response>\n\nAnd now?",
      },
    ]);
  });

  test("shows the marks of calls in results in other brackets, so that a copy of them ends nothing", () => {
    const file = `${READ}\n</content>\n<callback> stays, as <content type="a"> does\n`;
    const wire = toTextMessages([...HI, reads("a"), result("a", file)], WIRE_TOOLS);
    expect(wire.at(-1)?.content).toContain(
      '‹call tool="read_file">\npath: a.ts\n‹/call>\n‹/content>\n<callback> stays, as <content type="a"> does\n',
    );
  });

  test("leaves thinking out, and tools where a request has none", () => {
    const thought = new AIMessage({ content: "Yes.", ...thinkingFields("Hm.") });
    expect(toTextMessages([...HI, thought], [])).toEqual([
      { role: "system", content: "You code." },
      { role: "user", content: "Hi" },
      { role: "assistant", content: "Yes." },
    ]);
  });
});

describe("a request of a model without tools", () => {
  test("has no tools, and its reply is one with calls", async () => {
    const { server, model } = await textModel(say(`I look.\n${READ}`));
    const reply = await model.bindTools(WIRE_TOOLS).invoke(HI);
    expect(reply).toMatchObject({
      text: "I look.",
      tool_calls: [{ name: "read_file", args: { path: "a.ts" } }],
    });
    expect(statsOf(reply)).toMatchObject({ recovered: "text-protocol", doneReason: "stop" });
    expect(server.chatBodies()[0]).not.toHaveProperty("tools");
  });

  test("ends as soon as the model invents the result of its call", async () => {
    const { server, model } = await textModel(
      say([READ, "\n", "<tool_", "response>\n", "It says: ", "never sent"], { stallAfter: 5 }),
    );
    const reply = await model.bindTools(WIRE_TOOLS).invoke(HI);
    expect(reply).toMatchObject({ text: "", tool_calls: [{ name: "read_file" }] });
    expect(statsOf(reply)).toMatchObject({ recovered: "text-protocol", doneReason: "invented-result" });
    await server.waitFor(({ openRequests }) => openRequests === 0);
  });

  test("does not end for a text that holds the mark", async () => {
    const content = `<tool_response>\nx\n</tool_response>\n`;
    const write = `<call tool="write_file">\npath: a\n<content>\n${content}</content>\n</call>`;
    for (const text of [write, `The mark <tool_response> opens a result.`]) {
      const { model } = await textModel(say(Array.from(text)));
      const reply = await model.bindTools(WIRE_TOOLS).invoke(HI);
      expect(statsOf(reply)?.doneReason).toBe("stop");
      expect(reply.tool_calls ?? []).toHaveLength(text === write ? 1 : 0);
    }
  });
});

describe("the form of a session's requests", () => {
  const refusal = (kind: "no-tools" | "no-thinking" | "no-chat") => new ModelError(kind, "no", "no");

  test.each<["auto" | CallProtocol, CallProtocol, CallProtocol]>([
    ["auto", "native", "native"],
    ["auto", "text", "text"],
    ["native", "text", "native"],
    ["text", "native", "text"],
  ])("%s begins, where a model is better %s, as %s", (setting, first, protocol) => {
    expect(createRequestForm("m", setting, first).protocol).toBe(protocol);
  });

  test("turns to text once, unless it is set to native", () => {
    const form = createRequestForm("m", "auto", "native");
    expect([form.adapt(refusal("no-tools")), form.protocol]).toEqual(["text", "text"]);
    expect([form.adapt(refusal("no-tools")), form.useText()]).toEqual([undefined, false]);
    const fixed = createRequestForm("m", "native", "native");
    expect([fixed.adapt(refusal("no-tools")), fixed.useText(), fixed.protocol]).toEqual([
      undefined,
      false,
      "native",
    ]);
  });

  test("drops thinking once, and heeds no other refusal", () => {
    const form = createRequestForm("m", "auto", "native");
    expect([form.adapt(refusal("no-thinking")), form.sendsThink]).toEqual(["no-think", false]);
    for (const error of [refusal("no-thinking"), refusal("no-chat"), new Error("no")]) {
      expect(form.adapt(error)).toBeUndefined();
    }
  });
});
