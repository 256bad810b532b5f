import { z } from "zod";
import { describe, expect, test } from "vitest";
import type { AgentEvent } from "../../src/agent/agent-events.js";
import type { ApprovalRequest, Approve } from "../../src/agent/approval.js";
import type { GateTurn, ToolGateOptions } from "../../src/agent/tool-gate.js";
import { createToolGate } from "../../src/agent/tool-gate.js";
import type { SessionRecord } from "../../src/sessions/records.js";
import { ASKS, noteTools, policy, ROOT, tool } from "./tools.js";

function makeGate(options: Partial<ToolGateOptions> = {}, turn: Partial<GateTurn> = {}) {
  const events: AgentEvent[] = [];
  const records: SessionRecord[] = [];
  const kept: string[] = [];
  const { tools, journal, notes } = noteTools();
  const gate = createToolGate({
    tools,
    policy: policy(),
    workspaceRoot: ROOT,
    approve: () => undefined,
    keepRules: (rules, keep) => {
      kept.push(...rules.map((rule) => `${keep}: ${rule}`));
      return Promise.resolve();
    },
    maxOutputChars: 1000,
    ...options,
  });
  const gateTurn: GateTurn = {
    signal: new AbortController().signal,
    emit: (event) => events.push(event),
    record: (record) => records.push(record),
    replyTold: () => Promise.resolve(true),
    refusal: () => undefined,
    noteAfter: () => undefined,
    ...turn,
  };
  let count = 0;
  return {
    events,
    records,
    journal,
    notes,
    kept,
    run: (name: string, args: Record<string, unknown>) =>
      gate.run({ type: "tool_call", id: `c${++count}`, name, args }, gateTurn),
    types: () => events.map(({ type }) => type),
    end: () => events.findLast((event) => event.type === "tool-end"),
    permission: () => events.findLast((event) => event.type === "permission"),
  };
}

const answering =
  (answer: Awaited<ReturnType<Approve>>, asked: ApprovalRequest[] = []): (() => Approve) =>
  () =>
  (request) => {
    asked.push(request);
    return Promise.resolve(answer);
  };

describe("a call that may run", () => {
  test("is told and recorded before it acts and after", async () => {
    const gate = makeGate();
    expect(await gate.run("write_note", { name: "c", text: "New" })).toEqual({
      status: "ok",
      output: "Wrote c.",
    });
    expect(gate.events).toEqual([
      { type: "tool-start", id: "c1", tool: "write_note", args: { name: "c", text: "New" } },
      { type: "permission", id: "c1", verdict: "allow", by: "rule", because: "write is free" },
      {
        type: "tool-end",
        id: "c1",
        tool: "write_note",
        status: "ok",
        output: "Wrote c.",
        diff: "+New",
        durationMs: expect.any(Number) as number,
      },
    ]);
    expect(gate.records.map(({ type }) => type)).toEqual([
      "call-prepared",
      "permission",
      "call-started",
      "call-finished",
    ]);
    expect(gate.records.at(-1)).toMatchObject({ status: "ok", output: "Wrote c.", changedFiles: ["c"] });
  });

  test("shows its live output between its start and its end", async () => {
    const gate = makeGate();
    await gate.run("run_command", { command: "true" });
    expect(gate.types()).toEqual(["tool-start", "permission", "tool-output", "tool-end"]);
    expect(gate.records.at(-1)).toMatchObject({ command: { command: "true", exitCode: 0 } });
  });

  test("opens the paths that were judged, and no other", async () => {
    const opened: string[] = [];
    const gate = makeGate({
      tools: [
        tool("open", ({ path }) => {
          opened.push(path("a").real);
          path("b");
          return { status: "ok", output: "" };
        }),
      ],
    });
    expect(await gate.run("open", { path: "a" })).toMatchObject({ status: "error" });
    expect(opened).toEqual([`${ROOT}/a`]);
  });

  test("has its arguments as the schema reads them", async () => {
    const seen: unknown[] = [];
    const gate = makeGate({
      tools: [
        tool("see", (_, args) => {
          seen.push(args);
          return { status: "ok", output: "" };
        }),
      ],
    });
    await gate.run("see", { path: "a", invented: true });
    expect(seen).toEqual([{ path: "a" }]);
  });
});

describe("a call that cannot be understood", () => {
  test("for its name is answered with the names that exist", async () => {
    const gate = makeGate();
    const { status, output } = await gate.run("readFile", { path: "a" });
    expect(status).toBe("error");
    for (const name of ['"readFile"', "read_note", "write_note", "run_command"]) expect(output).toContain(name);
    expect(gate.types()).toEqual(["tool-start", "tool-end"]);
    expect(gate.end()).toMatchObject({ tool: "readFile", status: "error", output });
  });

  test.each(["", "constructor", "__proto__"])("for the name %j is answered alike", async (name) => {
    expect((await makeGate().run(name, {})).output).toContain("read_note");
  });

  test.each([
    ["a missing key", {}, "name"],
    ["a key of another type", { name: "a", from_line: "two" }, "from_line"],
    ["text that could not be read as arguments", { arguments: '{"name":"a' }, "name"],
  ])("for %s is answered with the key and the right shape", async (_, args, key) => {
    const gate = makeGate();
    const { status, output } = await gate.run("read_note", args);
    expect(status).toBe("error");
    expect(output).toContain(`"${key}"`);
    expect(output).toContain(JSON.stringify(args));
    expect(output).toMatch(/\{"name": string, "from_line"\?: (integer|number)\}/);
    expect(gate.journal).toEqual([]);
    expect(gate.types()).toEqual(["tool-start", "tool-end"]);
  });

  test("does not repeat megabytes of wrong arguments", async () => {
    const { output } = await makeGate({ maxOutputChars: 100_000 }).run("read_note", { nam: "x".repeat(1_000_000) });
    expect(output.length).toBeLessThan(1000);
    expect(output).toContain('"name"');
  });
});

describe("a call that may not run", () => {
  test.each(["rule", "mode"] as const)("because of a %s tells the model and the user why", async (by) => {
    const gate = makeGate({
      policy: policy({ run: { verdict: "deny", by, because: ["it is not for you", "at all"] } }),
      approve: answering({ answer: "once" }),
    });
    const { status, output } = await gate.run("run_command", { command: "rm -rf /" });
    expect(status).toBe("denied");
    expect(output).toContain("it is not for you; at all");
    expect(gate.permission()).toMatchObject({ verdict: "deny", by, because: "it is not for you; at all" });
    expect(gate.end()).toMatchObject({ status: "denied" });
    expect(gate.journal).toEqual([]);
    expect(gate.records.map(({ type }) => type)).toEqual(["call-prepared", "permission", "call-finished"]);
  });

  test("because nobody can be asked says so", async () => {
    const gate = makeGate({ policy: policy({ run: ASKS }) });
    const { status, output } = await gate.run("run_command", { command: "npm test" });
    expect(status).toBe("denied");
    expect(output).toContain("nobody can be asked");
    expect(gate.permission()).toMatchObject({ verdict: "deny", by: "nobody", because: "no rule allows it" });
    expect(gate.journal).toEqual([]);
  });

  test("because the user declined passes the reason on", async () => {
    const gate = makeGate({
      policy: policy({ run: ASKS }),
      approve: answering({ answer: "no", reason: "use yarn" }),
    });
    const { status, output } = await gate.run("run_command", { command: "npm test" });
    expect(status).toBe("denied");
    expect(output).toContain("use yarn");
    expect(gate.permission()).toMatchObject({
      verdict: "deny",
      by: "user",
      because: expect.stringContaining("use yarn") as string,
    });
    expect(gate.journal).toEqual([]);
  });

  test("because one of its paths may not is judged by the strictest", async () => {
    const gate = makeGate({
      policy: policy({ write: { verdict: "deny", because: ["writing is off"] }, list: ASKS }),
      tools: [
        tool("copy", () => ({ status: "ok", output: "" }), {
          touches: () => [
            { kind: "read", path: "a" },
            { kind: "list", path: "." },
            { kind: "write", path: "b" },
          ],
        }),
      ],
      approve: answering({ answer: "once" }),
    });
    expect(await gate.run("copy", { path: "a" })).toMatchObject({ status: "denied" });
  });

  test("because the turn refuses it does not reach the policy", async () => {
    const gate = makeGate({}, { refusal: () => "the reply was cut off" });
    expect(await gate.run("write_note", { name: "c", text: "New" })).toEqual({
      status: "error",
      output: "Not run: the reply was cut off",
    });
    expect(gate.types()).toEqual(["tool-start", "tool-end"]);
    expect(gate.journal).toEqual([]);
  });
});

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

  test.each(["session", "project"] as const)("answered with always keeps the rules for the %s", async (keep) => {
    const gate = makeGate({ policy: policy({ run: ASKS }), approve: answering({ answer: "always", keep }) });
    expect(await gate.run("run_command", { command: "npm test" })).toMatchObject({ status: "ok" });
    expect(gate.kept).toEqual([`${keep}: npm test`]);
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

  test("is put one at a time, for reads of one reply too", async () => {
    let open = 0;
    let most = 0;
    const gate = makeGate({
      policy: policy({ read: ASKS }),
      approve: () => async () => {
        most = Math.max(most, ++open);
        await new Promise((resolve) => setTimeout(resolve, 20));
        open--;
        return { answer: "once" };
      },
    });
    await Promise.all([gate.run("read_note", { name: "a" }), gate.run("read_note", { name: "b" })]);
    expect(most).toBe(1);
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
  const big = (chars: number) =>
    makeGate({ tools: [tool("big", () => ({ status: "ok", output: "x".repeat(chars) }))], maxOutputChars: 200 });

  test("that fits is left alone", async () => {
    expect((await big(200).run("big", { path: "a" })).output).toBe("x".repeat(200));
  });

  test("that is too long keeps head and tail, and says how much is missing", async () => {
    const gate = big(1000);
    const { output } = await gate.run("big", { path: "a" });
    const [, left] = /^x+\n\[… (\d+) characters left out …\]\nx+$/.exec(output) ?? [];
    expect(Number(left) + (output.match(/x/g) ?? []).length).toBe(1000);
    expect(output.length).toBeLessThan(300);
    expect(gate.end()).toMatchObject({ output });
  });

  test("carries the turn's note, whatever the length", async () => {
    const gate = makeGate({ maxOutputChars: 10 }, { noteAfter: () => "Answer in words now." });
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
      { effect, schema: z.object({ path: z.string() }) },
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
