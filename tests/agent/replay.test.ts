import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { conversationFrom, promptText } from "../../src/agent/conversation.js";
import { toWireMessages } from "../../src/model/wire-messages.js";
import type { Reply } from "../../src/demo/reply.js";
import { call, calls, fail, say, think } from "../../src/demo/reply.js";
import type { SessionRecord } from "../../src/sessions/records.js";
import { parseLine } from "../../src/sessions/records.js";
import { expectValidConversation, makeAgent } from "./setup.js";
import type { TestAgent } from "./setup.js";

const ODD_TEXT = "\u2028\u2029\u0085\ud83d\u0000 ü";

/** Whatever a model may say in a step. */
const REPLIES: Record<string, Reply> = {
  words: say("Done."),
  "odd words": say([ODD_TEXT]),
  thinking: think("Hm.", say("Thought of it.")),
  "all thinking": think("Hm.", say([])),
  read: call("read_note", { name: "a" }),
  "thinking and a call": think("I should look.", call("read_note", { name: "b" }, { text: "I look. " })),
  write: call("write_note", { name: "c", text: ODD_TEXT }),
  several: calls(
    call("write_note", { name: "c", text: "1" }),
    call("read_note", { name: "c" }),
    call("run_command", { command: "false" }),
  ),
  "the same id again": {
    toolCalls: [{ name: "read_note", arguments: { name: "a" }, id: "call_0" }],
  },
  "odd keys": call("write_note", '{"name":"c","text":"x","2":1,"1":2,"__proto__":{"a":1}}'),
  unknown: call("make_coffee", {}),
  invalid: call("write_note", { name: 1 }),
  "a call as text": say('<tool_call>{"name":"read_note","arguments":{"name":"a"}}</tool_call>'),
  "a call of other shape": say('```json\n{"name": "read_note", "parameters": {"name": "b"}}\n```'),
  empty: say([], { outputTokens: 1 }),
  lost: say([], { outputTokens: 40 }),
  "cut off": say("Once upon", { doneReason: "length" }),
  "a call cut off": call("write_note", { name: "c", text: "cut" }, { doneReason: "length" }),
  "half a call as text": say('<tool_call>{"name":"read_note","argum', { doneReason: "length" }),
  unreadable: fail(500, `error parsing tool call: raw='{"path":"a"}]', err=invalid character ']'`),
  failure: fail(400, "bad request"),
  "broken off": say("Some words that", { cutAfter: 2 }),
};

const turnScript = fc.array(fc.constantFrom(...Object.keys(REPLIES)), { minLength: 1, maxLength: 6 });

type Plan = { turns: string[][]; compactAfter: number | undefined; cancelIn: number | undefined };

const plan: fc.Arbitrary<Plan> = fc.record({
  turns: fc.array(turnScript, { minLength: 1, maxLength: 4 }),
  compactAfter: fc.option(fc.nat(3), { nil: undefined }),
  cancelIn: fc.option(fc.nat(3), { nil: undefined }),
});

/** Holds the conversation; each step takes the next reply of its turn, and words when there is none. */
async function hold({ turns, compactAfter, cancelIn }: Plan): Promise<TestAgent> {
  let script: string[] = [];
  const agent = await makeAgent({
    think: true,
    quiet: false,
    limits: { maxSteps: 5 },
    replies: () => REPLIES[script.shift() ?? "words"] ?? say("Done."),
  });
  for (const [index, turn] of turns.entries()) {
    script = [...turn];
    const control = new AbortController();
    if (cancelIn === index) script.splice(1, 0, "sleep");
    await agent.agent.prompt(`Turn ${index} ${ODD_TEXT}`, {
      signal: control.signal,
      onEvent: (event) => {
        if (cancelIn === index && event.type === "tool-start") control.abort();
      },
      ...(index === 1 && { note: { text: "c has changed", files: [] } }),
    });
    if (compactAfter === index) await agent.agent.compact(new AbortController().signal);
  }
  return agent;
}

/** The body of the request that a prompt makes. */
async function nextBody(agent: TestAgent): Promise<string> {
  const before = agent.server.requests.length;
  await agent.prompt("Next.");
  return agent.server.requests[before]!.text;
}

/** What a file gives back. */
const written = (records: readonly SessionRecord[]) =>
  records.map((record) => {
    const read = parseLine(JSON.stringify(record));
    if (read.kind !== "record") throw new Error(JSON.stringify(record));
    return read.record;
  });

describe("a conversation from its records", () => {
  test("is the one that was held: the next request is the same, byte for byte", async () => {
    await fc.assert(
      fc.asyncProperty(plan, async (script) => {
        const held = await hold(script);
        const resumed = await makeAgent({
          think: true,
          quiet: false,
          limits: { maxSteps: 5 },
          replies: [say("Done.")],
          agent: { records: written(held.records) },
        });
        const body = await nextBody(resumed);
        expect(body).toBe(await nextBody(held));
        expectValidConversation(resumed.sent());
      }),
      { numRuns: 15, seed: 11, endOnFailure: true },
    );
  }, 240_000);

  test("is valid whichever record is the last or missing, and keeps all prompts that are there", async () => {
    const held = await hold({
      turns: [
        ["several", "lost", "thinking and a call", "words"],
        ["a call cut off", "write", "words"],
        ["read", "failure"],
        ["empty", "words"],
      ],
      compactAfter: undefined,
      cancelIn: undefined,
    });
    const all = written(held.records);
    const check = (records: SessionRecord[]) => {
      const system = { role: "system" as const, content: "" };
      expectValidConversation([system, ...toWireMessages(conversationFrom(records))] as never);
      const texts = conversationFrom(records).map(({ text }) => text);
      for (const record of records) {
        if (record.type === "user") expect(texts).toContain(promptText(record));
      }
    };
    for (let index = 0; index <= all.length; index++) {
      check(all.slice(0, index));
      check(all.toSpliced(index, 1));
    }
    fc.assert(
      fc.property(fc.subarray(all), (records) => {
        check(records);
      }),
      { numRuns: 300, seed: 5 },
    );
  });
});
