import type { SessionRecord } from "../../src/sessions/records.js";
import { describe, expect, test } from "vitest";
import { call, fail, say, think } from "../../src/demo/reply.js";
import { expectEveryCallEnded, expectValidConversation, makeAgent, outline } from "./setup.js";

describe("a turn that fails", () => {
  test.each([
    ["the server fails", fail(500, "boom"), "server-error"],
    ["the server is out of memory", fail(500, "model requires more system memory (7 GiB)"), "out-of-memory"],
    ["the reply breaks off", say("Half an", { cutAfter: 2, chunkDelay: 10 }), "stream-cut"],
    ["the server stalls", say("Half an", { stallAfter: 2 }), "timeout"],
    ["the reply ends in an error", say("Half an", { errorLine: "boom", chunkDelay: 10 }), "server-error"],
    ["the output limit comes first", think("Hm.", say([], { doneReason: "length" })), "reply-output-limit"],
  ])("because %s says so, and the next prompt works", async (_, reply, code) => {
    const { prompt, events, sent, server, records } = await makeAgent({
      replies: [reply, say("Here I am.")],
      patience: { idleMs: 300 },
    });
    const failed = await prompt("First");
    expect(failed).toMatchObject({ outcome: "failed", error: { code } });
    expect(failed.error?.hint).toBeTruthy();
    expect(events.at(-1)).toBe(failed);
    expect(records.at(-1)).toMatchObject({ type: "turn-end", outcome: "failed" });
    expect(await prompt("Second")).toMatchObject({ outcome: "done", text: "Here I am." });
    expectValidConversation(sent());
    expect(sent().flatMap(({ role, content }) => (role === "user" ? [content] : []))).toEqual([
      "First",
      "Second",
    ]);
    expect(server.openRequests).toBe(0);
  });

  test("in the middle keeps what was done before, and what was being said", async () => {
    const { prompt, sent, notes } = await makeAgent({
      replies: [
        call("write_note", { name: "c", text: "New" }),
        say("I have writ", { cutAfter: 3, chunkDelay: 10 }),
        say("Written."),
      ],
    });
    expect(await prompt("Write c.")).toMatchObject({
      outcome: "failed",
      text: "I have writ",
      changedFiles: ["c"],
      usage: { steps: 2 },
    });
    expect(notes.get("c")).toBe("New");
    await prompt("And?");
    expectValidConversation(sent());
    expect(outline(sent()).slice(1, 4)).toEqual([
      "user: Write c.",
      "assistant:  → write_note",
      "tool: Wrote c.",
    ]);
    expect(sent()[4]?.content).toMatch(/^I have writ\n\[.+\]$/);
  });

  test("before the end of its reply runs no call of it", async () => {
    const { prompt, notes, events, sent } = await makeAgent({
      replies: [
        { ...call("write_note", { name: "c", text: "New" }), withoutDone: true },
        { ...call("write_note", { name: "c", text: "New" }), errorLine: "boom", chunkDelay: 10 },
        say("Back."),
      ],
    });
    expect(await prompt("One")).toMatchObject({ outcome: "failed", error: { code: "stream-cut" } });
    expect(await prompt("Two")).toMatchObject({ outcome: "failed", error: { code: "server-error" } });
    expect(notes.has("c")).toBe(false);
    expectEveryCallEnded(events);
    await prompt("Three");
    expectValidConversation(sent());
  });

  test("keeps the history that the session began with", async () => {
    const usage = { promptTokens: 0, outputTokens: 0 };
    const records: SessionRecord[] = [
      { type: "user", at: "", text: "Long ago" },
      { type: "assistant", text: "I remember.", calls: [], ...usage },
    ];
    const { prompt, sent } = await makeAgent({
      replies: [fail(500, "boom"), say("Back."), say("Yes.")],
      agent: { records },
    });
    await prompt("One", AbortSignal.abort());
    await prompt("Two");
    await prompt("Three");
    await prompt("Four");
    expectValidConversation(sent());
    expect(outline(sent()).slice(1, 3)).toEqual(["user: Long ago", "assistant: I remember."]);
    expect(sent().flatMap(({ role, content }) => (role === "user" ? [content] : []))).toEqual([
      "Long ago",
      "One",
      "Two",
      "Three",
      "Four",
    ]);
  });

  test("twice in a row leaves a conversation too", async () => {
    const { prompt, sent } = await makeAgent({
      replies: [fail(500, "boom"), fail(500, "boom"), say("At last.")],
    });
    await prompt("One");
    await prompt("Two");
    expect((await prompt("Three")).outcome).toBe("done");
    expectValidConversation(sent());
    expect(sent().filter(({ role }) => role === "user")).toHaveLength(3);
  });
});
