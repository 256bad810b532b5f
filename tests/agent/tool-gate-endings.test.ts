import { describe, expect, test } from "vitest";
import { createResultRoom } from "../../src/context/result-room.js";
import type { ApprovalRequest, Approve } from "../../src/agent/approval.js";
import { answering, makeGate } from "./gate.js";
import { ASKS, policy, tool } from "./tools.js";

describe("the question", () => {
  test("shows what would happen", async () => {
    const asked: ApprovalRequest[] = [];
    const gate = makeGate({
      policy: policy({ write: ASKS }),
      tools: [
        tool("write", () => ({ status: "ok", output: "" }), {
          touches: () => [{ kind: "write", path: "a.txt" }],
          preview: () => Promise.resolve({ diff: "-old\n+new" }),
        }),
      ],
      approve: answering({ answer: "once" }, asked),
    });
    expect(await gate.run("write", { path: "a.txt" })).toMatchObject({ status: "ok" });
    expect(asked).toMatchObject([
      { callId: "c1", tool: "write", subject: "a.txt", diff: "-old\n+new", verdict: ASKS },
    ]);
    expect(gate.permission()).toMatchObject({ verdict: "allow", by: "user" });
    expect(gate.kept).toEqual([]);
  });

  test.each(["session", "project"] as const)(
    "answered with always keeps the rules for the %s",
    async (keep) => {
      const gate = makeGate({
        policy: policy({ run: ASKS }),
        approve: answering({ answer: "always", keep }),
      });
      expect(await gate.run("run_command", { command: "npm test" })).toMatchObject({ status: "ok" });
      expect(gate.kept).toEqual([`${keep}: npm test`]);
    },
  );

  test("answered with always is not put again for the next call of the same reply", async () => {
    const asked: ApprovalRequest[] = [];
    const kept: string[] = [];
    const gate = makeGate({
      policy: {
        ...policy(),
        judge: (access) => policy(kept.length === 0 ? { run: ASKS } : {}).judge(access),
      },
      approve: answering({ answer: "always", keep: "session" }, asked),
      keepRules: (rules) => {
        kept.push(...rules);
        return Promise.resolve();
      },
    });
    const command = { command: "npm test" };
    await Promise.all([gate.run("run_command", command), gate.run("run_command", command)]);
    expect(asked).toHaveLength(1);
    expect(gate.journal).toEqual(["run npm test", "run npm test"]);
  });

  test("is not put where the preview already fails", async () => {
    const asked: ApprovalRequest[] = [];
    const gate = makeGate({
      policy: policy({ read: ASKS }),
      tools: [
        tool("edit", () => ({ status: "ok", output: "edited" }), {
          preview: () => Promise.resolve({ status: "error", output: "old_text does not occur" }),
        }),
      ],
      approve: answering({ answer: "once" }, asked),
    });
    expect(await gate.run("edit", { path: "a" })).toEqual({
      status: "error",
      output: "old_text does not occur",
    });
    expect(asked).toEqual([]);
  });

  test("comes up together with those of other reads of the reply, so that they can be numbered", async () => {
    const open: (() => void)[] = [];
    const gate = makeGate({
      policy: policy({ read: ASKS }),
      approve: () => () =>
        new Promise((resolve) => {
          open.push(() => resolve({ answer: "once" }));
          if (open.length === 2) for (const answer of open) answer();
        }),
    });
    const reads = [gate.run("read_note", { name: "a" }), gate.run("read_note", { name: "b" })];
    expect((await Promise.all(reads)).map(({ status }) => status)).toEqual(["ok", "ok"]);
  });
});

describe("a call that fails", () => {
  test.each([
    ["its run", { run: () => Promise.reject(new Error("disk full")) }],
    ["its preview", { preview: () => Promise.reject(new Error("disk full")) }],
    [
      "what it touches",
      {
        touches: () => {
          throw new Error("disk full");
        },
      },
    ],
  ])("in %s is an answer, not the end of the turn", async (_, broken) => {
    const gate = makeGate({
      policy: policy({ read: ASKS }),
      approve: answering({ answer: "once" }),
      tools: [tool("break", () => ({ status: "ok", output: "" }), broken)],
    });
    const { status, output } = await gate.run("break", { path: "a" });
    expect(status).toBe("error");
    expect(output).toContain("disk full");
    expect(gate.types().filter((type) => type === "tool-end")).toHaveLength(1);
  });

  test("because the question or the keeping of its rule failed is not run", async () => {
    const asks = { policy: policy({ run: ASKS }) };
    const broken = () => Promise.reject(new Error("terminal gone"));
    const unasked = makeGate({ ...asks, approve: () => broken });
    expect(await unasked.run("run_command", { command: "npm test" })).toMatchObject({ status: "error" });
    expect(unasked.journal).toEqual([]);
    const unkept = makeGate({
      ...asks,
      approve: answering({ answer: "always", keep: "project" }),
      keepRules: broken,
    });
    expect(await unkept.run("run_command", { command: "npm test" })).toMatchObject({ status: "error" });
    expect(unkept.journal).toEqual([]);
  });
});

describe("a cancelled call", () => {
  test("that runs is told to stop, and ends as cancelled", async () => {
    const control = new AbortController();
    const gate = makeGate({}, { signal: control.signal });
    const running = gate.run("run_command", { command: "sleep" });
    setTimeout(() => control.abort(new Error("Ctrl-C")), 30);
    expect(await running).toMatchObject({ status: "cancelled" });
    expect(gate.journal).toEqual(["run sleep", "killed sleep"]);
    expect(gate.end()).toMatchObject({ status: "cancelled" });
    expect(gate.records.at(-1)).toMatchObject({ type: "call-finished", status: "cancelled" });
  });

  test("at the question does not run", async () => {
    const control = new AbortController();
    const approve: Approve = (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason as Error));
      });
    const gate = makeGate(
      { policy: policy({ run: ASKS }), approve: () => approve },
      { signal: control.signal },
    );
    const running = gate.run("run_command", { command: "npm test" });
    setTimeout(() => control.abort(new Error("Ctrl-C")), 30);
    expect(await running).toMatchObject({ status: "cancelled" });
    expect(gate.journal).toEqual([]);
    expect(gate.types()).toEqual(["tool-start", "tool-end"]);
  });

  test("does not run though a yes comes after all", async () => {
    const control = new AbortController();
    const gate = makeGate(
      {
        policy: policy({ write: ASKS }),
        approve: () => () => {
          control.abort(new Error("Ctrl-C"));
          return Promise.resolve({ answer: "once" });
        },
      },
      { signal: control.signal },
    );
    expect(await gate.run("write_note", { name: "c", text: "New" })).toMatchObject({ status: "cancelled" });
    expect(gate.notes.has("c")).toBe(false);
  });

  test("before its turn came does not run", async () => {
    const control = new AbortController();
    const gate = makeGate({}, { signal: control.signal });
    const running = [
      gate.run("run_command", { command: "sleep" }),
      gate.run("write_note", { name: "c", text: "New" }),
    ];
    setTimeout(() => control.abort(new Error("Ctrl-C")), 30);
    expect(await Promise.all(running)).toMatchObject([{ status: "cancelled" }, { status: "cancelled" }]);
    expect(gate.notes.has("c")).toBe(false);
    expect(gate.types().filter((type) => type === "tool-start")).toHaveLength(2);
    expect(gate.types().filter((type) => type === "tool-end")).toHaveLength(2);
  });

  test("of a reply that was never told leaves no trace", async () => {
    const gate = makeGate({}, { replyTold: () => Promise.resolve(false) });
    expect(await gate.run("write_note", { name: "c", text: "New" })).toMatchObject({ status: "cancelled" });
    expect(gate.events).toEqual([]);
    expect(gate.records).toEqual([]);
    expect(gate.journal).toEqual([]);
  });
});

describe("a result", () => {
  const room = {
    ...createResultRoom(() => 1_000),
    maxChars: () => 200,
    fit: (text: string) => text.slice(0, 5),
  };

  test("is stored as it fits into the context window", async () => {
    const tools = [tool("big", () => ({ status: "ok", output: "x".repeat(1000) }))];
    const gate = makeGate({ tools, room });
    expect((await gate.run("big", { path: "a" })).output).toBe("xxxxx");
    expect(gate.end()).toMatchObject({ output: "xxxxx" });
  });

  test("carries the turn's note, whatever its own length", async () => {
    const gate = makeGate({ room }, { noteAfter: () => "Answer in words now." });
    expect((await gate.run("run_command", { command: "true" })).output).toContain("Answer in words now.");
  });
});

test("the calls of one reply keep their order: reads may overlap, changes never do", async () => {
  const marks: string[] = [];
  const slow = (name: string, effect: "read" | "change") =>
    tool(
      name,
      async (_, { path }) => {
        marks.push(`${String(path)} starts`);
        await new Promise((resolve) => setTimeout(resolve, 30));
        marks.push(`${String(path)} ends`);
        return { status: "ok", output: String(path) };
      },
      { effect },
    );
  const gate = makeGate({ tools: [slow("look", "read"), slow("change", "change")] });
  const outcomes = await Promise.all([
    gate.run("look", { path: "r1" }),
    gate.run("look", { path: "r2" }),
    gate.run("change", { path: "w1" }),
    gate.run("change", { path: "w2" }),
    gate.run("look", { path: "r3" }),
  ]);
  expect(outcomes.map(({ output }) => output)).toEqual(["r1", "r2", "w1", "w2", "r3"]);
  expect(marks.slice(0, 2)).toEqual(["r1 starts", "r2 starts"]);
  expect(marks.slice(2, 4).sort()).toEqual(["r1 ends", "r2 ends"]);
  expect(marks.slice(4)).toEqual(["w1 starts", "w1 ends", "w2 starts", "w2 ends", "r3 starts", "r3 ends"]);
});
