import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { call, fail, say, silence } from "../../src/demo/reply.js";
import type { Reply } from "../../src/demo/reply.js";
import { readResult } from "../helpers/event-schema.js";
import { CLI_ENTRY } from "../helpers/run-cli.js";
import { askPlace } from "./ask-setup.js";

const ALWAYS_CALLS = () => call("list_files", { path: "." });

describe("the exit code", () => {
  const CAUSES: [number, string, { replies?: Reply[] | (() => Reply); args?: string[] }][] = [
    [0, "the turn ended by itself", { replies: [say("Done.")] }],
    [1, "the server failed", { replies: [fail(500, "something broke")] }],
    [2, "a flag is wrong", { args: ["--think", "hard"] }],
    [3, "there is no such model", { args: ["--model", "nowhere"] }],
    [4, "nobody could be asked", { replies: [call("run_command", { command: "touch x" }), say("No.")] }],
    [5, "a limit was reached", { replies: ALWAYS_CALLS, args: ["--max-steps", "2"] }],
  ];
  it.each(CAUSES)("is %i when %s", async (expected, _cause, { replies = [], args = [] }) => {
    const { ask } = await askPlace({ replies });
    expect(await ask(["go", ...args])).toMatchObject({ code: expected, signal: null });
  });

  it("is 130 when the turn is cancelled", async () => {
    const { place, server } = await askPlace({ replies: [silence()] });
    const running = place.start(["ask", "go"]);
    await server.waitFor(() => server.chatBodies().length === 1);
    running.kill("SIGINT");
    expect(await running.ended).toMatchObject({ code: 130, signal: null, stdout: "" });
  });
});

describe("a limit", () => {
  it("ends with a last request for words, in which the tools are the same and a call is not run", async () => {
    const { ask, server, place } = await askPlace({
      replies: (_request, index) =>
        index < 3
          ? call("run_command", { command: `node add.mjs ${index}` })
          : say("This is how far I came."),
    });
    place.file(
      "add.mjs",
      'import { appendFileSync } from "node:fs"; appendFileSync("log", process.argv[2]);',
    );
    const { code, stdout, stderr } = await ask(["go", "--max-steps", "2", "--allow", "node add.mjs"]);
    expect({ code, stdout }).toEqual({ code: 5, stdout: "This is how far I came.\n" });
    expect(stderr).toMatch(/limit/);
    expect(place.text("log")).toBe("01");
    const bodies = server.chatBodies();
    expect(bodies).toHaveLength(4);
    // The third asks for words and still offers the tools; only after another call are they left out.
    expect(bodies[2]!.tools).toEqual(bodies[0]!.tools);
    expect(bodies[2]!.messages.at(-1)!.content).toContain("limit of 2 steps");
    expect(bodies[3]!.tools).toBeUndefined();
  });

  it("is told in JSON, also when the model never answers in words", async () => {
    const { ask, server } = await askPlace({ replies: ALWAYS_CALLS });
    const { code, stdout } = await ask(["go", "--max-steps", "2", "--output-format", "json"]);
    expect(code).toBe(5);
    expect(readResult(stdout)).toMatchObject({ outcome: "limit", commands: [] });
    expect(server.chatBodies()).toHaveLength(4);
  });

  it.each([
    ["tool calls", { toolCalls: 1 }],
    ["tokens", { tokens: 1 }],
  ])("of %s comes from the configuration", async (_name, limits) => {
    const { ask, place, server } = await askPlace({ replies: [ALWAYS_CALLS(), say("So far.")] });
    place.userConfig({ limits });
    expect(await ask(["go"])).toMatchObject({ code: 5, stdout: "So far.\n" });
    expect(server.chatBodies()).toHaveLength(2);
  });
});

describe("a mistake of usage", () => {
  it.each([
    [["aks", "hello"], "aks", '"ask"'],
    [["permisions"], "permisions", '"permissions"'],
    [["config", "shw"], "shw", '"show"'],
    [["permissions", "chekc", "ls"], "chekc", '"check"'],
    [["ask", "hello", "--modle", "x"], "--modle", '"--model"'],
    [["ask", "hello", "--output-fromat", "json"], "--output-fromat", '"--output-format"'],
    [["--permision-mode", "plan"], "--permision-mode", '"--permission-mode"'],
  ])("%j is told with the nearest suggestion", async (args, given, suggestion) => {
    const { place, server } = await askPlace({});
    const { code, stdout, stderr } = await place.run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(given);
    expect(stderr).toContain(suggestion);
    expect(stderr).toContain("--help");
    expect(server.requests).toEqual([]);
  });

  it("as a flag without its value, or an argument too few, is told", async () => {
    const { place } = await askPlace({});
    for (const args of [
      ["ask", "hi", "--model"],
      ["permissions", "check"],
      ["trust", "--revok"],
    ]) {
      const { code, stdout, stderr } = await place.run(args);
      expect({ code, stdout }, args.join(" ")).toEqual({ code: 2, stdout: "" });
      expect(stderr).toMatch(/^mini-cc: .+\n.*--help/);
    }
  });

  it.skipIf(process.platform === "win32")("as a current folder that was deleted is told", async () => {
    const { place } = await askPlace({});
    place.file("gone/keep", "");
    const script = 'cd gone && rm -r ../gone && exec "$0" "$@"';
    const { status, stdout, stderr } = spawnSync(
      "sh",
      ["-c", script, process.execPath, CLI_ENTRY, "ask", "hi"],
      {
        cwd: place.workspace,
        env: { ...process.env, HOME: place.home, MINI_CC_HOME: place.state },
        stdio: ["ignore", "pipe", "pipe"],
        encoding: "utf8",
      },
    );
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it("as a folder that is not there is told", async () => {
    const { ask, server } = await askPlace({});
    const { code, stdout, stderr } = await ask(["hi", "-C", "nowhere"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("nowhere");
    expect(server.requests).toEqual([]);
  });
});

describe("a mistake in a configuration file", () => {
  const MISTAKES: [string, string, string, RegExp][] = [
    ["broken JSON", '{\n  "model": "a",\n  oops\n}\n', ":3:3", /not valid JSON/],
    ["a value of the wrong kind", '{\n  "maxSteps": "many"\n}\n', ":2:15", /maxSteps.*whole number/],
    ["a value deep inside", '{ "ollama": {\n    "numCtx": 12.5 } }', ":2:15", /ollama\.numCtx/],
    ["a list with a wrong entry", '{ "allowedCommands": ["ls", 7] }', ":1:29", /allowedCommands\.1/],
    ["no object", "[]", ":1:1", /object/],
    ["nothing", "", ":1:1", /not valid JSON/],
  ];
  it.each(MISTAKES)(
    "%s: line, column and key are told, and nothing is done",
    async (_name, text, at, says) => {
      const { ask, place, server } = await askPlace({});
      const projectFile = place.file(".mini-cc.json", text);
      for (const format of ["text", "json", "stream-json"]) {
        const { code, stdout, stderr } = await ask(["hi", "--output-format", format]);
        expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
        expect(stderr).toContain(projectFile + at);
        expect(stderr).toMatch(says);
        expect(stderr).not.toMatch(/^\s+at /m);
      }
      expect(readFileSync(projectFile, "utf8")).toBe(text);
      expect(server.requests).toEqual([]);
    },
  );

  it("of the user stops every command that needs the configuration", async () => {
    const { place, server } = await askPlace({});
    const path = place.userConfig({ permissionMode: "yolo" });
    for (const args of [["ask", "hi"], ["config"], ["permissions"], ["permissions", "check", "ls"]]) {
      const { code, stdout, stderr } = await place.run(args);
      expect({ code, stdout }, args.join(" ")).toEqual({ code: 2, stdout: "" });
      expect(stderr).toContain(`${path}:1:`);
      expect(stderr).toMatch(/permissionMode.*accept-edits/);
    }
    expect(server.requests).toEqual([]);
  });

  it("an unknown key is a warning with the nearest valid one, and the run goes on", async () => {
    const { ask, place } = await askPlace({ replies: [say("Hi.")] });
    place.file(".mini-cc.json", '{\n  // a comment\n  "maxStep": 5,\n}\n');
    const { code, stdout, stderr } = await ask(["hi"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "Hi.\n" });
    expect(stderr).toMatch(/\.mini-cc\.json:3:3.*maxStep.*maxSteps/);
  });

  it("an entry that is no plain prefix is left out with a warning", async () => {
    const { ask, place } = await askPlace({ replies: [say("Hi."), say("Hi.")] });
    place.userConfig({ allowedCommands: ["ls && pwd"] });
    const { code, stderr } = await ask(["hi", "--allow", "echo $HOME"]);
    expect(code).toBe(0);
    expect(stderr).toContain("ls && pwd");
    expect(stderr).toContain("echo $HOME");
  });
});
