import type { BaseMessage } from "@langchain/core/messages";
import { AIMessage, ToolMessage } from "@langchain/core/messages";
import { describe, expect, test } from "vitest";
import { conversationFrom } from "../../src/agent/conversation.js";
import { thinkingOf } from "../../src/model/thinking.js";
import type { SessionRecord } from "../../src/sessions/records.js";

const AT = "2026-03-04T05:06:07.000Z";
const user = (text: string): SessionRecord => ({ type: "user", at: AT, text });
const assistant = (text: string, ids: string[] = [], more: object = {}): SessionRecord => ({
  type: "assistant",
  text,
  calls: ids.map((id) => ({ id, name: "write_note", args: { name: id } })),
  promptTokens: 1,
  outputTokens: 1,
  ...more,
});
const started = (id: string): SessionRecord => ({ type: "call-started", id, effect: "change" });
const finished = (id: string, status: "ok" | "error" | "denied" = "ok"): SessionRecord => ({
  type: "call-finished",
  id,
  status,
  output: `result of ${id}`,
});

const shapeOf = (messages: BaseMessage[]) => messages.map((message) => `${message.type}: ${message.text}`);

describe("the conversation that records tell", () => {
  test("is the one that was held", () => {
    const messages = conversationFrom([
      user("Write c1 and c2."),
      assistant("Writing.", ["c1", "c2"], { thinking: "Two notes." }),
      { type: "call-prepared", id: "c1", tool: "write_note", args: {} },
      { type: "permission", id: "c1", verdict: "allow", by: "rule", because: "free" },
      started("c1"),
      finished("c1"),
      finished("c2", "denied"),
      assistant("Done."),
      { type: "turn-end", at: AT, outcome: "done" },
      user("Thanks."),
      assistant("Welcome."),
    ]);
    expect(shapeOf(messages)).toEqual([
      "human: Write c1 and c2.",
      "ai: Writing.",
      "tool: result of c1",
      "tool: result of c2",
      "ai: Done.",
      "human: Thanks.",
      "ai: Welcome.",
    ]);
    const [, reply, first, second] = messages;
    expect(AIMessage.isInstance(reply) && reply.tool_calls).toEqual([
      { type: "tool_call", id: "c1", name: "write_note", args: { name: "c1" } },
      { type: "tool_call", id: "c2", name: "write_note", args: { name: "c2" } },
    ]);
    expect(reply && thinkingOf(reply)).toBe("Two notes.");
    expect(first).toMatchObject({ tool_call_id: "c1", name: "write_note", status: "success" });
    expect(second).toMatchObject({ tool_call_id: "c2", name: "write_note", status: "error" });
  });

  test("answers every call, and words a started one as unknown", () => {
    const messages = conversationFrom([
      user("Write."),
      assistant("", ["done", "started", "waiting"]),
      started("done"),
      finished("done"),
      started("started"),
    ]);
    const answers = messages.filter((message) => ToolMessage.isInstance(message));
    expect(answers.map(({ tool_call_id }) => tool_call_id)).toEqual(["done", "started", "waiting"]);
    expect(answers.map(({ status }) => status)).toEqual(["success", "error", "error"]);
    expect(answers[1]?.text).toContain("may have taken effect");
    expect(answers[2]?.text).toContain("Not run");
    expect(answers[2]?.text).not.toContain("may have taken effect");
  });

  test("puts results in the order of the calls, in whichever they finished", () => {
    const messages = conversationFrom([
      user("Read."),
      assistant("", ["c1", "c2"]),
      finished("c2"),
      finished("c1"),
    ]);
    expect(shapeOf(messages).slice(2, 4)).toEqual(["tool: result of c1", "tool: result of c2"]);
  });

  test("gives each call its own result, also where an id comes again after a compaction", () => {
    const messages = conversationFrom([
      user("Read."),
      assistant("", ["c1"]),
      finished("c1"),
      {
        type: "compaction",
        at: AT,
        tokensBefore: 2,
        tokensAfter: 1,
        messages: [{ role: "user", text: "Sum." }],
      },
      assistant("", ["c1"]),
      started("c1"),
    ]);
    expect(shapeOf(messages).slice(0, 2)).toEqual(["human: Sum.", "ai: "]);
    expect(messages[2]?.text).toContain("may have taken effect");
  });

  test("marks a reply that was cut off, with what it said until then", () => {
    const messages = conversationFrom([
      user("Tell."),
      assistant("Once upon", [], { cut: "cut off: cancelled by the user" }),
      user("Again."),
      assistant("", [], { cut: "no reply: the request failed" }),
    ]);
    expect(shapeOf(messages)).toEqual([
      "human: Tell.",
      "ai: Once upon\n[cut off: cancelled by the user]",
      "human: Again.",
      "ai: [no reply: the request failed]",
    ]);
  });

  test("gives every user message a reply, also after a crash before the first word", () => {
    const messages = conversationFrom([user("First."), user("Second."), assistant("Yes.")]);
    expect(messages.map(({ type }) => type)).toEqual(["human", "ai", "human", "ai"]);
  });

  test("ends with a reply after a crash in the middle of the calls", () => {
    const messages = conversationFrom([user("Write."), assistant("", ["c1"]), finished("c1")]);
    expect(messages.map(({ type }) => type)).toEqual(["human", "ai", "tool", "ai"]);
  });

  test("is empty for a session without a prompt", () => {
    const session: SessionRecord = {
      type: "session",
      v: 1,
      id: "s",
      at: AT,
      cwd: "/w",
      model: "m",
      contextWindow: 1,
      version: "0",
    };
    expect(conversationFrom([])).toEqual([]);
    expect(conversationFrom([session])).toEqual([]);
  });
});
