import { describe, expect, test } from "vitest";
import type { AgentEvent } from "../../src/agent/agent-events.js";
import { call, fail, say } from "../../src/demo/reply.js";
import type { Reply } from "../../src/demo/reply.js";
import type { TestAgent } from "./setup.js";
import { expectValidConversation, makeAgent } from "./setup.js";

const busy = fail(503, "server busy, please try again.  maximum pending requests exceeded");
const crashed = fail(500, "model runner has unexpectedly stopped, this may be due to resource limitations");
const crashedWhileWriting = say("Half an", {
  errorLine: "an error was encountered while running the model: EOF",
});
const write = (name: string) => call("write_note", { name, text: "x" });

const retries = ({ events }: TestAgent) =>
  events.flatMap((event) => (event.type === "notice" && event.code === "retry" ? [event.text] : []));

describe("a request that the server could not serve just then", () => {
  test.each([
    ["the server is busy", [busy], /server busy.*trying again in 1 s/],
    ["the model's process stopped", [crashed], /unexpectedly stopped.*trying again in 2 s/],
    ["the model's process stopped in its reply", [crashedWhileWriting], /while running.*trying again in 2 s/],
  ])("because %s is told, waited for and made again", async (_, faults: Reply[], words) => {
    const agent = await makeAgent({ replies: [...faults, say("Done."), say("Yes.")] });
    expect(await agent.prompt("Go.")).toMatchObject({ outcome: "done", text: "Done." });
    expect(retries(agent)).toEqual([expect.stringMatching(words)]);
    const [first, again] = agent.server.chatBodies();
    expect(again).toEqual(first);
    await agent.prompt("And?");
    expectValidConversation(agent.sent());
  });

  test("fails the turn if the model's process stops again at once, with what helps, and the next prompt works", async () => {
    const agent = await makeAgent({ replies: [crashed, crashed, say("Back.")] });
    const end = await agent.prompt("Go.");
    expect(end).toMatchObject({ outcome: "failed", error: { code: "runner-crashed" } });
    expect(end.error?.hint).toMatch(/memory.*smaller window.*model/);
    expect(agent.server.requests).toHaveLength(2);
    expect(await agent.prompt("Again.")).toMatchObject({ outcome: "done", text: "Back." });
    expectValidConversation(agent.sent());
  });

  test("has its tries for itself: one reply between two faults begins to count anew", async () => {
    const agent = await makeAgent({ replies: [crashed, write("c"), crashed, write("d"), say("Done.")] });
    expect(await agent.prompt("Go.")).toMatchObject({ outcome: "done", changedFiles: ["c", "d"] });
    expect(retries(agent)).toHaveLength(2);
    expect(agent.journal).toEqual(["write c", "write d"]);
  });

  test("is given up at once when the user cancels the wait", async () => {
    const agent = await makeAgent({ replies: [busy, say("Never.")] });
    const control = new AbortController();
    const turn = agent.agent.prompt("Go.", {
      signal: control.signal,
      onEvent: (event: AgentEvent) => {
        if (event.type === "notice") control.abort(new DOMException("cancelled by the user", "AbortError"));
      },
    });
    expect((await turn).outcome).toBe("cancelled");
    expect(agent.server.requests).toHaveLength(1);
  });

  test.each([
    ["a model that is not there", fail(404, "model 'scripted' not found"), "model-missing"],
    [
      "too little memory",
      fail(500, "model requires more system memory (7 GiB) than is available (5 GiB)"),
      "out-of-memory",
    ],
    [
      "a model that cannot be loaded",
      fail(500, "llama-server process has terminated: exit status 2"),
      "load-failed",
    ],
    ["an unknown fault", fail(500, "boom"), "server-error"],
    ["a reply that breaks off", say("Half an", { cutAfter: 1, chunkDelay: 10 }), "stream-cut"],
  ])("is not made again for %s", async (_, fault, code) => {
    const agent = await makeAgent({ replies: [fault, say("Never.")] });
    expect((await agent.prompt("Go.")).error?.code).toBe(code);
    expect(agent.server.requests).toHaveLength(1);
    expect(retries(agent)).toEqual([]);
  });
});

describe("while the model is silent", () => {
  test("it is told whether it is being loaded or reads", async () => {
    let isLoaded = false;
    const agent = await makeAgent({
      replies: [say("Done.", { delay: 3_200 })],
      agent: { isLoaded: () => Promise.resolve(isLoaded) },
    });
    const turn = agent.agent.prompt("Go.", {
      signal: new AbortController().signal,
      onEvent: (event) => {
        agent.events.push(event);
        if (event.type === "model-progress" && event.phase === "loading") isLoaded = true;
      },
    });
    await turn;
    const phases = agent.events.flatMap((event) => (event.type === "model-progress" ? [event.phase] : []));
    const changes = phases.filter((phase, index) => phase !== phases[index - 1]);
    expect(changes).toEqual(["reading", "loading", "reading", "writing"]);
  });
});
