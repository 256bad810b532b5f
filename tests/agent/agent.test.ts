import { describe, expect, test } from "vitest";
import type { AgentEvent } from "../../src/agent/agent-events.js";
import { call, calls, say, think } from "../../src/demo/reply.js";
import { expectEveryCallEnded, expectValidConversation, makeAgent, outline } from "./setup.js";
import { ASKS, policy } from "./tools.js";

const typesOf = (events: readonly AgentEvent[]) =>
  events.map(({ type }) => type).filter((type) => type !== "model-progress" && type !== "text-delta");

describe("a turn", () => {
  test("without tools is one request", async () => {
    const { prompt, events, server, records } = await makeAgent({
      replies: [say("Hello there.", { promptTokens: 40, outputTokens: 3 })],
    });
    const end = await prompt("Hi");
    expect(end).toEqual({
      type: "turn-end",
      outcome: "done",
      text: "Hello there.",
      usage: { promptTokens: 40, outputTokens: 3, steps: 1 },
      changedFiles: [],
      commands: [],
      denied: [],
    });
    expect(typesOf(events)).toEqual(["turn-start", "model-start", "model-end", "turn-end"]);
    expect(events.at(-1)).toBe(end);
    expect(records.map(({ type }) => type)).toEqual(["user", "assistant", "turn-end"]);
    expect(server.chatBodies()).toHaveLength(1);
    expect(server.chatBodies()[0]?.messages).toEqual([
      { role: "system", content: "You keep notes." },
      { role: "user", content: "Hi" },
    ]);
  });

  test("runs the calls of the model and gives it their results", async () => {
    const { prompt, events, server, notes, sent } = await makeAgent({
      replies: [
        { ...call("read_note", { name: "a" }), text: "Looking.", promptTokens: 10, outputTokens: 1 },
        { ...call("write_note", { name: "c", text: "Copy of A" }), promptTokens: 20, outputTokens: 2 },
        { ...call("run_command", { command: "false" }), promptTokens: 30, outputTokens: 3 },
        say("Copied.", { promptTokens: 40, outputTokens: 4 }),
      ],
    });
    expect(await prompt("Copy a to c.")).toEqual({
      type: "turn-end",
      outcome: "done",
      text: "Copied.",
      usage: { promptTokens: 100, outputTokens: 10, steps: 4 },
      changedFiles: ["c"],
      commands: [{ command: "false", exitCode: 1 }],
      denied: [],
    });
    expect(notes.get("c")).toBe("Copy of A");
    expect(server.chatBodies()).toHaveLength(4);
    expect(outline(sent())).toEqual([
      "system: You keep notes.",
      "user: Copy a to c.",
      "assistant: Looking. → read_note",
      "tool: Note A",
      "assistant:  → write_note",
      "tool: Wrote c.",
      "assistant:  → run_command",
      "tool: exit code 1",
    ]);
    expectValidConversation(sent());
    const toolRound = ["model-start", "model-end", "tool-start", "permission", "tool-end"];
    expect(typesOf(events)).toEqual([
      "turn-start",
      ...toolRound,
      ...toolRound,
      ...toolRound.toSpliced(4, 0, "tool-output"),
      "model-start",
      "model-end",
      "turn-end",
    ]);
  });

  test("tells of its words and thoughts as they come, and of the phases of the wait", async () => {
    const { prompt, events } = await makeAgent({
      replies: [think(["Greet ", "back."], say(["Hello ", "there."], { delay: 30, chunkDelay: 30 }))],
    });
    await prompt("Hi");
    const told = (type: string) =>
      events.flatMap((event) => (event.type === type && "text" in event ? [event.text] : [])).join("");
    expect(told("thinking-delta")).toBe("Greet back.");
    expect(told("text-delta")).toBe("Hello there.");
    const phases = events.flatMap((event) => (event.type === "model-progress" ? [event.phase] : []));
    expect([...new Set(phases)]).toEqual(["reading", "thinking", "writing"]);
    const between = events.slice(
      events.findIndex(({ type }) => type === "model-start"),
      events.findIndex(({ type }) => type === "model-end"),
    );
    expect(between.some(({ type }) => type === "text-delta")).toBe(true);
  });

  test("numbers its steps from one in every turn", async () => {
    const { prompt, events } = await makeAgent({
      replies: [call("read_note", { name: "a" }), say("One."), say("Two.")],
    });
    await prompt("First");
    await prompt("Second");
    const steps = events.flatMap((event) => (event.type === "model-end" ? [event.step] : []));
    expect(steps).toEqual([1, 2, 1]);
  });

  test("shows the model what it said and did in earlier turns", async () => {
    const { prompt, sent } = await makeAgent({
      replies: [call("read_note", { name: "a" }), say("It says A."), say("Yes.")],
    });
    await prompt("What does a say?");
    await prompt("Sure?");
    expect(outline(sent())).toEqual([
      "system: You keep notes.",
      "user: What does a say?",
      "assistant:  → read_note",
      "tool: Note A",
      "assistant: It says A.",
      "user: Sure?",
    ]);
  });
});

describe("several calls in one reply", () => {
  test("run in order, and their results go back in order", async () => {
    const { prompt, events, journal, sent } = await makeAgent({
      replies: [
        calls(
          call("read_note", { name: "a" }),
          call("write_note", { name: "a", text: "New A" }),
          call("read_note", { name: "a" }),
          call("write_note", { name: "b", text: "New B" }),
        ),
        say("Done."),
      ],
    });
    await prompt("Go");
    expect(journal).toEqual(["read a", "write a", "read a", "write b"]);
    expect(sent().flatMap(({ role, content }) => (role === "tool" ? [content] : []))).toEqual([
      "Note A",
      "Wrote a.",
      "New A",
      "Wrote b.",
    ]);
    expectValidConversation(sent());
    expectEveryCallEnded(events);
    const modelEnd = events.findIndex(({ type }) => type === "model-end");
    expect(events.findIndex(({ type }) => type === "tool-start")).toBeGreaterThan(modelEnd);
  });

  test("with one id are told apart", async () => {
    const twice = { name: "read_note", id: "call_0" };
    const { prompt, events, journal, sent } = await makeAgent({
      replies: [
        {
          toolCalls: [
            { ...twice, arguments: { name: "a" } },
            { ...twice, arguments: { name: "b" } },
          ],
        },
        { toolCalls: [{ ...twice, arguments: { name: "a" } }] },
        say("Done."),
      ],
    });
    await prompt("Go");
    expect(journal).toEqual(["read a", "read b", "read a"]);
    expectValidConversation(sent());
    expectEveryCallEnded(events);
  });

  test("more than ten of them cause no warning of the runtime", async () => {
    const warnings: string[] = [];
    const listen = (warning: Error) => warnings.push(`${warning.name}: ${warning.message}`);
    process.on("warning", listen);
    try {
      const many = Array.from({ length: 30 }, (_, line) => call("read_note", { name: "a", from_line: line }));
      const { prompt } = await makeAgent({ replies: [calls(...many), say("Done.")] });
      expect((await prompt("Go")).outcome).toBe("done");
      await new Promise((resolve) => setTimeout(resolve, 20));
    } finally {
      process.off("warning", listen);
    }
    expect(warnings).toEqual([]);
  });
});

describe("a call that is wrong", () => {
  test.each([
    ["of an unknown tool", call("readFile", { name: "a" }), "read_note, write_note, run_command"],
    ["without a name", call("", { name: "a" }), "read_note, write_note, run_command"],
    ["with wrong arguments", call("read_note", { path: "a" }), '"name"'],
    ["with arguments that are no JSON", call("read_note", '{"name": "a'), '"name"'],
  ])("%s is answered, and the turn goes on", async (_, wrong, answer) => {
    const { prompt, events, sent, journal } = await makeAgent({
      replies: [wrong, call("read_note", { name: "a" }), say("It says A.")],
    });
    expect(await prompt("Read a.")).toMatchObject({
      outcome: "done",
      text: "It says A.",
      usage: { steps: 3 },
    });
    expect(sent()[3]?.role).toBe("tool");
    expect(sent()[3]?.content).toContain(answer);
    expect(journal).toEqual(["read a"]);
    expectEveryCallEnded(events);
    expect(events.filter(({ type }) => type === "tool-end")).toMatchObject([
      { status: "error" },
      { status: "ok" },
    ]);
  });

  test("beside right ones does not keep them from running", async () => {
    const { prompt, journal, sent } = await makeAgent({
      replies: [
        calls(call("nope", {}), call("read_note", {}), call("read_note", { name: "a" })),
        say("Done."),
      ],
    });
    expect((await prompt("Go")).outcome).toBe("done");
    expect(journal).toEqual(["read a"]);
    expect(sent().filter(({ role }) => role === "tool")).toHaveLength(3);
  });

  test("because the output limit cut its reply is not run", async () => {
    const { prompt, notes, sent } = await makeAgent({
      replies: [
        { ...call("write_note", { name: "c", text: "# Part 1\nSome te" }), doneReason: "length" },
        say("I write in parts then."),
      ],
    });
    expect((await prompt("Write c.")).outcome).toBe("done");
    expect(notes.has("c")).toBe(false);
    expect(sent().at(-1)?.content).toContain("smaller parts");
  });
});

test("a denied call is told in the turn's end, and the model can go on without it", async () => {
  const { prompt, events, journal, sent } = await makeAgent({
    replies: [call("run_command", { command: "npm test" }), say("I could not run the tests.")],
    gate: { policy: policy({ run: ASKS }) },
  });
  expect(await prompt("Test.")).toMatchObject({
    outcome: "done",
    text: "I could not run the tests.",
    denied: [{ tool: "run_command", because: "no rule allows it" }],
    commands: [],
  });
  expect(journal).toEqual([]);
  expect(sent().at(-1)?.content).toContain("nobody can be asked");
  expectEveryCallEnded(events);
});
