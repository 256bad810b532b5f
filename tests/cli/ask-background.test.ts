import { execFileSync } from "node:child_process";
import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, calls, say } from "../../src/demo/reply.js";
import type { MessageReply } from "../../src/demo/reply.js";
import type { ScriptedOllama } from "../../src/demo/scripted-ollama.js";
import { expectValidConversation } from "../agent/setup.js";
import { readResult } from "../helpers/event-schema.js";
import { eventually, onLinux, processesWith, uniqueSleep } from "../helpers/processes.js";
import { askPlace } from "./ask-setup.js";

const run = (command: string, more: Record<string, unknown> = {}): MessageReply =>
  call("run_command", { command, ...more });
const start = (command: string): MessageReply => run(command, { background: true });

const FREELY = ["--permission-mode", "bypass"];
const AS_JSON = [...FREELY, "--output-format", "json"];

/** A place without a sandbox, so that processes have the ids of the machine. */
async function place(replies: MessageReply[]) {
  const made = await askPlace({ replies });
  made.place.userConfig({ sandbox: "off" });
  return made;
}

const sent = (server: ScriptedOllama) => server.chatBodies().at(-1)?.messages ?? [];
const results = (server: ScriptedOllama) =>
  sent(server).flatMap(({ role, content }) => (role === "tool" ? [content] : []));

describe("the evidence of a turn", () => {
  onLinux("states that a command runs in the background; it ends with mini-cc", async () => {
    const seconds = uniqueSleep();
    const command = `echo up; sleep ${seconds}`;
    const { ask } = await place([start(command), say("It runs.")]);
    const { stdout, code } = await ask(["serve", ...AS_JSON]);
    expect(code).toBe(0);
    expect(readResult(stdout).commands).toEqual([
      { command, exitCode: null, background: "c1", state: "running" },
    ]);
    expect(processesWith(seconds)).toEqual([]);
  });

  it("states how one ended that has ended meanwhile, and that a pipeline failed", async () => {
    const command = "echo up; sleep 1; exit 3";
    const { ask, server } = await place([
      start(command),
      run("sleep 2"),
      run("false | true"),
      say("It failed."),
    ]);
    const { stdout } = await ask(["serve", ...AS_JSON]);
    expect(readResult(stdout).commands).toEqual([
      { command, exitCode: 3, background: "c1", state: "exited" },
      { command: "sleep 2", exitCode: 0 },
      { command: "false | true", exitCode: 0, pipeline: [1, 0] },
    ]);
    // The model was told once, with the next result.
    expect(results(server)[1]).toBe(
      `exit code 0, no output\n\n[The background command c1 (${command}) has ended: exit code 3. command_output with id "c1" gives its last output.]`,
    );
    expect(results(server)[2]).not.toContain("c1");
  });

  it("says in the text summary what runs, and what ended how", async () => {
    const { ask } = await place([
      start("echo up; sleep 500"),
      start("echo on; sleep 500"),
      call("command_output", { id: "c2", action: "stop" }),
      run("sh -c 'exit 4' | cat"),
      say("Done."),
    ]);
    const { stderr } = await ask(["serve", ...FREELY]);
    expect(stderr).toContain(
      [
        "in the background c1: echo up; sleep 500 (running)",
        "in the background c2: echo on; sleep 500 (stopped)",
        "ran sh -c 'exit 4' | cat (exit code 0) · exit codes in the pipeline: 4, 0",
      ].join("\n"),
    );
  });
});

describe("a background command of an earlier run", () => {
  it("is told as ended in the next message, once, and its id is not given again", async () => {
    const { ask, server } = await place([
      start("echo up; sleep 500"),
      say("It runs."),
      call("command_output", { id: "c1", action: "read" }),
      say("It is gone."),
      start("echo again; sleep 500"),
      say("It runs again."),
    ]);
    await ask(["serve", ...AS_JSON]);
    const second = await ask(["-c", "does it run?", ...AS_JSON]);
    const users = () => sent(server).flatMap(({ role, content }) => (role === "user" ? [content] : []));
    expect(users().at(-1)).toBe(
      "does it run?\n\n[The background command c1 (echo up; sleep 500) ended when mini-cc was ended.]",
    );
    expect(results(server).at(-1)).toBe(
      "c1 lost: mini-cc was ended meanwhile, and the command with it\nno new output",
    );
    expect(readResult(second.stdout).commands).toEqual([
      { command: "echo up; sleep 500", exitCode: null, background: "c1", state: "lost" },
    ]);

    const third = await ask(["-c", "start it again", ...AS_JSON]);
    expect(users().at(-1)).toBe("start it again");
    expect(results(server).at(-1)).toContain("running in the background as c2.");
    expect(readResult(third.stdout).commands).toMatchObject([{ background: "c2", state: "running" }]);
    expectValidConversation(sent(server));

    const texts = server.requests.filter(({ path }) => path === "/api/chat").map(({ text }) => text);
    texts.slice(1).forEach((text, index) => {
      const before = texts[index]?.slice(0, -2) ?? "";
      expect(text.startsWith(before), `request ${index + 2} begins with request ${index + 1}`).toBe(true);
    });
  });
});

describe("when mini-cc is killed", () => {
  onLinux("its commands end too, in the background and in front, whatever they ignore", async () => {
    const seconds = uniqueSleep();
    const stubborn = `trap '' TERM; sleep ${seconds}; sleep ${seconds}`;
    const { place: home } = await place([start(`echo up; ${stubborn}`), run(stubborn), say("Never said.")]);
    const running = home.start(["ask", "serve", ...FREELY]);
    const sleepers = () => processesWith(`sleep ${seconds}`).filter((line) => line.startsWith("sleep"));
    await eventually(() => sleepers().length === 2);
    expect(sleepers()).toHaveLength(2);
    running.kill("SIGKILL");
    await running.ended;
    await eventually(() => sleepers().length === 0);
    expect(sleepers()).toEqual([]);
  });
});

describe("the calls of one reply", () => {
  it("run together if they read: two lists overlap", async () => {
    const { ask, place: home } = await place([
      calls(call("list_files", { path: "a" }), call("list_files", { path: "b" })),
      say("Two folders."),
    ]);
    for (const path of ["a/one.txt", "b/two.txt"]) home.file(path, "x");
    home.file("calls/.gitkeep", "");
    const folder = `${home.workspace}/calls`;
    // A git that waits until another one runs beside it, at most 10 s.
    const git = home.file(
      "bin/git",
      `#!/bin/sh
touch "${folder}/$$"
tries=0
while [ "$(ls "${folder}" | wc -l)" -lt 2 ] && [ $tries -lt 200 ]; do sleep 0.05; tries=$((tries + 1)); done
[ $tries -lt 200 ] && echo together >>"${home.home}/met" || echo alone >>"${home.home}/met"
PATH="${process.env["PATH"] ?? ""}" exec git "$@"
`,
    );
    chmodSync(git, 0o755);
    execFileSync("git", ["init", "--quiet"], { cwd: home.workspace });
    const result = await ask(["look", ...AS_JSON], {
      env: { PATH: `${home.workspace}/bin:${process.env["PATH"] ?? ""}` },
    });
    expect(result.code).toBe(0);
    expect(readFileSync(join(home.home, "met"), "utf8").split("\n")[0]).toBe("together");
  });

  it("run one after another if they change: two edits of one file both land", async () => {
    const {
      ask,
      place: home,
      server,
    } = await place([
      call("read_file", { path: "a.txt" }),
      calls(
        call("edit_file", { path: "a.txt", old_text: "one", new_text: "ONE" }),
        call("edit_file", { path: "a.txt", old_text: "three", new_text: "THREE" }),
        call("read_file", { path: "a.txt" }),
      ),
      say("Both."),
    ]);
    home.file("a.txt", "one\ntwo\nthree\n");
    const { stdout } = await ask(["edit", ...AS_JSON]);
    expect(home.text("a.txt")).toBe("ONE\ntwo\nTHREE\n");
    expect(results(server).at(-1)).toContain("ONE\ntwo\nTHREE");
    expect(readResult(stdout).changedFiles).toEqual(["a.txt"]);
  });
});
