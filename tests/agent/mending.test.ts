import { describe, expect, test } from "vitest";
import { conversationFrom } from "../../src/agent/conversation.js";
import { call, fail, say } from "../../src/demo/reply.js";
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

  test("right behind the user's message is asked again with more chance and no further word", async () => {
    const agent = await makeAgent({ replies: [lost, say("Done.")] });
    expect(await agent.prompt("Go.")).toMatchObject({ outcome: "done", text: "Done." });
    const [first, second] = agent.server.chatBodies();
    expect(second?.messages).toEqual(first?.messages);
    expect(second?.options?.["temperature"]).not.toEqual(first?.options?.["temperature"]);
    expect(outline(agent.sent()).slice(1)).toEqual(["user: Go."]);
    expect(conversationFrom(agent.records).map(({ text }) => text)).toEqual(["Go.", "Done."]);
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
    const agent = await makeAgent({ replies: [unreadable, unreadable, unreadable, say("Back.")] });
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
