import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { topics as english } from "../../src/cli/messages/topics-en.js";
import { topics as chinese } from "../../src/cli/messages/topics-zh.js";
import { widthOf } from "../../src/cli/render/terminal.js";
import { keepRules } from "../../src/config/kept-rules.js";
import { say } from "../../src/demo/reply.js";
import type { CliPlace } from "../helpers/run-cli.js";
import { createPlace } from "../helpers/run-cli.js";
import { runInTerminal } from "../helpers/terminal.js";
import { allCommands, pathWithCommand } from "./all-commands.js";
import { askPlace } from "./ask-setup.js";
import { end, reply, saveSession, user } from "./saved-sessions.js";

const COMMANDS = allCommands();

/** Examples that cannot end with 0 in a test, and why. */
const REFUSED = [
  [/^mini-cc( chat)?( --model \S+)?( --continue)?$/, /needs a terminal/],
  [/^mini-cc sessions delete \S+$/, /--yes/],
] as const;

/** A project in which every example has what it speaks of. */
async function placeForExamples(words: readonly string[]): Promise<{ place: CliPlace; id: string }> {
  const capabilities = ["completion", "tools"];
  const { place } = await askPlace({
    models: [
      { name: "qwen3:8b", capabilities },
      { name: "qwen3.5:9b", capabilities },
      { name: "qwen2.5-coder:7b", capabilities },
    ],
    replies: () => say("Done."),
  });
  mkdirSync(join(place.workspace, "../other-project"));
  if (words[0] !== "init") place.file(".mini-cc.json", '{ "allowedCommands": ["npm test"] }');
  await keepRules(place.state, place.workspace, ["npm test"]);
  // One of them looks at what git tells.
  spawnSync("git", ["init", "--quiet"], { cwd: place.workspace });
  const id = saveSession(place, [user("retry limit 连接"), reply("Yes."), end]);
  return { place, id };
}

describe("the help of every command", () => {
  it("is there for all of them, also below the groups", () => {
    const names = COMMANDS.map(({ words }) => words.join(" "));
    expect(names).toEqual(expect.arrayContaining(["", "ask", "sessions export", "config schema", "help"]));
  });

  it.each(COMMANDS)("of mini-cc $words has two examples of its own that work", async (command) => {
    const { words, examples } = command;
    expect(new Set(examples).size).toBe(2);
    const name = ["mini-cc", ...words].join(" ");
    expect(examples.some((example) => new RegExp(`\\b${name}\\b`).test(example))).toBe(true);
    for (const example of examples) {
      const { place, id } = await placeForExamples(words);
      const line = example.replace(/\b20260304(-05)?\b/, id);
      const child = spawn("bash", ["-o", "pipefail", "-c", line], {
        cwd: place.workspace,
        env: { ...place.env, PATH: pathWithCommand(place) },
        stdio: ["ignore", "pipe", "pipe"],
        timeout: 20_000,
      });
      const closed = once(child, "close");
      const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
      await closed;
      const status = child.exitCode;
      const refusal = REFUSED.find(([pattern]) => pattern.test(line))?.[1];
      expect(stderr, line).toMatch(refusal ?? /^/);
      expect({ line, status, stderr }).toEqual({ line, status: refusal ? 2 : 0, stderr });
      if (refusal) expect(stdout).toBe("");
    }
  });
});

describe("mini-cc help", () => {
  it("lists topics and commands, as --help does", async () => {
    const place = createPlace();
    const help = await place.run(["help"]);
    expect(help).toEqual(await place.run(["--help"]));
    for (const topic of Object.keys(english))
      expect(help.stdout).toMatch(new RegExp(`^ {2}${topic} +\\w`, "m"));
    expect(help.stdout).toContain("Topics (mini-cc help TOPIC)");
  });

  it.each(Object.keys(english) as (keyof typeof english)[])("tells %s in both languages", async (topic) => {
    const place = createPlace();
    for (const [language, texts] of [
      ["en", english],
      ["zh", chinese],
    ] as const) {
      const { code, stdout, stderr } = await place.run(["help", topic, "--lang", language]);
      expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: texts[topic].trimStart(), stderr: "" });
    }
  });

  it("shows a command's help with its examples, for commands of groups too", async () => {
    const place = createPlace();
    for (const { words } of COMMANDS) {
      // A topic of the same name goes first.
      if (words.length === 1 && Object.hasOwn(english, words[0]!)) continue;
      expect(await place.run(["help", ...words]), words.join(" ")).toEqual(
        await place.run([...words, "--help"]),
      );
    }
  });

  it.each([
    [["permision"], "permissions"],
    [["scrpts"], "scripts"],
    [["doktor"], "doctor"],
    [["sessions", "exprt"], "export"],
  ])("proposes what is nearest to %j", async (words, nearest) => {
    const { code, stdout, stderr } = await createPlace().run(["help", ...words]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(`Did you mean "${nearest}"?`);
    expect(stderr).toContain("mini-cc help lists topics and commands");
  });

  it("needs neither a home nor a sound configuration", async () => {
    const place = createPlace();
    place.file(".mini-cc.json", "oops");
    const env = { HOME: undefined, MINI_CC_HOME: undefined };
    expect(await place.run(["help", "models"], { env })).toMatchObject({ code: 0, stderr: "" });
  });

  it("goes through a pager on a terminal", async () => {
    const terminal = runInTerminal(createPlace(), ["help", "sessions"], { env: { PAGER: "sed 's/^/| /'" } });
    expect((await terminal.ended).code).toBe(0);
    expect(terminal.text()).toContain("| GOING ON, FINDING, KEEPING");
  });
});

describe("the topics", () => {
  const all = Object.entries({ english, chinese }).flatMap(([language, texts]) =>
    Object.entries(texts).map(([topic, content]) => ({ language, topic, content })),
  );

  it.each(all)("$topic in $language fit a terminal of 80 cells", ({ content }) => {
    expect(content.split("\n").filter((line) => widthOf(line) > 80)).toEqual([]);
  });

  it.each(all)("$topic in $language name only commands and flags that there are", ({ content }) => {
    const known = new Set(COMMANDS.flatMap(({ help }) => help.match(/--[a-z-]+/g) ?? []));
    expect((content.match(/--[a-z][a-z-]*/g) ?? []).filter((flag) => !known.has(flag))).toEqual([]);
    const names = new Set(COMMANDS.map(({ words }) => words.join(" ")));
    const named = [...content.matchAll(/mini-cc ([a-z]+)(?: ([a-z]+)\b)?/g)].map(([, name, part]) => {
      const isPart = COMMANDS.some(({ words, isGroup }) => isGroup && words.join(" ") === name);
      return isPart && part !== undefined ? `${name!} ${part}` : name!;
    });
    expect(named.filter((name) => !names.has(name))).toEqual([]);
  });
});
