import { describe, expect, test } from "vitest";
import type { Steering } from "../../src/agent/steering.js";
import { conversationFrom } from "../../src/agent/conversation.js";
import { call, calls, say } from "../../src/demo/reply.js";
import { makeAgent, outline } from "./setup.js";

/** A queue of the user's messages. */
function queue(...waiting: string[]): Steering & { waiting: string[] } {
  return { waiting, isWaiting: () => waiting.length > 0, take: () => Promise.resolve(waiting.splice(0)) };
}

const signal = new AbortController().signal;

describe("what the user says while a turn runs", () => {
  test("goes into the next request, after the results of all calls of the step", async () => {
    const steering = queue();
    const { agent, events, records, sent, server } = await makeAgent({
      replies: [
        calls(call("read_note", { name: "a" }), call("read_note", { name: "b" })),
        call("read_note", { name: "a" }),
        say("Done."),
      ],
    });
    const end = await agent.prompt("Go.", {
      signal,
      steering,
      onEvent(event) {
        events.push(event);
        if (event.type === "tool-start" && steering.waiting.length === 0) {
          if (server.chatBodies().length === 1) steering.waiting.push("Only b, please.");
        }
      },
    });
    expect(end.outcome).toBe("done");
    const conversation = outline(sent());
    expect(conversation.slice(1)).toEqual([
      "user: Go.",
      "assistant:  → read_note → read_note",
      "tool: Note A",
      "tool: Note B",
      "user: Only b, please.",
      "assistant:  → read_note",
      expect.stringContaining("tool: Note A"),
    ]);
    expect(events).toContainEqual({ type: "steering", text: "Only b, please." });
    // A session that is opened again holds the same conversation.
    const replayed = conversationFrom(records).map(({ type, text }) => [type, text]);
    expect(replayed.slice(0, 6)).toEqual([
      ["human", "Go."],
      ["ai", ""],
      ["tool", "Note A"],
      ["tool", "Note B"],
      ["human", "Only b, please."],
      ["ai", ""],
    ]);
  });

  test("only grows the prompt: what was sent before stays the beginning of every request", async () => {
    const steering = queue("One.", "Two.");
    const { agent, server } = await makeAgent({
      replies: [call("read_note", { name: "a" }), say("Done."), say("Bye.")],
    });
    await agent.prompt("Go.", { signal, steering, onEvent: () => undefined });
    await agent.prompt("Again.", { signal, onEvent: () => undefined });
    const bodies = server.chatBodies().map(({ messages }) => messages);
    for (const [index, messages] of bodies.entries()) {
      const before = bodies[index - 1] ?? [];
      expect(messages.slice(0, before.length)).toEqual(before);
    }
    expect(bodies[1]?.at(-1)).toMatchObject({ role: "user", content: "One.\n\nTwo." });
  });

  test("waits where a reply without calls ends the turn: it is left to the next prompt", async () => {
    const steering = queue("Too late.");
    const { agent, sent } = await makeAgent({ replies: [say("Done.")] });
    await agent.prompt("Go.", { signal, steering, onEvent: () => undefined });
    expect(steering.waiting).toEqual(["Too late."]);
    expect(outline(sent()).slice(1)).toEqual(["user: Go."]);
  });

  test("can be taken back until it is handed over", async () => {
    const steering = queue("Never mind.");
    const { agent, sent } = await makeAgent({ replies: [call("read_note", { name: "a" }), say("Done.")] });
    const takenBack: Steering = {
      isWaiting: () => steering.waiting.splice(0).length > 0,
      take: () => steering.take(),
    };
    const end = await agent.prompt("Go.", { signal, steering: takenBack, onEvent: () => undefined });
    expect(end.outcome).toBe("done");
    expect(outline(sent()).slice(1)).toEqual(["user: Go.", "assistant:  → read_note", "tool: Note A"]);
  });

  test("does not go in once the turn is at its limit", async () => {
    const steering = queue();
    const { agent } = await makeAgent({
      limits: { maxSteps: 1 },
      replies: [call("read_note", { name: "a" }), say("Stopped.")],
    });
    const end = await agent.prompt("Go.", {
      signal,
      steering,
      onEvent: ({ type }) => type === "tool-start" && steering.waiting.push("More."),
    });
    expect(end.outcome).toBe("limit");
    expect(steering.waiting).toEqual(["More."]);
  });
});
