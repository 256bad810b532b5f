import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { call, fail, say, think } from "../../src/demo/reply.js";
import type { Reply } from "../../src/demo/reply.js";
import { eventsOf, readEvents, readResult } from "../helpers/event-schema.js";
import { CLI_ENTRY } from "../helpers/run-cli.js";
import type { Environment } from "../helpers/run-cli.js";
import { askPlace, lastPrompt } from "./ask-setup.js";

const ESCAPE = "\x1b";
const ANSWER: Reply[] = [say("Four.")];

/** A turn with thinking, words between, a call that runs and one that is denied. */
const FULL_TURN: Reply[] = [
  think("Let me look.", call("read_file", { path: "notes.txt" }, { text: "I read the notes." })),
  call("run_command", { command: "touch marker" }),
  say("The notes say **hello**."),
];

/** Without the variables that are undefined. */
function clean(env: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

describe("the prompt", () => {
  it("may be several words; the answer alone is on standard output", async () => {
    const { ask, server } = await askPlace({ replies: ANSWER });
    const { code, stdout, stderr } = await ask(["what", "is", "two plus two?"]);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "Four.\n", stderr: "" });
    expect(lastPrompt(server)).toBe("what is two plus two?");
  });

  it("may come from standard input alone, with and without a dash", async () => {
    const { ask, server } = await askPlace({ replies: [...ANSWER, ...ANSWER] });
    for (const args of [[], ["-"]]) {
      expect(await ask(args, { stdin: "what is\ntwo plus two?\n" })).toMatchObject({
        code: 0,
        stdout: "Four.\n",
      });
      expect(lastPrompt(server)).toBe("what is\ntwo plus two?");
    }
  });

  it("gets what is piped in as context behind it", async () => {
    const { ask, server } = await askPlace({ replies: ANSWER });
    expect(await ask(["review this"], { stdin: "+ one line\n" })).toMatchObject({ code: 0 });
    expect(lastPrompt(server)).toMatch(/^review this\n[^]*\+ one line$/);
  });

  it("with a dash waits for standard input without limit", async () => {
    const { place, server } = await askPlace({ replies: ANSWER });
    const running = place.start(["ask", "sum up", "-"], { silentStdin: true });
    await new Promise((resolve) => setTimeout(resolve, 1500));
    running.child.stdin!.end("late text");
    expect(await running.ended).toMatchObject({ code: 0, stdout: "Four.\n" });
    expect(lastPrompt(server)).toMatch(/^sum up\n[^]*late text$/);
  });

  it("does not wait for a standard input that is open and silent, and says so", async () => {
    const { ask, server } = await askPlace({ replies: ANSWER });
    const { code, stdout, stderr } = await ask(["hello"], { silentStdin: true });
    expect({ code, stdout }).toEqual({ code: 0, stdout: "Four.\n" });
    expect(stderr).toMatch(/standard input/);
    expect(lastPrompt(server)).toBe("hello");
  });

  it("waits for the end of an input that has begun in time", async () => {
    const { place, server } = await askPlace({ replies: ANSWER });
    const running = place.start(["ask", "sum up"], { silentStdin: true });
    running.child.stdin!.write("first ");
    await new Promise((resolve) => setTimeout(resolve, 2000));
    running.child.stdin!.end("last");
    expect(await running.ended).toMatchObject({ code: 0, stdout: "Four.\n", stderr: "" });
    expect(lastPrompt(server)).toMatch(/first last$/);
  });

  it.each([
    ["the null device", {}],
    ["an empty pipe", { stdin: "" }],
    ["blanks", { stdin: " \n\t\n" }],
  ])("missing, with %s as standard input, is a usage mistake", async (_name, options) => {
    const { ask, server } = await askPlace({ replies: ANSWER });
    for (const args of [[], ["-"], [""], ["--output-format", "json"]]) {
      const { code, stdout, stderr } = await ask(args, options);
      expect({ code, stdout }, `ask ${args.join(" ")}`).toEqual({ code: 2, stdout: "" });
      expect(stderr).toMatch(/no prompt[^]*mini-cc ask/);
    }
    expect(server.chatBodies()).toEqual([]);
  });

  it.skipIf(process.platform === "win32")("runs with a closed standard input", async () => {
    const { place, server } = await askPlace({ replies: [] });
    const closed = (...args: string[]) =>
      spawnSync("sh", ["-c", 'exec "$@" <&-', "sh", process.execPath, CLI_ENTRY, "ask", ...args], {
        cwd: place.workspace,
        env: clean({ ...place.env, OLLAMA_HOST: "127.0.0.1:1" }),
        encoding: "utf8",
      });
    expect(closed()).toMatchObject({ status: 2, stdout: "" });
    // It goes on to the server, which is not there.
    expect(closed("hello")).toMatchObject({ status: 3, stdout: "" });
    expect(server.requests).toEqual([]);
  });

  it.each([
    ["UTF-8 with a byte order mark", Buffer.from("\ufeffsum up: 四\n"), "sum up: 四", ""],
    ["UTF-16 as PowerShell writes it", Buffer.from("\ufeffsum up: 四\r\n", "utf16le"), "sum up: 四", ""],
    ["bytes that are no UTF-8", Buffer.from("sum up: caf\xe9!", "latin1"), "sum up: caf\ufffd!", "UTF-8"],
  ])("reads %s", async (_name, stdin, expected, notice) => {
    const { ask, server } = await askPlace({ replies: ANSWER });
    const { code, stdout, stderr } = await ask([], { stdin });
    expect({ code, stdout }).toEqual({ code: 0, stdout: "Four.\n" });
    expect(lastPrompt(server)).toBe(expected);
    if (notice === "") expect(stderr).toBe("");
    else expect(stderr).toContain(notice);
  });

  it("of many kilobytes arrives whole", async () => {
    const { ask, server } = await askPlace({ replies: ANSWER });
    const stdin = "one two three\n".repeat(1_000);
    expect(await ask(["sum up"], { stdin })).toMatchObject({ code: 0 });
    expect(lastPrompt(server)).toContain(stdin.trimEnd());
  });

  it("that no window holds is told with the next step, and nothing of it is cut without a word", async () => {
    const { ask } = await askPlace({ replies: ANSWER });
    const stdin = "0123456789abcde\n".repeat(32_768);
    const { code, stdout, stderr } = await ask(["sum up"], { stdin });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/context|window/);
    expect(stderr).toMatch(/--num-ctx|shorter|less/);
  });
});

describe("the output formats", () => {
  it("text prints the last answer on standard output, and what happened on standard error", async () => {
    const { ask, place } = await askPlace({ replies: FULL_TURN });
    place.file("notes.txt", "hello");
    const { code, stdout, stderr } = await ask(["what do the notes say?"]);
    expect({ code, stdout }).toEqual({ code: 4, stdout: "The notes say **hello**.\n" });
    expect(stderr).toContain("touch marker");
    expect(stderr).toContain("--allow");
  });

  it("stream-json prints events and nothing else, one JSON object a line", async () => {
    const thinker = { name: "scripted", capabilities: ["completion", "tools", "thinking"] };
    const { ask, place } = await askPlace({ models: [thinker], replies: FULL_TURN });
    place.file("notes.txt", "hello");
    const { code, stdout } = await ask(["read", "--output-format", "stream-json", "--think", "on"]);
    expect(code).toBe(4);
    const events = readEvents(stdout);
    expect(events[0]).toMatchObject({
      type: "session",
      model: "scripted:latest",
      cwd: place.workspace,
      version: "0.1.0",
    });
    expect(eventsOf(events, "session")[0]!.contextWindow).toBeGreaterThan(0);
    expect(eventsOf(events, "turn-start")).toEqual([{ type: "turn-start", prompt: "read" }]);
    expect(eventsOf(events, "model-start").map(({ step }) => step)).toEqual([1, 2, 3]);
    expect(eventsOf(events, "model-end").map(({ step }) => step)).toEqual([1, 2, 3]);
    const said = eventsOf(events, "text-delta").map(({ text }) => text);
    expect(said.join("")).toBe("I read the notes.The notes say **hello**.");
    const thought = eventsOf(events, "thinking-delta").map(({ text }) => text);
    expect(thought.join("")).toBe("Let me look.");
    expect(eventsOf(events, "tool-end").map(({ tool, status }) => [tool, status])).toEqual([
      ["read_file", "ok"],
      ["run_command", "denied"],
    ]);
    expect(events.at(-1)).toMatchObject({
      outcome: "done",
      text: "The notes say **hello**.",
      usage: { steps: 3 },
      denied: [{ tool: "run_command" }],
    });
    const replies = eventsOf(events, "model-end").map(({ usage }) => usage);
    const sum = (key: "promptTokens" | "outputTokens") => replies.reduce((all, one) => all + one[key], 0);
    expect(events.at(-1)).toMatchObject({
      usage: { promptTokens: sum("promptTokens"), outputTokens: sum("outputTokens") },
    });
  });

  it("stream-json prints events while the model still writes", async () => {
    const { place, server } = await askPlace({ replies: [say("one two three", { stallAfter: 2 })] });
    const running = place.start(["ask", "count", "--output-format", "stream-json"]);
    await running.waitForOutput(/"text-delta"[^]*one/);
    await server.waitFor(({ openRequests }) => openRequests === 1);
    running.kill("SIGINT");
    expect(await running.ended).toMatchObject({ code: 130 });
  });

  it("json prints one object with the fields of session and turn-end", async () => {
    const { ask, place } = await askPlace({ replies: FULL_TURN });
    place.file("notes.txt", "hello");
    const { code, stdout } = await ask(["read", "--output-format=json"]);
    expect(code).toBe(4);
    expect(stdout.trimEnd().split("\n")).toHaveLength(1);
    expect(readResult(stdout)).toMatchObject({
      model: "scripted:latest",
      cwd: place.workspace,
      outcome: "done",
      text: "The notes say **hello**.",
      changedFiles: [],
      commands: [],
      denied: [{ tool: "run_command" }],
    });
  });

  it("json tells a server failure in the same shape", async () => {
    const { ask } = await askPlace({ replies: [fail(500, "llama runner process has terminated")] });
    for (const host of [undefined, "127.0.0.1:1"]) {
      const { code, stdout } = await ask(["hi", "--output-format", "json"], {
        ...(host !== undefined && { env: { OLLAMA_HOST: host } }),
      });
      expect(code).toBe(host === undefined ? 1 : 3);
      const { outcome, error } = readResult(stdout);
      expect(outcome).toBe("failed");
      expect(error?.hint).toMatch(/\w/);
    }
  });

  it.each([
    ["the value", ["--output-format", "xml"], "--output-format", /text, json,? (or )?stream-json/],
    ["the value of the mode", ["--permission-mode", "yolo"], "--permission-mode", /accept-edits/],
    ["a number", ["--max-steps", "many"], "--max-steps", /whole number/],
    ["the language", ["--lang", "fr"], "--lang", /en, zh/],
  ])("a wrong flag names %s that it takes, on standard error alone", async (_name, flag, names, takes) => {
    const { ask, server } = await askPlace({ replies: ANSWER });
    for (const format of flag.includes("--output-format") ? [[]] : [[], ["--output-format", "json"]]) {
      const { code, stdout, stderr } = await ask(["hi", ...flag, ...format]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toContain(names);
      expect(stderr).toContain(flag[1]);
      expect(stderr).toMatch(takes);
    }
    expect(server.requests).toEqual([]);
  });
});

describe("the streams", () => {
  it.each([
    ["by default", {}, []],
    ["with NO_COLOR", { NO_COLOR: "1" }, []],
    ["with --no-color", {}, ["--no-color"]],
    ["with FORCE_COLOR", { FORCE_COLOR: "3", COLORTERM: "truecolor", TERM: "xterm-256color" }, []],
    ["in CI", { CI: "true", GITHUB_ACTIONS: "true" }, []],
  ])("carry no escape byte into a pipe %s", async (_name, env, flags) => {
    const { ask, place } = await askPlace({ replies: (_request, index) => FULL_TURN[index % 3]! });
    place.file("notes.txt", "hello");
    for (const format of ["text", "json", "stream-json"]) {
      const { stdout, stderr } = await ask(["read", "--output-format", format, ...flags], { env });
      expect(stdout).not.toBe("");
      expect(stdout + stderr).not.toContain(ESCAPE);
    }
    const mistake = await ask(["read", "--no-such-flag"], { env });
    expect(mistake).toMatchObject({ code: 2, stdout: "" });
    expect(mistake.stderr).not.toContain(ESCAPE);
  });

  it("--quiet leaves standard error to warnings, denials and errors", async () => {
    const { ask, place } = await askPlace({
      replies: [
        call("write_file", { path: "a.txt", content: "a\n" }),
        say("Done."),
        call("run_command", { command: "touch marker" }),
        say("I could not."),
      ],
    });
    const quiet = await ask(["write", "-q", "--permission-mode", "accept-edits"]);
    expect(quiet).toMatchObject({ code: 0, stdout: "Done.\n", stderr: "" });
    expect(place.text("a.txt")).toBe("a\n");
    const denied = await ask(["touch", "--quiet"]);
    expect(denied).toMatchObject({ code: 4, stdout: "I could not.\n" });
    expect(denied.stderr).toContain("touch marker");
    const failed = await ask(["hi", "-q", "--host", "127.0.0.1:1"]);
    expect(failed).toMatchObject({ code: 3, stdout: "" });
    expect(failed.stderr).toContain("ollama serve");
  });

  it.skipIf(!existsSync("/dev/full"))("an answer that could not be written is no success", async () => {
    for (const format of ["text", "json"]) {
      const { place } = await askPlace({ replies: ANSWER });
      const { env } = place;
      const line = `exec "$0" "$@" > /dev/full`;
      const args = ["-c", line, process.execPath, CLI_ENTRY, "ask", "hi", "--output-format", format];
      const child = spawn("sh", args, {
        cwd: place.workspace,
        env: clean(env),
        stdio: ["ignore", "ignore", "pipe"],
      });
      const [stderr] = await Promise.all([text(child.stderr), once(child, "close")]);
      expect(stderr, format).toMatch(/ENOSPC|no space/);
      expect(child.exitCode, format).toBe(1);
    }
  });

  it("a reader that goes away early is no error", async () => {
    const { place } = await askPlace({ replies: [say("word ".repeat(200_000), { chunksPerWrite: 5000 })] });
    const running = place.start(["ask", "write", "--output-format", "stream-json"]);
    await running.waitForOutput("text-delta");
    running.child.stdout!.destroy();
    const { code, stderr } = await running.ended;
    expect(stderr).not.toMatch(/EPIPE|cancelled|\n\s+at /);
    expect(code).toBe(0);
  });
});
