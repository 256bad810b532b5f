import { describe, expect, test } from "vitest";
import type { CallResult } from "../../src/agent/loop-guard.js";
import { createReflection } from "../../src/agent/reflection.js";
import { call, say, think } from "../../src/demo/reply.js";
import type { TestAgent } from "./setup.js";
import { expectValidConversation, makeAgent } from "./setup.js";
import { tool } from "./tools.js";

type Step = [tool: string, args: object, result: Partial<CallResult>];

const missed = (path: string): Step => [
  "edit_file",
  { path, old_text: String(Math.random()) },
  { status: "error", output: `old_text does not occur in ${path} (12 lines). Nearest: ${Math.random()}` },
];
const exited = (command: string, text: string): Step => [
  "run_command",
  { command },
  { exitCode: 1, output: `exit code 1\n${text}` },
];

/** The reflections that these calls lead to, one call a reply. */
function reflections(...steps: Step[]): (string | undefined)[] {
  const reflection = createReflection();
  return steps.map(([tool, args, result], reply) =>
    reflection.after(
      { tool, args },
      { status: "ok", output: "", changed: false, wasRun: true, ...result },
      reply,
    ),
  );
}

describe("a tool that fails twice for the same reason", () => {
  test.each<[string, Step, Step]>([
    ["an edit of one file", missed("a.ts"), missed("a.ts")],
    [
      "commands whose times and places differ",
      exited("npm test", "Error: boom at a.ts:12:3\n2.1 s"),
      exited("npm test", "Error: boom at a.ts:14:7\n1.9 s"),
    ],
    [
      "a tool of any other kind",
      ["read_file", { path: "x" }, { status: "error", output: "x does not exist." }],
      ["read_file", { path: "x" }, { status: "error", output: "x does not exist." }],
    ],
  ])("is thought over: %s", (_, first, second) => {
    const [none, question] = reflections(first, second);
    expect(none).toBeUndefined();
    expect(question).toMatch(/^(edit_file|run_command|read_file) has failed twice for the same reason: \S/);
    expect(question).toMatch(/what failed; why; what you will do differently/);
    expect(question?.length).toBeLessThan(400);
  });

  test("names the reason, not the whole output", () => {
    const output = `> test\n${"at x\n".repeat(200)}TypeError: add is not a function\n`;
    expect(reflections(exited("npm test", output), exited("npm test", output))[1]).toContain(
      ": TypeError: add is not a function\n",
    );
  });

  test("is thought over once for each reason, and twice in a turn", () => {
    const found = reflections(
      ...["a.ts", "b.ts", "c.ts"].flatMap((path) => [missed(path), missed(path), missed(path)]),
    );
    expect(found.map((question) => question !== undefined)).toEqual([
      ...[false, true, false],
      ...[false, true, false],
      ...[false, false, false],
    ]);
  });

  test.each<[string, Step[]]>([
    ["other reasons", [exited("npm test", "Error: one"), exited("npm test", "Error: two")]],
    ["other files", [missed("a.ts"), missed("b.ts")]],
    [
      "searches without a hit",
      Array<Step>(2).fill([
        "run_command",
        { command: "grep a b" },
        { exitCode: 1, output: "exit code 1, no output" },
      ]),
    ],
    [
      "denials",
      Array<Step>(2).fill([
        "edit_file",
        { path: "a" },
        { status: "denied", output: "Denied.", wasRun: false },
      ]),
    ],
    [
      "calls that cannot be run, which are told why",
      Array<Step>(2).fill(["edit_file", {}, { status: "error", output: "x", wasRun: false }]),
    ],
    ["success", Array<Step>(2).fill(["read_file", { path: "a" }, { output: "error" }])],
  ])("is not the same as %s", (_, steps) => {
    expect(reflections(...steps)).toEqual(steps.map(() => undefined));
  });

  test("in one reply is counted once: the model has not read the first failure", () => {
    const reflection = createReflection();
    const [tool, args, result] = missed("a.ts");
    const failed = { status: "error", output: "", changed: false, wasRun: true, ...result };
    const both = [0, 0].map((reply) => reflection.after({ tool, args }, failed, reply));
    expect(both).toEqual([undefined, undefined]);
  });
});

describe("the request after it", () => {
  const broken = tool("mend", () => ({
    status: "error",
    output: "The lock is held by another program.\nWait.",
  }));
  const again = (path: string) => call("mend", { path });
  const notices = ({ events }: TestAgent) =>
    events.flatMap((event) => (event.type === "notice" ? [event.code] : []));

  test("carries the question at the end of the newest result, with thinking on, and its cost is told", async () => {
    const agent = await makeAgent({
      tools: [broken],
      thoughtful: true,
      replies: [
        again("a"),
        again("a"),
        think("The lock.", { ...again("b"), outputTokens: 77 }),
        say("It is locked."),
      ],
    });
    expect(await agent.prompt("Mend a.")).toMatchObject({ outcome: "done" });
    const bodies = agent.server.chatBodies();
    expect(bodies.map(({ think }) => think)).toEqual([false, false, true, false]);
    expect(bodies[2]?.messages.at(-1)?.role).toBe("tool");
    expect(bodies[2]?.messages.at(-1)?.content).toMatch(
      /Wait\.\n\n\[mend has failed twice .*differently[^\]]*\]$/s,
    );
    for (const [index, { messages }] of bodies.slice(1).entries()) {
      expect(messages.slice(0, bodies[index]?.messages.length).map(({ content }) => content)).toEqual(
        bodies[index]?.messages.map(({ content }) => content),
      );
    }
    expectValidConversation(agent.sent());
    expect(notices(agent)).toEqual(["reflection", "reflection-cost"]);
    const cost = agent.events.findLast((event) => event.type === "notice");
    expect(cost).toMatchObject({
      text: expect.stringMatching(/mend took 77 tokens and \d+\.\d s$/) as string,
    });
  });

  test("that brings nothing but thinking is asked again with thinking off", async () => {
    const agent = await makeAgent({
      tools: [broken],
      thoughtful: true,
      quiet: false,
      agent: { mayBeQuiet: false },
      replies: [again("a"), again("a"), think("Hm.", say([])), say("It is locked.")],
    });
    expect(await agent.prompt("Mend a.")).toMatchObject({ outcome: "done", text: "It is locked." });
    expect(agent.server.chatBodies().map(({ think }) => think)).toEqual([false, false, true, false]);
  });

  test("is an ordinary one if reflection is switched off", async () => {
    const agent = await makeAgent({
      tools: [broken],
      thoughtful: true,
      agent: { reflects: false },
      replies: [again("a"), again("a"), say("It is locked.")],
    });
    await agent.prompt("Mend a.");
    expect(agent.server.chatBodies().map(({ think }) => think)).toEqual([false, false, false]);
    expect(agent.sent().at(-1)?.content).not.toContain("failed twice");
    expect(notices(agent)).toEqual(["loop-repeat"]);
  });
});
