import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LOOP_LIMITS } from "../../src/agent/loop-limits.js";
import type { ChatRequest } from "../../src/demo/chat-request.js";
import { call, say } from "../../src/demo/reply.js";
import type { Reply } from "../../src/demo/reply.js";
import { eventsOf, readEvents } from "../helpers/event-schema.js";
import { askPlace } from "./ask-setup.js";

const EVENTS = ["--output-format", "stream-json"];
const FLAGS = [
  "--permission-mode",
  "accept-edits",
  "--allow",
  "node check.cjs",
  "--allow",
  "echo",
  "--allow",
  "touch",
];
const FILES = { "a.txt": "alpha\n", "b.txt": "beta\n", "c.txt": "gamma\n", "d.txt": "delta\n" };
/** Notes each of its runs; fails. */
const CHECK =
  'require("fs").appendFileSync("runs.log", "run\\n");\nconsole.error("boom");\nprocess.exit(3);\n';

interface LoopCase {
  name: string;
  /** What the model calls, by the number of the request, as long as it may. */
  calls: (index: number) => Reply;
  /** Requests with calls until the turn is ended; then comes one for words. */
  rounds: number;
  /** What the user reads on standard error. */
  told: RegExp;
  /** What the model was told before, in a result. */
  nudged: RegExp;
  notices: readonly string[];
  /** Runs of the check. */
  runs?: number;
}

const read = (path: string, more: object = {}) => call("read_file", { path, ...more });
const edit = (path: string, old_text: string, new_text: string) =>
  call("edit_file", { path, old_text, new_text });
const check = (rest = "") => call("run_command", { command: `node check.cjs${rest}` });
const { identicalStop, wanderingStop, failedEditStop, sameFailureStop } = LOOP_LIMITS;

const CIRCLES: readonly LoopCase[] = [
  {
    name: "the same command, which is run twice and then not again",
    calls: () => check(),
    rounds: identicalStop,
    runs: 2,
    told: /run_command was made 4 times with the same result/,
    nudged: /Not run again: this is the result of the same call before\. Use it/,
    notices: ["reflection", "reflection-cost"],
  },
  {
    name: "the same successful command",
    calls: () => call("run_command", { command: "echo x" }),
    rounds: identicalStop,
    told: /the same call of run_command was made 4 times/,
    nudged: /already made this very call/,
    notices: ["loop-repeat"],
  },
  {
    name: "the same call with its keys in another order",
    calls: (index) =>
      call(
        "read_file",
        index % 2 === 0 ? { path: "a.txt", start_line: 1 } : { start_line: 1, path: "a.txt" },
      ),
    rounds: identicalStop,
    told: /the same call of read_file/,
    nudged: /already made this very call/,
    notices: ["loop-repeat"],
  },
  {
    name: "an edit that is there already",
    calls: () => edit("a.txt", "alpha", "the last letter"),
    rounds: identicalStop + 1,
    told: /the same call of edit_file/,
    nudged: /new_text is in a\.txt already/,
    notices: ["loop-repeat"],
  },
  {
    name: "a file that is written again and again",
    calls: () => call("write_file", { path: "new.txt", content: "new\n" }),
    rounds: identicalStop + 1,
    told: /the same call of write_file/,
    nudged: /exactly this content already/,
    notices: ["loop-repeat"],
  },
  ...[2, 3, 4].map((period): LoopCase => {
    const paths = Object.keys(FILES).slice(0, period);
    return {
      name: `the same ${period} steps in turn`,
      calls: (index) => read(paths[index % period] ?? ""),
      rounds: 3 * period + 1,
      told: new RegExp(`same (${period} steps|call of read_file)`),
      nudged: /You go round in circles: read_file, read_file.*3 times with the same results/,
      notices: [...Array<string>(period).fill("loop-repeat"), "loop-cycle"],
    };
  }),
  {
    name: "two edits that undo each other",
    calls: (index) =>
      index % 2 === 0 ? edit("a.txt", "alpha", "the last letter") : edit("a.txt", "the last letter", "alpha"),
    rounds: 8,
    told: /the same 2 steps came round/,
    nudged: /You go round in circles: edit_file, edit_file, 3 times/,
    notices: ["loop-cycle", "loop-cycle"],
  },
  {
    name: "searches that find nothing",
    calls: (index) => call("search_code", { pattern: `nowhere${index}` }),
    rounds: wanderingStop,
    told: /16 searches in a row brought nothing new/,
    nudged: /The last searches brought nothing new/,
    notices: ["loop-wandering", "loop-wandering", "loop-wandering"],
  },
  {
    name: "edits of one file that fail",
    calls: (index) => edit("a.txt", `nowhere ${index}`, "x"),
    rounds: failedEditStop,
    told: /4 edits of a\.txt failed in a row/,
    nudged: /third edit of the file that fails/,
    notices: ["reflection", "reflection-cost"],
  },
  {
    name: "different commands that fail in the same way",
    calls: (index) => check(` ${index}`),
    rounds: sameFailureStop,
    runs: sameFailureStop,
    told: /failed 4 times in the same way, with nothing changed in between/,
    nudged: /It fails in the same way as before\. Change something first/,
    notices: ["reflection", "reflection-cost", "loop-same-failure"],
  },
];

async function play(replies: (request: ChatRequest, index: number) => Reply, config: object = {}) {
  const { ask, place, server } = await askPlace({ replies });
  for (const [path, text] of Object.entries({ ...FILES, "check.cjs": CHECK })) place.file(path, text);
  place.userConfig(config);
  const { code, stdout, stderr } = await ask(["Fix the project.", ...FLAGS, ...EVENTS]);
  const events = readEvents(stdout);
  const results = (server.chatBodies().at(-1)?.messages ?? []).flatMap(({ role, content }) =>
    role === "tool" ? [content] : [],
  );
  const runs = () => {
    try {
      return readFileSync(join(place.workspace, "runs.log"), "utf8").trim().split("\n").length;
    } catch {
      return 0; // It never ran.
    }
  };
  return { code, stderr, events, results, runs, end: eventsOf(events, "turn-end")[0]!, server };
}

describe("a model that goes round in circles is nudged, and then stopped with the reason", () => {
  it.each(CIRCLES)("$name", async ({ calls, rounds, told, nudged, notices, runs: expectedRuns }) => {
    const { code, stderr, events, results, runs, end, server } = await play((_, index) =>
      index < rounds ? calls(index) : say("I am stuck."),
    );
    expect({ code, outcome: end.outcome, text: end.text }).toEqual({
      code: 5,
      outcome: "limit",
      text: "I am stuck.",
    });
    expect(end.error).toMatchObject({ code: "loop", message: expect.stringMatching(told) as string });
    expect(stderr).toMatch(told);
    expect(server.chatBodies()).toHaveLength(rounds + 1);
    expect(results.join("\n")).toMatch(nudged);
    expect(results.at(-1)).toMatch(/Stop here: .* Do not call a tool\./);
    expect(eventsOf(events, "notice").map((notice) => notice.code)).toEqual(notices);
    for (const result of results) expect((result.match(/\n\n\[/g) ?? []).length).toBeLessThanOrEqual(1);
    if (expectedRuns !== undefined) expect(runs()).toBe(expectedRuns);
  });
});

describe("a model that makes progress is left alone", () => {
  const PROGRESS: [string, number, (index: number) => Reply][] = [
    ["reading other files", 20, (index) => read(`f${index}.txt`)],
    [
      "reading other ranges",
      20,
      (index) => read("long.txt", { start_line: index * 10 + 1, end_line: index * 10 + 10 }),
    ],
    [
      "a test that is run after each edit, though it fails in the same way",
      12,
      (index) => (index % 2 === 0 ? edit("count.txt", `${index}`, `${index + 2}`) : check()),
    ],
    [
      "a test that is run after commands that change something",
      8,
      (index) => (index % 2 === 0 ? call("run_command", { command: `touch new${index}` }) : check()),
    ],
  ];
  it.each(PROGRESS)("%s", async (_, rounds, calls) => {
    const { ask, place, server } = await askPlace({
      replies: (_request, index) => (index < rounds ? calls(index) : say("It is done.")),
    });
    const long = Array.from({ length: 300 }, (_line, index) => `line ${index}`).join("\n");
    const others = Object.fromEntries(
      Array.from({ length: 20 }, (_file, index) => [`f${index}.txt`, `${index}\n`]),
    );
    const files = { ...others, "long.txt": long, "count.txt": "0\n", "check.cjs": CHECK };
    for (const [path, text] of Object.entries(files)) place.file(path, text);
    place.userConfig({ reflection: false });
    const { code, stdout } = await ask(["Fix the project.", ...FLAGS, ...EVENTS]);
    const events = readEvents(stdout);
    expect(events.at(-1)).toMatchObject({ outcome: "done", text: "It is done." });
    expect(code).toBe(0);
    expect(eventsOf(events, "notice")).toEqual([]);
    expect(server.chatBodies()).toHaveLength(rounds + 1);
    const results = server
      .chatBodies()
      .at(-1)!
      .messages.filter(({ role }) => role === "tool");
    for (const { content } of results) expect(content).not.toMatch(/Not run|again|circles/);
  });
});

describe("the counts", () => {
  it("begin anew with each message of the user", async () => {
    const { ask, place } = await askPlace({
      replies: ({ messages }) => (messages.at(-1)?.role === "user" ? read("a.txt") : say("alpha")),
    });
    place.file("a.txt", "alpha\n");
    for (let turn = 0; turn < 5; turn++) {
      const { code, stdout } = await ask([...(turn === 0 ? [] : ["-c"]), "What is in a.txt?", ...EVENTS]);
      expect(code).toBe(0);
      expect(eventsOf(readEvents(stdout), "notice")).toEqual([]);
    }
  });
});
