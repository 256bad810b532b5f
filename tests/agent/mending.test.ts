import { describe, expect, test } from "vitest";
import { conversationFrom } from "../../src/agent/conversation.js";
import { call, fail, say, think } from "../../src/demo/reply.js";
import { expectValidConversation, makeAgent, outline } from "./setup.js";

const lost = say([], { outputTokens: 40 });
const unreadable = fail(500, `error parsing tool call: raw='{"path":"a"}]', err=invalid character ']'`);

describe("a reply that is no use", () => {
  test.each([
    ["empty", say([], { outputTokens: 1 }), "reply-empty", 1],
    ["blank", say(["\n", " "]), "reply-empty", 1],
    ["empty though tokens were written", lost, "reply-swallowed-call", 2],
  ])(
    "because it is %s is asked again, and then fails with a cause of its own",
    async (_, reply, code, tries) => {
      const agent = await makeAgent({
        replies: ({ messages }) => (messages.at(-1)?.content === "Again" ? say("Back.") : reply),
      });
      const end = await agent.prompt("Go.");
      expect(end).toMatchObject({ outcome: "failed", error: { code } });
      expect(end.error?.hint).toBeTruthy();
      expect(agent.server.chatBodies()).toHaveLength(1 + tries);
      expect(await agent.prompt("Again")).toMatchObject({ outcome: "done", text: "Back." });
      expectValidConversation(agent.sent());
    },
  );

  test("since it is empty is asked again at first without a word, and with more chance", async () => {
    const agent = await makeAgent({ replies: [say([], { outputTokens: 0 }), say("Done.")] });
    expect(await agent.prompt("Go.")).toMatchObject({ outcome: "done", text: "Done." });
    const [first, second] = agent.server.chatBodies();
    expect(second?.messages).toEqual(first?.messages);
    expect(second?.options?.["temperature"]).toBeGreaterThan(0.2);
    expect(outline(agent.sent()).slice(1)).toEqual(["user: Go."]);
    expect(conversationFrom(agent.records).map(({ text }) => text)).toEqual(["Go.", "Done."]);
  });

  test("since it is empty behind results is asked to go on, and then reminded of the task", async () => {
    const empty = say([], { outputTokens: 1 });
    const agent = await makeAgent({
      replies: [call("read_note", { name: "a" }), empty, empty, say("It says A.")],
    });
    expect(await agent.prompt("What does note a say?")).toMatchObject({ text: "It says A." });
    const users = agent.sent().filter(({ role }) => role === "user");
    expect(users[1]?.content).toBe("Continue: answer the user, or call the next tool.");
    expect(users[2]?.content).toMatch(/The user wants: What does note a say\?$/);
    expectValidConversation(agent.sent());
  });

  test("keeps what was sent before, whatever is said about it", async () => {
    const agent = await makeAgent({
      replies: [call("read_note", { name: "a" }), lost, unreadable, lost, unreadable, say("Done.")],
      protocol: "native",
    });
    expect((await agent.prompt("Go.")).outcome).toBe("done");
    const bodies = agent.server.chatBodies().map(({ messages }) => messages);
    for (const [index, messages] of bodies.slice(1).entries()) {
      expect(messages.slice(0, bodies[index]?.length)).toEqual(bodies[index]);
      expectValidConversation(messages);
    }
    const replayed = conversationFrom(agent.records).map(({ text }) => text);
    expect(replayed).toEqual([
      ...(bodies
        .at(-1)
        ?.slice(1)
        .map(({ content }) => content) ?? []),
      "Done.",
    ]);
  });

  test("of which a part had arrived keeps that part, with what became of it", async () => {
    const agent = await makeAgent({
      replies: [say("Reading it.", { errorLine: "XML syntax error on line 3" }), say("Done.")],
    });
    expect(await agent.prompt("Go.")).toMatchObject({ outcome: "done", text: "Done." });
    expect(outline(agent.sent())[2]).toBe("assistant: Reading it.\n[a tool call that could not be read]");
    expectValidConversation(agent.sent());
  });

  test("since the answer was cut goes on, and both parts are the answer", async () => {
    const cut = say("One, two,", { doneReason: "length" });
    const agent = await makeAgent({ replies: [cut, say(" three."), cut, cut, say("Yes.")] });
    expect(await agent.prompt("Count.")).toMatchObject({ outcome: "done", text: "One, two, three." });
    const end = await agent.prompt("Count on.");
    expect(end).toMatchObject({ outcome: "done", text: "One, two,One, two," });
    const codes = agent.events.flatMap((event) => (event.type === "notice" ? [event.code] : []));
    expect(codes).toEqual(["reply-cut-answer", "reply-cut-answer", "stands-cut-answer"]);
    await agent.prompt("And?");
    expectValidConversation(agent.sent());
  });

  test("that names a call which cannot be run is told why, also right behind the user's message", async () => {
    const agent = await makeAgent({
      replies: [say('<tool_call>{"name": "fly", "arguments": {}}</tool_call>'), say("Done.")],
    });
    expect((await agent.prompt("Go.")).outcome).toBe("done");
    expect(outline(agent.sent()).slice(1)).toEqual([
      "user: Go.",
      "assistant: [a tool call that could not be run]",
      expect.stringMatching(
        /^user: There is no tool "fly". Call one of: .* takes \{.*\}\. Call one tool/,
      ) as string,
    ]);
  });

  test("behind the results of tools is answered with what to do, and the work goes on", async () => {
    const agent = await makeAgent({
      replies: [
        call("write_note", { name: "c", text: "x" }),
        lost,
        call("read_note", { name: "c" }),
        say("It says x."),
      ],
    });
    expect(await agent.prompt("Write c.")).toMatchObject({
      outcome: "done",
      text: "It says x.",
      changedFiles: ["c"],
    });
    expect(outline(agent.sent()).slice(1)).toEqual([
      "user: Write c.",
      "assistant:  → write_note",
      "tool: Wrote c.",
      "assistant: [a reply that could not be read]",
      expect.stringContaining("user: Your last reply could not be read.") as string,
      "assistant:  → read_note",
      "tool: x",
    ]);
    const replayed = conversationFrom(agent.records).map(({ text }) => text);
    expect(replayed).toEqual([
      ...agent
        .sent()
        .slice(1)
        .map(({ content }) => content),
      "It says x.",
    ]);
  });

  test("since the server could not read the call is asked again, never the same way, and told", async () => {
    const agent = await makeAgent({
      replies: [call("read_note", { name: "a" }), unreadable, unreadable, say("Done.")],
    });
    expect(await agent.prompt("Go.")).toMatchObject({ outcome: "done", text: "Done." });
    const [, second, third, fourth] = agent.server.chatBodies();
    expect(third?.messages).not.toEqual(second?.messages);
    expect(fourth?.messages).not.toEqual(third?.messages);
    expect(agent.events.filter(({ type }) => type === "notice")).toHaveLength(2);
  });

  test("again and again since the server cannot read it ends the turn as the model's fault", async () => {
    const agent = await makeAgent({
      replies: [unreadable, unreadable, unreadable, unreadable, say("Back.")],
    });
    const end = await agent.prompt("Go.");
    expect(end).toMatchObject({ outcome: "failed", error: { code: "model-output" } });
    expect(await agent.prompt("Again")).toMatchObject({ outcome: "done", text: "Back." });
    expectValidConversation(agent.sent());
  });

  test("is asked about six times in a turn at most", async () => {
    const agent = await makeAgent({
      replies: (_, index) => (index % 2 === 0 ? call("read_note", { name: "a", from_line: index }) : lost),
      limits: { maxSteps: 50 },
    });
    expect((await agent.prompt("Go.")).outcome).toBe("failed");
    expect(agent.events.filter((event) => event.type === "notice").length).toBeLessThanOrEqual(6);
  });
});

describe("a reply that is ended from this side", () => {
  const sentence = "I will now check the file for the missing token and then go on. ";
  const endless = say(Array<string>(5_000).fill(sentence), { chunkDelay: 1 });

  test("since it repeats itself is asked for again, hotter, and nothing of it stays", async () => {
    const agent = await makeAgent({ replies: [endless, say("Done.")] });
    expect(await agent.prompt("Go.")).toMatchObject({ outcome: "done", text: "Done." });
    const [first, second] = agent.server.requests;
    expect(first?.aborted).toBe(true);
    expect(agent.server.openRequests).toBe(0);
    const bodies = agent.server.chatBodies();
    expect(bodies[1]?.messages).toEqual(bodies[0]?.messages);
    expect(bodies[1]?.options?.["temperature"]).not.toEqual(bodies[0]?.options?.["temperature"]);
    expect(second?.aborted).toBe(false);
    const end = agent.events.find((event) => event.type === "model-end");
    expect(end).toMatchObject({ doneReason: "repetition" });
  });

  test("twice ends the turn with its cause, and the first copy is what was said", async () => {
    const agent = await makeAgent({ replies: [endless, endless, say("Back.")] });
    const end = await agent.prompt("Go.");
    expect(end).toMatchObject({ outcome: "failed", error: { code: "reply-repetition" } });
    expect(end.text).toBe(sentence.trim());
    expect((await agent.prompt("And?")).text).toBe("Back.");
    expectValidConversation(agent.sent());
    expect(agent.sent()[2]?.content).toBe(`${sentence.trim()}\n[cut off: it repeated itself]`);
  });

  test("since the server saw the repetition is asked for again in the same way", async () => {
    const seen = say(["on ", "and "], { errorLine: "prediction aborted, token repeat limit reached" });
    const agent = await makeAgent({ replies: [seen, say("Done."), seen, seen] });
    expect(await agent.prompt("Go.")).toMatchObject({ outcome: "done", text: "Done." });
    expect(await agent.prompt("Go.")).toMatchObject({ outcome: "failed", error: { code: "repetition" } });
  });

  test("since it thinks without end is asked for again with thinking off", async () => {
    const thoughts = Array.from({ length: 450 }, (_, index) => `thought${index} `);
    const agent = await makeAgent({
      think: true,
      quiet: false,
      mostThinking: 300,
      replies: [
        think(thoughts, say("Late.", { chunkDelay: 1 })),
        say("Done."),
        think(thoughts.slice(0, 290), say("In time.")),
      ],
    });
    expect(await agent.prompt("Go.")).toMatchObject({ outcome: "done", text: "Done." });
    expect(agent.server.requests[0]?.aborted).toBe(true);
    expect(agent.server.chatBodies().map(({ think }) => think)).toEqual([true, false]);
    expect((await agent.prompt("Go.")).text).toBe("In time.");
  });
});

describe("a call that the server could not parse", () => {
  test("is made if its text names it, as if nothing had happened", async () => {
    const raw = `error parsing tool call: raw='{"name":"read_note","arguments":{"name":"a"}}]', err=invalid character ']'`;
    const agent = await makeAgent({ replies: [fail(500, raw), say("It says A.")] });
    expect(await agent.prompt("Go.")).toMatchObject({ outcome: "done", text: "It says A." });
    expect(outline(agent.sent()).slice(1)).toEqual(["user: Go.", "assistant:  → read_note", "tool: Note A"]);
    expect(agent.events.filter(({ type }) => type === "notice")).toEqual([]);
    expect(agent.events.find(({ type }) => type === "model-end")).toMatchObject({
      recovered: "server-error",
    });
    expectValidConversation(agent.sent());
  });
});
