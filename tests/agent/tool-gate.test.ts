import { describe, expect, test } from "vitest";
import { answering, makeGate } from "./gate.js";
import { ASKS, policy, ROOT, tool } from "./tools.js";

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
        tool("open", (context) => {
          opened.push(context.path("a").real);
          context.path("b");
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
    for (const name of ['"readFile"', "read_note", "write_note", "run_command"])
      expect(output).toContain(name);
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
    const { output } = await makeGate().run("read_note", {
      nam: "x".repeat(1_000_000),
    });
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
