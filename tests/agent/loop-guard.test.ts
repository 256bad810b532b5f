import { describe, expect, test } from "vitest";
import type { CallResult } from "../../src/agent/loop-guard.js";
import { createLoopGuard } from "../../src/agent/loop-guard.js";
import { LOOP_LIMITS } from "../../src/agent/loop-limits.js";
import { call, say } from "../../src/demo/reply.js";
import { nativeRefusal, scripted } from "./bulky-work.js";
import { makeAgent } from "./setup.js";
import { tool } from "./tools.js";

type Step = readonly [tool: string, args: object, result: CallResult];

const ok = (output: string): CallResult => ({ status: "ok", output, changed: false });
const exit = (exitCode: number, text: string, mayHaveChanged = false): CallResult => ({
  ...ok(`exit code ${exitCode}${text === "" ? ", no output" : `\n${text}`}`),
  exitCode,
  mayHaveChanged,
});
const edited = (output: string): CallResult => ({ ...ok(output), changed: true });
const failed = (output: string): CallResult => ({ status: "error", output, changed: false });
const noMatches = (pattern: string): CallResult =>
  ok(`No matches for ${pattern} in the project.\nIgnored files are not searched.`);

/** Makes calls as the gate does, one a reply, until the guard stops the turn; tells what happened. */
function play(steps: Iterable<Step>) {
  const guard = createLoopGuard();
  const told: string[] = [];
  const notes: string[] = [];
  for (const [tool, args, result] of steps) {
    guard.nextReply();
    const call = { tool, args };
    const stored = guard.before(call) === undefined ? "" : "stored ";
    const { note, stop } = guard.after(call, result);
    if (note !== undefined) notes.push(note);
    if (stop !== undefined) return { told: [...told, `${stored}stop`], notes, stop };
    told.push(`${stored}${note === undefined ? "fine" : "note"}`);
  }
  return { told, notes, stop: undefined };
}

const repeated = (count: number, step: (index: number) => Step): Step[] =>
  Array.from({ length: count }, (_, index) => step(index));

const around = (rounds: number, ...steps: Step[]): Step[] => Array<Step[]>(rounds).fill(steps).flat();

const run = (command: string, result: CallResult): Step => ["run_command", { command }, result];
const read = (path: string, text: string): Step => ["read_file", { path }, ok(text)];
const edit = (path: string, old_text: string, result: CallResult): Step => [
  "edit_file",
  { path, old_text, new_text: "x" },
  result,
];

describe("the same call with the same result", () => {
  test("is noted, then answered with the stored result, then ends the turn", () => {
    const { told, stop } = play(repeated(9, () => run("echo x", exit(0, "x"))));
    expect(told).toEqual(["fine", "note", "stored note", "stored stop"]);
    expect(stop).toContain(`${LOOP_LIMITS.identicalStop} times`);
  });

  test("is the same whatever the order of its keys", () => {
    const { stop } = play(
      repeated(9, (index) => [
        "read_file",
        index % 2 === 0 ? { path: "a", start_line: 1 } : { start_line: 1, path: "a" },
        ok("text"),
      ]),
    );
    expect(stop).toBeDefined();
  });

  test("counts as a success too: the same write, the same edit that is there already", () => {
    const same = ok("a has exactly this content already; nothing was changed.");
    expect(play(repeated(9, () => ["write_file", { path: "a", content: "x" }, same])).stop).toBeDefined();
    const there = ok("Nothing was changed: new_text is in a already, at line 1.");
    expect(play(repeated(9, () => edit("a", "y", there))).stop).toBeDefined();
  });

  test("several times in one reply ends nothing: the model has read no answer in between", () => {
    const guard = createLoopGuard();
    guard.nextReply();
    const call = { tool: "read_file", args: { path: "a" } };
    const advice = Array.from({ length: 9 }, () => guard.after(call, ok("text")));
    expect(advice.map(({ stop }) => stop)).toEqual(Array(9).fill(undefined));
    expect(guard.before(call)).toBe("text");
  });

  test("is no circle where something was changed, or may have been, by another call", () => {
    const test = run("npm test", exit(1, "1 failed"));
    for (const between of [
      (index: number) => edit("a", `${index}`, edited(`Edited ${index}`)),
      (index: number) => run(`sed -i ${index} a`, exit(0, "", true)),
    ]) {
      const { told, stop } = play(repeated(20, (index) => (index % 2 === 0 ? test : between(index))));
      expect(stop).toBeUndefined();
      expect(new Set(told)).toEqual(new Set(["fine"]));
    }
  });

  test("is no circle where a background command is asked for its output", () => {
    const { told, stop } = play(
      repeated(8, () => ["command_output", { id: "1", action: "read" }, ok("1 is running\nno new output")]),
    );
    expect(stop).toBeUndefined();
    expect(new Set(told)).toEqual(new Set(["fine"]));
  });
});

describe("the same call with another result each time", () => {
  test("is free for a while, then noted, and ends the turn in the end", () => {
    const { told, stop } = play(repeated(20, (index) => run("date", exit(0, `${index}`, true))));
    expect(told.indexOf("note")).toBe(LOOP_LIMITS.changingCap);
    expect(told).toHaveLength(LOOP_LIMITS.changingStop);
    expect(stop).toContain(`${LOOP_LIMITS.changingStop} times`);
  });

  test("is free if a file was changed in between", () => {
    const { told } = play(
      repeated(40, (index) =>
        index % 2 === 0
          ? edit("a", `${index}`, edited(`Edited ${index}`))
          : run("npm test", exit(1, `failure ${index}`)),
      ),
    );
    expect(new Set(told)).toEqual(new Set(["fine"]));
  });
});

describe("reading", () => {
  test("other files, or other ranges, is progress", () => {
    for (const steps of [
      repeated(30, (index) => read(`f${index}`, `text ${index}`)),
      repeated(30, (index) => ["read_file", { path: "f", start_line: index }, ok(`lines ${index}`)]),
    ]) {
      expect(new Set(play(steps).told)).toEqual(new Set(["fine"]));
    }
  });
});

describe("a cycle", () => {
  test.each([2, 3, 4])(
    "of %i steps is named at its third round and ends the turn at the fourth",
    (period) => {
      const steps = Array.from({ length: period }, (_, index) => read(`f${index}`, `text ${index}`));
      const { told, notes, stop } = play(around(6, ...steps));
      const third = notes.at(told.slice(0, 3 * period).filter((word) => word.includes("note")).length - 1);
      expect(third).toMatch(/in circles: (read_file(, )?)+, 3 times/);
      expect(told).toHaveLength(3 * period + 1);
      expect(stop).toMatch(/came round|same call/);
    },
  );

  test("of edits that undo each other is one, though each of them changes the file", () => {
    const { stop } = play(
      around(6, edit("a", "1", edited("Edited a line 1.")), edit("a", "2", edited("Edited a line 1 back."))),
    );
    expect(stop).toContain("2 steps came round");
  });

  test("whose results change is none", () => {
    const { stop } = play(
      repeated(30, (index) => (index % 2 === 0 ? read("a", `a ${index}`) : read("b", `b ${index}`))).slice(
        0,
        14,
      ),
    );
    expect(stop).toBeUndefined();
  });
});

describe("searches in a row", () => {
  test("that find nothing are noted at six, again every four, and end the turn", () => {
    const { told, stop } = play(
      repeated(20, (index) => ["search_code", { pattern: `p${index}` }, noMatches(`p${index}`)]),
    );
    const noted = told.flatMap((word, index) => (word === "note" ? [index + 1] : []));
    const { wanderingNudge, wanderingAgain, wanderingStop } = LOOP_LIMITS;
    expect(noted).toEqual([
      wanderingNudge,
      wanderingNudge + wanderingAgain,
      wanderingNudge + 2 * wanderingAgain,
    ]);
    expect(told).toHaveLength(wanderingStop);
    expect(stop).toContain("nothing new");
  });

  test("that find the same lines in other words bring nothing new either", () => {
    const found = (index: number) => ok(`2 matching lines in 1 file for p${index}\na.ts (2)\n  1: x\n  2: y`);
    const { told } = play(repeated(9, (index) => ["search_code", { pattern: `p${index}` }, found(index)]));
    expect(told.indexOf("note")).toBe(LOOP_LIMITS.wanderingNudge);
  });

  test("that each show a new line, or stand between other calls, are free", () => {
    const found = (index: number) => ok(`1 matching line in 1 file for p\na.ts (1)\n  ${index}: x`);
    const searching = repeated(30, (index) => ["search_code", { pattern: `p${index}` }, found(index)]);
    const reading = repeated(30, (index) =>
      index % 4 === 3
        ? read(`f${index}`, `${index}`)
        : ["list_files", { path: `d${index}` }, ok(`d${index} is an empty folder.`)],
    );
    for (const steps of [searching, reading]) expect(new Set(play(steps).told)).toEqual(new Set(["fine"]));
  });
});

describe("failures", () => {
  test("of edits of one file end the turn at the fourth; of several files they do not", () => {
    const failing = (path: (index: number) => string) =>
      play(repeated(8, (index) => edit(path(index), `${index}`, failed(`old_text not found: ${index}`))));
    expect(failing(() => "a.ts").stop).toContain("4 edits of a.ts");
    expect(failing(() => "a.ts").told).toHaveLength(LOOP_LIMITS.failedEditStop);
    expect(failing((index) => `f${index}.ts`).stop).toBeUndefined();
  });

  test("of edits are forgotten once an edit succeeds", () => {
    const { stop } = play(
      repeated(20, (index) =>
        edit("a.ts", `${index}`, index % 3 === 2 ? edited(`Edited ${index}`) : failed(`no ${index}`)),
      ),
    );
    expect(stop).toBeUndefined();
  });

  test("of different commands in the same way, but for the time they took, are noted and end the turn", () => {
    const { told, stop } = play(
      repeated(6, (index) =>
        run(`npm test -- ${index}`, exit(1, `boom after ${index}.5 s at 10:0${index}:00`)),
      ),
    );
    expect(told).toEqual(["fine", "fine", "note", "stop"]);
    expect(stop).toContain(`failed ${LOOP_LIMITS.sameFailureStop} times`);
  });

  test("without a word, such as those of a search, are not the same", () => {
    expect(play(repeated(12, (index) => run(`grep p${index} a`, exit(1, "")))).stop).toBeUndefined();
  });

  test("of commands are forgotten when something may have been changed", () => {
    const { stop } = play(
      repeated(20, (index) =>
        index % 2 === 0
          ? run(`make t${index}`, exit(2, "boom"))
          : run(`make clean${index}`, exit(0, "", true)),
      ),
    );
    expect(stop).toBeUndefined();
  });
});

describe("calls that cannot be run", () => {
  test("for the same reason end the turn at the third, counted once a reply", () => {
    const guard = createLoopGuard();
    const times = Array.from({ length: 3 }, () => {
      guard.nextReply();
      guard.wrong("wrong arguments for write_file");
      return guard.wrong("wrong arguments for write_file");
    });
    expect(times.map(({ times }) => times)).toEqual([1, 2, 3]);
    expect(times.map(({ stop }) => stop !== undefined)).toEqual([false, false, true]);
    expect(guard.wrong("there is no such tool")).toEqual({ times: 1 });
  });
});

describe("a compaction", () => {
  test("begins every count anew, since what was cut may be read again", () => {
    const guard = createLoopGuard();
    const call = { tool: "read_file", args: { path: "a" } };
    for (let index = 0; index < 3; index++) {
      guard.nextReply();
      guard.after(call, ok("text"));
      guard.wrong("x");
    }
    guard.reset();
    expect(guard.before(call)).toBeUndefined();
    expect(guard.after(call, ok("text"))).toEqual({});
    expect(guard.wrong("x").times).toBe(1);
  });
});

test("what a compaction has cut may be read again in the same turn", async () => {
  let runs = 0;
  const get = tool("get", () => {
    runs++;
    return { status: "ok", output: "word ".repeat(2_000) };
  });
  const again = call("get", { path: "a" });
  const agent = await makeAgent({
    tools: [get],
    window: 8192,
    replies: scripted([again, again, nativeRefusal(9_000, 8_192), again, say("Done.")]),
  });
  expect(await agent.prompt("Read a.")).toMatchObject({ outcome: "done" });
  expect(agent.events.filter(({ type }) => type === "context-compacted")).toHaveLength(1);
  expect(runs).toBe(3);
  expect(agent.sent().at(-1)?.content).not.toContain("very call");
});
