import { describe, expect, test } from "vitest";
import type { CallResult } from "../../src/agent/loop-guard.js";
import { createLoopGuard, LOOP_LIMITS } from "../../src/agent/loop-guard.js";

const ok = (output: string): CallResult => ({ status: "ok", output, changed: false });

/** Makes calls as the gate does, until the guard stops the turn; tells what happened. */
function play(steps: Iterable<[tool: string, args: object, result: CallResult]>) {
  const guard = createLoopGuard();
  const told: string[] = [];
  for (const [tool, args, result] of steps) {
    const call = { tool, args };
    const stored = guard.before(call);
    if (stored !== undefined) told.push("stored");
    const { note, stop } = guard.after(call, result);
    if (stop !== undefined) return { told: [...told, "stop"], stop, guard };
    told.push(note === undefined ? "fine" : "note");
  }
  return { told, stop: undefined, guard };
}

const repeated = <T>(count: number, step: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => step(index));

describe("the loop guard", () => {
  test("notes the second same call, gives the stored result for the third, and stops at the fifth", () => {
    const { told, stop } = play(
      repeated(9, () => ["run_command", { command: "echo x" }, ok("exit code 0\nx")]),
    );
    expect(told).toEqual(["fine", "note", "stored", "note", "stored", "note", "stored", "stop"]);
    expect(stop).toContain(String(LOOP_LIMITS.identicalStop));
  });

  test("is not misled by the order of keys", () => {
    const { stop } = play(
      repeated(9, (index) => [
        "read_file",
        index % 2 === 0 ? { path: "a", start_line: 1 } : { start_line: 1, path: "a" },
        ok("text"),
      ]),
    );
    expect(stop).toBeDefined();
  });

  test("counts a successful write that is repeated", () => {
    const write: CallResult = { status: "ok", output: "Nothing was changed.", changed: false };
    expect(play(repeated(9, () => ["write_file", { path: "a", content: "x" }, write])).stop).toBeDefined();
  });

  test("lets a test run again after every edit, as long as something changes", () => {
    const steps = repeated(12, (index): [string, object, CallResult] =>
      index % 2 === 0
        ? [
            "edit_file",
            { path: "a", old_text: `${index}`, new_text: "y" },
            { ...ok(`Edited ${index}`), changed: true },
          ]
        : ["run_command", { command: "npm test" }, { ...ok(`exit code 1: ${index}`), exitCode: 1 }],
    );
    const { told, stop } = play(steps);
    expect(stop).toBeUndefined();
    expect(told).not.toContain("stored");
  });

  test("takes reading other files, or other ranges, for progress", () => {
    const files = repeated(30, (index) => ["read_file", { path: `f${index}` }, ok(`text ${index}`)] as const);
    const ranges = repeated(
      30,
      (index) => ["read_file", { path: "f", start_line: index * 200 }, ok(`lines ${index}`)] as const,
    );
    for (const steps of [files, ranges]) {
      const { told } = play(steps.map((step) => [...step]));
      expect(new Set(told)).toEqual(new Set(["fine"]));
    }
  });

  test.each([2, 3, 4])("names a cycle of %i steps at its third round and stops at the fourth", (period) => {
    const steps = repeated(period * 5, (index): [string, object, CallResult] => [
      "read_file",
      { path: `f${index % period}` },
      ok(`text ${index % period}`),
    ]);
    const { told, stop } = play(steps);
    expect(stop).toMatch(/came round|same call/);
    expect(told.filter((word) => word === "note").length).toBeGreaterThan(0);
  });

  test("nudges after six searches that bring nothing new, and stops in the end", () => {
    const { told, stop } = play(
      repeated(20, (index) => ["search_code", { pattern: `p${index}` }, ok("No matches.")]),
    );
    expect(told.indexOf("note")).toBe(LOOP_LIMITS.wanderingNudge);
    expect(stop).toContain("nothing new");
  });

  test("stops after five failing edits of one file, not of several", () => {
    const failing = (path: (index: number) => string) =>
      play(
        repeated(8, (index) => [
          "edit_file",
          { path: path(index), old_text: `${index}`, new_text: "x" },
          { status: "error", output: `old_text not found ${index}`, changed: false },
        ]),
      );
    expect(failing(() => "a.ts").stop).toContain("a.ts");
    expect(failing((index) => `f${index}.ts`).stop).toBeUndefined();
  });

  test("nudges when different commands fail in the same way three times", () => {
    const { told, stop } = play(
      repeated(6, (index) => [
        "run_command",
        { command: `npm test -- ${index}` },
        { ...ok("exit code 1\nboom"), exitCode: 1 },
      ]),
    );
    expect(told.slice(0, 3)).toEqual(["fine", "fine", "note"]);
    expect(stop).toContain("failed 5 times");
  });

  test("begins anew after a reset, as after a compaction", () => {
    const guard = createLoopGuard();
    const call = { tool: "read_file", args: { path: "a" } };
    for (let index = 0; index < 2; index++) guard.after(call, ok("text"));
    guard.reset();
    expect(guard.before(call)).toBeUndefined();
    expect(guard.after(call, ok("text"))).toEqual({});
  });
});
