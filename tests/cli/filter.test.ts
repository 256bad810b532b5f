import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { keepRules } from "../../src/config/kept-rules.js";
import { say } from "../../src/demo/reply.js";
import { readResult } from "../helpers/event-schema.js";
import { CLI_ENTRY } from "../helpers/run-cli.js";
import type { CliPlace, Environment } from "../helpers/run-cli.js";
import { allCommands } from "./all-commands.js";
import { askPlace } from "./ask-setup.js";
import { end, reply, saveSession, user } from "./saved-sessions.js";

/** Every command as a script would run it, and how it ends; ID stands for a saved session. */
const TABLE: readonly (readonly [words: string, rest?: readonly string[], code?: number])[] = [
  ["", [], 2],
  ["chat", [], 2],
  ["ask", ["hi"]],
  ["ask", ["hi", "--output-format", "json"]],
  ["ask", ["hi", "--output-format", "stream-json"]],
  ["demo"],
  ["doctor", ["--no-load"]],
  ["models list", ["--json"]],
  ["models pull", ["scripted"]],
  ["models show", ["scripted"]],
  ["sessions list", ["--all"]],
  ["sessions show", ["ID"]],
  ["sessions search", ["parser"]],
  ["sessions export", ["ID"]],
  ["sessions delete", ["ID", "--yes"]],
  ["permissions list", ["--json"]],
  ["permissions check", ["npm test"]],
  ["permissions remove", ["npm test"]],
  ["config show"],
  ["config path"],
  ["config schema"],
  ["trust"],
  ["init"],
  ["help"],
  ["help", ["scripts"]],
  ["schema", ["json"]],
  ["completion", ["bash"]],
];

const RUNS = TABLE.map(([words, rest = [], code = 0]) => ({
  words,
  rest,
  code,
  line: ["mini-cc", words, ...rest].join(" "),
}));

const ESCAPE = "\x1b";
const STACK = /\n\s+at /;

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A folder in which each of the commands has something to tell, and what runs one of them in a shell's line. */
async function project(words: string, rest: readonly string[]) {
  const { place } = await askPlace({
    models: [{ name: "scripted", capabilities: ["completion", "tools"] }],
    replies: () => say("Four."),
  });
  if (words !== "init") place.file(".mini-cc.json", '{ "allowedCommands": ["npm test"] }');
  await keepRules(place.state, place.workspace, ["npm test"]);
  const id = saveSession(place, [user("mend the parser"), reply("Yes."), end]);
  const args = [...words.split(" ").filter(Boolean), ...rest].map((word) => (word === "ID" ? id : word));
  return { args, run: (line: string, env: Environment = {}) => runLine(place, line, { args, env }) };
}

/** Runs a line of bash in which "$@" is mini-cc. */
async function runLine(
  place: CliPlace,
  line: string,
  { args, env }: { args: readonly string[]; env: Environment },
): Promise<Ended> {
  const given = Object.entries({ ...place.env, ...env }).filter(([, value]) => value !== undefined);
  const child = spawn("bash", ["-c", line, "bash", process.execPath, CLI_ENTRY, ...args], {
    cwd: place.workspace,
    env: Object.fromEntries(given),
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 40_000,
  });
  const closed = once(child, "close");
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  await closed;
  return { code: child.exitCode, stdout, stderr };
}

it("the table names every command", () => {
  // A group alone means one of its commands.
  const single = allCommands().filter(({ words, isGroup }) => !isGroup || words.length === 0);
  expect(new Set(RUNS.map(({ words }) => words))).toEqual(
    new Set(single.map(({ words }) => words.join(" "))),
  );
});

describe.each(RUNS)("$line", ({ words, rest, code }) => {
  const runIn = async (line: string, env?: Environment) => (await project(words, rest)).run(line, env);

  it("in a pipe sends no escape byte whatever the environment says, and nothing after a usage mistake", async () => {
    const environments = [
      { NO_COLOR: "1", TERM: "dumb" },
      { FORCE_COLOR: "3", COLORTERM: "truecolor", TERM: "xterm-256color" },
    ];
    for (const ended of await Promise.all(environments.map((env) => runIn('"$@"', env)))) {
      expect(ended).toMatchObject({ code });
      expect(ended.stdout + ended.stderr).not.toContain(ESCAPE);
      expect(ended.stdout === "").toBe(code === 2);
    }
    const mistake = await runIn('"$@" --no-such-flag');
    expect(mistake).toMatchObject({ code: 2, stdout: "" });
    expect(mistake.stderr).toContain("--no-such-flag");
    expect(mistake.stderr).not.toContain(ESCAPE);
  });

  it("is quiet about a reader that goes away, and about a standard output that is closed", async () => {
    const lines = ['"$@" | head -c 1; exit ${PIPESTATUS[0]}', '"$@" >&-'];
    for (const ended of await Promise.all(lines.map((one) => runIn(one)))) {
      expect(ended).toMatchObject({ code });
      expect(ended.stderr).not.toMatch(/EPIPE|EBADF/);
      expect(ended.stderr).not.toMatch(STACK);
    }
  });

  it.skipIf(!existsSync("/dev/full"))("calls it no success if its output could not be written", async () => {
    const ended = await runIn('"$@" >/dev/full');
    expect(ended.code).toBe(code === 0 ? 1 : code);
    expect(ended.stderr).not.toMatch(STACK);
    if (code === 0) expect(ended.stderr).toMatch(/could not be written/);
  });

  it("without a home does what needs none, and else names the variable that gives one", async () => {
    const ended = await runIn('"$@"', { HOME: "", MINI_CC_HOME: undefined });
    expect(ended.stderr).not.toMatch(STACK);
    expect([code, 2]).toContain(ended.code);
    if (ended.code === code) return;
    // The report of doctor is its output; all else is silent there after such a mistake.
    expect(words === "doctor" ? ended.stdout : ended.stderr).toContain("MINI_CC_HOME");
    if (words !== "doctor") expect(ended.stdout).toBe("");
  });

  it("with a home that cannot be written to does its work, or says what could not be kept", async () => {
    const ended = await runIn('"$@"', { HOME: "/dev/null/home", MINI_CC_HOME: undefined });
    expect(ended.stderr).not.toMatch(STACK);
    if (ended.code === 2 && words !== "doctor") expect(ended.stdout).toBe("");
    if (ended.code !== code) {
      // What is saved elsewhere is not there, and what is to be kept cannot be.
      expect(ended.stdout + ended.stderr).toMatch(/there is no session|no kept rule|\/dev\/null\/home/);
    }
    if (words === "ask") expect(ended).toMatchObject({ code: 0 });
  });
});

describe("a session in a script", () => {
  it("goes on with -c, and with -r and the id of the json", async () => {
    const { ask, server } = await askPlace({ replies: (_request, index) => say(`Answer ${index + 1}.`) });
    const first = readResult((await ask(["one", "--output-format", "json"])).stdout);
    const other = readResult((await ask(["other", "--output-format", "json"])).stdout);
    expect(other.id).not.toBe(first.id);
    const asked = () =>
      server
        .chatBodies()
        .at(-1)!
        .messages.filter(({ role }) => role === "user")
        .map(({ content }) => content);

    expect(await ask(["-r", first.id, "two"])).toMatchObject({ code: 0, stdout: "Answer 3.\n" });
    expect(asked()).toEqual(["one", "two"]);
    const latest = readResult((await ask(["-c", "three", "--output-format", "json"])).stdout);
    expect(latest.id).toBe(first.id);
    expect(asked()).toEqual(["one", "two", "three"]);
  });
});
