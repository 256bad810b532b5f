import { describe, expect, test } from "vitest";
import type { AgentEvent } from "../../src/agent/agent-events.js";
import type { Approve } from "../../src/agent/approval.js";
import { call, calls, say, silence, think } from "../../src/demo/reply.js";
import type { Reply } from "../../src/demo/reply.js";
import { expectEveryCallEnded, expectValidConversation, makeAgent, outline } from "./setup.js";
import { ASKS, policy, tool } from "./tools.js";

/** Never answers; leaves with the turn. */
const waitsForever: Approve = (_, signal) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error));
  });

const is = (type: AgentEvent["type"]) => (event: AgentEvent) => event.type === type;
const isEndOf = (id: string) => (event: AgentEvent) => event.type === "tool-end" && event.id === id;
const sleepCall = { toolCalls: [{ name: "run_command", arguments: { command: "sleep" }, id: "call_sleep" }] };

const PHASES: [string, Reply, (event: AgentEvent) => boolean][] = [
  ["before the first byte", silence(), is("model-start")],
  ["after the headers", say("Hello.", { stallAfter: 0 }), is("model-start")],
  ["while the model thinks", think("Well, let me see", say("x", { stallAfter: 3 })), is("thinking-delta")],
  ["while the model writes", say("Half an answer", { stallAfter: 2 }), is("text-delta")],
  ["while a call has come but not the end of the reply", { ...sleepCall, stallAfter: 1 }, is("model-start")],
  ["in a tool", sleepCall, is("tool-output")],
  ["at a question", call("write_note", { name: "c", text: "New" }), is("tool-start")],
];

describe("cancelling", () => {
  test.each(PHASES)("%s ends the turn and leaves nothing behind", async (_, reply, when) => {
    const { promptAndCancel, prompt, events, server, sent, records, notes, journal } = await makeAgent({
      replies: [reply, say("Here I am.")],
      gate: { policy: policy({ write: ASKS }), approve: () => waitsForever },
    });
    const end = await promptAndCancel("First", when);
    expect(end).toMatchObject({ type: "turn-end", outcome: "cancelled" });
    expect(end).not.toHaveProperty("error");
    expect(events.at(-1)).toBe(end);
    expect(events.filter(is("turn-end"))).toHaveLength(1);
    expectEveryCallEnded(events);
    expect(records.at(-1)).toMatchObject({ type: "turn-end", outcome: "cancelled" });
    await server.waitFor(({ openRequests }) => openRequests === 0, 2000);
    expect(notes.has("c")).toBe(false);
    if (journal.includes("run sleep")) expect(journal).toContain("killed sleep");

    const before = events.length;
    expect(await prompt("Second")).toMatchObject({ outcome: "done", text: "Here I am." });
    expect(events.slice(before)[0]).toEqual({ type: "turn-start", prompt: "Second" });
    expectValidConversation(sent());
    expect(outline(sent()).slice(0, 2)).toEqual(["system: You keep notes.", "user: First"]);
    expect(outline(sent()).at(-1)).toBe("user: Second");
  });

  test("while the model writes keeps the words, marked as cut off", async () => {
    const { promptAndCancel, prompt, sent, server } = await makeAgent({
      replies: [say("Half an answer", { stallAfter: 2 }), say("Yes.")],
    });
    expect(await promptAndCancel("Tell.", is("text-delta"))).toMatchObject({ text: "Half an" });
    await server.waitFor(({ openRequests }) => openRequests === 0, 2000);
    expect(server.requests[0]?.aborted).toBe(true);
    await prompt("Go on.");
    expect(outline(sent())[2]).toMatch(/^assistant: Half an\n\[.*cancelled.*\]$/);
  });

  test("in the second of three calls keeps the first result and answers all", async () => {
    const { promptAndCancel, prompt, sent, events, notes, journal } = await makeAgent({
      replies: [
        calls(
          call("write_note", { name: "c", text: "New" }),
          sleepCall,
          call("write_note", { name: "d", text: "D" }),
        ),
        say("Fine."),
      ],
    });
    expect(await promptAndCancel("Go", is("tool-output"))).toMatchObject({
      outcome: "cancelled",
      changedFiles: ["c"],
    });
    expect([...notes.keys()]).toEqual(["a", "b", "c"]);
    expect(journal).toEqual(["write c", "run sleep", "killed sleep"]);
    expectEveryCallEnded(events);
    await prompt("What now?");
    expectValidConversation(sent());
    const results = sent().filter(({ role }) => role === "tool");
    expect(results.map(({ content }) => content)[0]).toBe("Wrote c.");
    expect(results).toHaveLength(3);
    expect(journal).toEqual(["write c", "run sleep", "killed sleep"]);
  });

  test("between a result and the next request keeps the result", async () => {
    const { promptAndCancel, prompt, sent } = await makeAgent({
      replies: [
        { toolCalls: [{ name: "read_note", arguments: { name: "a" }, id: "call_a" }] },
        silence(),
        say("Fine."),
      ],
    });
    expect((await promptAndCancel("Go", isEndOf("call_a"))).outcome).toBe("cancelled");
    await prompt("And?");
    expectValidConversation(sent());
    expect(outline(sent()).slice(1, 4)).toEqual(["user: Go", "assistant:  → read_note", "tool: Note A"]);
  });

  test("waits for a tool that does not stop at once, and keeps its result", async () => {
    let ended = false;
    const stubborn = tool("stubborn", async () => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      ended = true;
      return { status: "ok", output: "finished anyway", changedFiles: ["x"] };
    });
    const { promptAndCancel, prompt, sent, events } = await makeAgent({
      tools: [stubborn],
      replies: [call("stubborn", { path: "x" }), say("Fine.")],
    });
    const end = await promptAndCancel("Go", is("permission"));
    expect(ended).toBe(true);
    expect(end).toMatchObject({ outcome: "cancelled", changedFiles: ["x"] });
    expectEveryCallEnded(events);
    await prompt("And?");
    expect(sent().find(({ role }) => role === "tool")?.content).toBe("finished anyway");
  });

  test.each([
    "model-start",
    "text-delta",
    "model-end",
    "tool-start",
    "permission",
    "tool-output",
    "tool-end",
  ] as const)("from within the event %s leaves a usable conversation", async (type) => {
    const run = (command: string) => call("run_command", { command });
    for (const reply of [calls(run("true"), run("false")), say("All said.")]) {
      const { agent, prompt, sent, events, server } = await makeAgent({
        replies: [{ ...reply, ...(reply.toolCalls && { text: "Go." }) }, say("Still here."), say("Here.")],
      });
      const control = new AbortController();
      const first = await agent.prompt("First", {
        signal: control.signal,
        onEvent: (event) => {
          events.push(event);
          if (event.type === type) control.abort();
        },
      });
      if (!control.signal.aborted) continue; // A reply without calls has no such event.
      expect(first.outcome).toBe("cancelled");
      expectEveryCallEnded(events);
      await server.waitFor(({ openRequests }) => openRequests === 0, 2000);
      expect((await prompt("Second")).outcome).toBe("done");
      expectValidConversation(sent());
    }
  });

  test("before the turn begins sends nothing", async () => {
    const { prompt, server, sent } = await makeAgent({ replies: [say("Here.")] });
    expect((await prompt("First", AbortSignal.abort())).outcome).toBe("cancelled");
    expect(server.requests).toEqual([]);
    expect((await prompt("Second")).outcome).toBe("done");
    expectValidConversation(sent());
  });

  test("again and again, in the first turns of a conversation, loses no prompt", async () => {
    const { promptAndCancel, prompt, sent } = await makeAgent({
      replies: [silence(), sleepCall, say("Half an", { stallAfter: 1 }), say("At last.")],
    });
    await promptAndCancel("One", is("model-start"));
    await promptAndCancel("Two", is("tool-output"));
    await promptAndCancel("Three", is("text-delta"));
    expect((await prompt("Four")).text).toBe("At last.");
    expectValidConversation(sent());
    expect(sent().flatMap(({ role, content }) => (role === "user" ? [content] : []))).toEqual([
      "One",
      "Two",
      "Three",
      "Four",
    ]);
  });
});
