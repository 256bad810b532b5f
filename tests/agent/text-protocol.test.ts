import { describe, expect, test } from "vitest";
import type { Steering } from "../../src/agent/steering.js";
import { say } from "../../src/demo/reply.js";
import type { ChatRequest } from "../../src/demo/chat-request.js";
import { asksForSummary, bulky, scripted } from "./bulky-work.js";
import type { TestAgent } from "./setup.js";
import { expectEveryCallEnded, makeAgent } from "./setup.js";

const READ = say('<call tool="read_note">\nname: a\n</call>');
const WRITE = say('<call tool="write_note">\nname: late\ntext: too late\n</call>');

/** No request has tools, all begin with the same system text, and nobody speaks twice in a row. */
function expectOneForm(bodies: readonly ChatRequest[]): void {
  for (const { tools, messages } of bodies) {
    expect(tools).toBeUndefined();
    expect(messages[0]).toEqual(bodies[0]?.messages[0]);
    messages.forEach(({ role }, index) => {
      expect(role).toBe(index === 0 ? "system" : index % 2 === 1 ? "user" : "assistant");
    });
  }
}

function bodiesOf({ server }: TestAgent): ChatRequest[] {
  return server.chatBodies();
}

describe("in the text protocol", () => {
  test("the request ahead of time, the turn's, and the last ones at a limit have one form", async () => {
    const agent = await makeAgent({
      protocol: "text",
      replies: [READ, WRITE, say("I only read a.")],
      limits: { maxSteps: 1 },
    });
    await agent.agent.warmUp(new AbortController().signal);
    const end = await agent.prompt("Go.");
    expect(end).toMatchObject({ outcome: "limit", text: "I only read a.", changedFiles: [] });
    expect(bodiesOf(agent)).toHaveLength(4);
    expectOneForm(bodiesOf(agent));
    expect(agent.notes.has("late")).toBe(false);
    expectEveryCallEnded(agent.events);
  });

  test("a turn whose model never stops calling shows no call as its answer", async () => {
    const agent = await makeAgent({ protocol: "text", replies: () => WRITE, limits: { maxSteps: 1 } });
    const end = await agent.prompt("Go.");
    expect(end).toMatchObject({ outcome: "limit", text: "" });
  });

  test("requests for a summary have it too, and the work goes on after them", async () => {
    let count = 0;
    const agent = await makeAgent({
      protocol: "text",
      window: 8192,
      tools: [bulky()],
      runner: {},
      replies: scripted([
        ...Array.from({ length: 8 }, () => say(`<call tool="get_text">\npart: ${count++}\n</call>`)),
        say("Done."),
      ]),
    });
    expect(await agent.prompt("Read.")).toMatchObject({ outcome: "done", text: "Done." });
    expect(bodiesOf(agent).some(asksForSummary)).toBe(true);
    expect(agent.events.some(({ type }) => type === "context-compacted")).toBe(true);
    expectOneForm(bodiesOf(agent));
  });

  test("what the user says meanwhile stands behind the results, in the same message", async () => {
    const { agent, server } = await makeAgent({ protocol: "text", replies: [READ, say("Yes.")] });
    const waiting: string[] = [];
    const steering: Steering = {
      isWaiting: () => waiting.length > 0,
      take: () => Promise.resolve(waiting.splice(0)),
    };
    await agent.prompt("Go.", {
      signal: new AbortController().signal,
      steering,
      onEvent: ({ type }) => type === "tool-start" && waiting.push("Only a, please."),
    });
    expect(server.chatBodies().at(-1)?.messages.at(-1)).toEqual({
      role: "user",
      content: "<tool_response>\nread_note:\nNote A\n</tool_response>\n\nOnly a, please.",
    });
    expectOneForm(server.chatBodies());
  });
});
