import { describe, expect, onTestFinished, test, vi } from "vitest";
import { call, calls, fail, say } from "../../src/demo/reply.js";
import { ASKS, policy, tool } from "./tools.js";
import { expectEveryCallEnded, expectValidConversation, makeAgent, outline } from "./setup.js";

const read = call("read_note", { name: "a" });
const write = call("write_note", { name: "late", text: "too late" });

describe("the limit of steps", () => {
  test("ends a turn with a last request for words, which differs in nothing but its messages", async () => {
    const { prompt, server, sent, events } = await makeAgent({
      replies: [read, read, say("I read a twice.")],
      limits: { maxSteps: 2 },
    });
    expect(await prompt("Read on.")).toMatchObject({ outcome: "limit", text: "I read a twice." });
    const bodies = server.chatBodies();
    expect(bodies).toHaveLength(3);
    const [first, ...others] = bodies.map((body) => JSON.stringify({ ...body, messages: undefined }));
    expect(JSON.parse(first ?? "")).toHaveProperty("tools");
    expect(others).toEqual([first, first]);
    expect(outline(sent()).at(-1)).toMatch(/^tool: Note A\n\n\[.*limit of 2 steps.*\]$/);
    expectValidConversation(sent());
    expectEveryCallEnded(events);
  });

  test("is told on the last result of the reply only", async () => {
    const { prompt, sent } = await makeAgent({
      replies: [calls(read, read, read), say("Enough.")],
      limits: { maxSteps: 1 },
    });
    await prompt("Read on.");
    const results = sent().filter(({ role }) => role === "tool");
    expect(results.map(({ content }) => content.includes("limit"))).toEqual([false, false, true]);
  });

  test("does not run a call in the last reply, and asks once more without tools", async () => {
    const { prompt, server, notes, sent, events } = await makeAgent({
      replies: [read, write, say("I only read a.")],
      limits: { maxSteps: 1 },
    });
    expect(await prompt("Go.")).toMatchObject({ outcome: "limit", text: "I only read a.", changedFiles: [] });
    expect(server.chatBodies().map((body) => "tools" in body)).toEqual([true, true, false]);
    expect(notes.has("late")).toBe(false);
    expect(sent().at(-1)?.content).toContain("Not run");
    expectValidConversation(sent());
    expectEveryCallEnded(events);
  });

  test("ends also if the model never stops calling, and the next prompt works", async () => {
    const { prompt, server, notes, sent, events } = await makeAgent({
      replies: (_, index) => (index < 3 ? (index === 0 ? read : write) : say("Back again.")),
      limits: { maxSteps: 1 },
    });
    expect(await prompt("Go.")).toMatchObject({ outcome: "limit" });
    expect(server.chatBodies()).toHaveLength(3);
    expect(notes.has("late")).toBe(false);
    expectEveryCallEnded(events);
    expect(await prompt("Are you there?")).toMatchObject({ outcome: "done", text: "Back again." });
    expect(server.chatBodies().at(-1)).toHaveProperty("tools");
    expectValidConversation(sent());
  });

  test("is counted anew in the next turn", async () => {
    const { prompt, sent } = await makeAgent({
      replies: [read, say("Limit."), read, say("Limit again.")],
      limits: { maxSteps: 1 },
    });
    expect((await prompt("One")).outcome).toBe("limit");
    expect((await prompt("Two")).outcome).toBe("limit");
    expectValidConversation(sent());
  });

  test("is not reached by a turn that ends in its last step", async () => {
    const { prompt, server } = await makeAgent({ replies: [read, say("Done.")], limits: { maxSteps: 2 } });
    expect((await prompt("Go.")).outcome).toBe("done");
    expect(server.chatBodies()).toHaveLength(2);
  });

  test("well above the graph's own default is kept", async () => {
    const { prompt, server } = await makeAgent({
      replies: (_, index) =>
        index < 40 ? call("read_note", { name: "a", from_line: index }) : say("Forty."),
      limits: { maxSteps: 45 },
    });
    expect(await prompt("Go.")).toMatchObject({ outcome: "done", text: "Forty." });
    expect(server.chatBodies()).toHaveLength(41);
  });

  test("leaves a failure in the last request a failure", async () => {
    const { prompt } = await makeAgent({ replies: [read, fail(500, "boom")], limits: { maxSteps: 1 } });
    expect(await prompt("Go.")).toMatchObject({ outcome: "failed", error: { code: "server-error" } });
  });
});

test.each([
  ["tool calls", { toolCalls: 2 }, /2 tool calls/],
  ["tokens", { tokens: 500 }, /500 tokens/],
])("the limit of %s ends a turn the same way", async (_, limits, note) => {
  const slowly = { ...read, promptTokens: 200, outputTokens: 50, delay: 70 };
  const { prompt, sent, server } = await makeAgent({
    replies: [slowly, slowly, say("Enough.")],
    limits,
  });
  expect(await prompt("Go.")).toMatchObject({ outcome: "limit", text: "Enough." });
  expect(server.chatBodies()).toHaveLength(3);
  expect(sent().at(-1)?.content).toMatch(note);
});

describe("the limit of minutes", () => {
  const limits = { minutes: 0.005 };
  const late = {
    outcome: "limit",
    error: {
      code: "limit-minutes",
      message: "the limit of 0.005 minutes for this turn is reached",
      hint: expect.stringMatching(/\/continue.*--max-minutes/) as string,
    },
  };

  test("ends a turn in the middle of a reply, with what was said until then", async () => {
    const { prompt, server, sent, records } = await makeAgent({
      replies: [read, say("Once upon a time", { stallAfter: 2 }), say("Back.")],
      limits,
    });
    expect(await prompt("Go.")).toMatchObject({ ...late, text: "Once upon" });
    await server.waitFor(({ openRequests }) => openRequests === 0);
    expect(records.at(-1)).toMatchObject({ type: "turn-end", outcome: "limit" });
    await prompt("Go on.");
    expectValidConversation(sent());
    expect(outline(sent()).at(-2)).toBe(
      "assistant: Once upon\n[cut off: the limit of 0.005 minutes for this turn is reached]",
    );
  });

  test("ends a turn in the middle of a command, which is ended too and says why", async () => {
    const { prompt, journal, sent, events } = await makeAgent({
      replies: [call("run_command", { command: "sleep" }), say("Back.")],
      limits,
    });
    expect(await prompt("Go.")).toMatchObject(late);
    expect(journal).toEqual(["run sleep", "killed sleep"]);
    expectEveryCallEnded(events);
    await prompt("Go on.");
    expectValidConversation(sent());
    expect(sent().find(({ role }) => role === "tool")?.content).toBe(
      "Stopped: the limit of 0.005 minutes for this turn is reached.",
    );
  });

  test("does not count the time in which the user is asked", async () => {
    const { prompt } = await makeAgent({
      replies: [write, say("Done.")],
      limits,
      gate: {
        policy: policy({ write: ASKS }),
        approve: () => async () => {
          await new Promise((resolve) => setTimeout(resolve, 600));
          return { answer: "once" };
        },
      },
    });
    expect(await prompt("Go.")).toMatchObject({ outcome: "done", text: "Done." });
  });

  test("leaves a turn that the user cancels before cancelled", async () => {
    const { promptAndCancel } = await makeAgent({
      replies: [call("run_command", { command: "sleep" })],
      limits: { minutes: 0.1 },
    });
    expect(await promptAndCancel("Go.", ({ type }) => type === "tool-output")).toMatchObject({
      outcome: "cancelled",
    });
  });
});

test("a call that does not stop is answered after a while as unknown, and the next prompt works", async () => {
  vi.useFakeTimers({
    toFake: ["setTimeout", "clearTimeout"],
    shouldAdvanceTime: true,
    advanceTimeDelta: 200,
  });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const { promptAndCancel, prompt, sent, events } = await makeAgent({
    tools: [tool("change_all", () => new Promise(() => undefined), { effect: "change" })],
    replies: [call("change_all", { path: "a" }), say("Back.")],
  });
  expect(await promptAndCancel("Go.", ({ type }) => type === "permission")).toMatchObject({
    outcome: "cancelled",
  });
  expect(events.find((event) => event.type === "tool-end")).toMatchObject({ status: "unknown" });
  await prompt("Again.");
  expectValidConversation(sent());
  expect(sent().find(({ role }) => role === "tool")?.content).toContain("may have taken effect");
});

describe("going round in circles", () => {
  test("ends the turn with the reason, and the model is asked for words", async () => {
    const { prompt, server, journal } = await makeAgent({
      replies: ({ tools }) => (tools ? call("read_note", { name: "a" }) : say("I keep reading a.")),
    });
    expect(await prompt("Go.")).toMatchObject({
      outcome: "limit",
      text: "I keep reading a.",
      error: { code: "loop", message: expect.stringContaining("same call") as string },
    });
    expect(journal).toEqual(["read a", "read a"]);
    const results =
      server
        .chatBodies()
        .at(-1)
        ?.messages.filter(({ role }) => role === "tool") ?? [];
    expect(results[1]?.content).toContain("already made this very call");
    expect(results[2]?.content).toContain("Not run again");
    expect(results[3]?.content).toContain("Stop here");
  });
});

test("an empty reply to the request for closing words ends the turn at its limit, and is not asked about", async () => {
  const { prompt, server } = await makeAgent({ replies: [read, say([])], limits: { maxSteps: 1 } });
  expect(await prompt("Go.")).toMatchObject({ outcome: "limit", error: { code: "limit-steps" } });
  expect(server.chatBodies()).toHaveLength(2);
});
