import { existsSync, mkdirSync, readFileSync, readdirSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createPlace } from "../helpers/run-cli.js";
import { scriptedOllama } from "../helpers/scripted-ollama.js";
import { commandsIn } from "./all-commands.js";

/** A home that nobody knows, as in a bare container. */
const NO_HOME = { HOME: undefined, MINI_CC_HOME: undefined, XDG_CONFIG_HOME: undefined, USER: undefined };

describe("--version and --help", () => {
  it("print on standard output and need neither a home nor a sound configuration", async () => {
    const place = createPlace();
    place.userConfig({ maxSteps: "many" });
    place.file(".mini-cc.json", "oops");
    for (const env of [{}, NO_HOME]) {
      for (const flag of ["--version", "-V"]) {
        expect(await place.run([flag], { env })).toMatchObject({ code: 0, stdout: "0.1.0\n", stderr: "" });
      }
      for (const flag of ["--help", "-h"]) {
        const { code, stdout, stderr } = await place.run([flag], { env });
        expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
        expect(stdout).toContain("Ollama");
      }
    }
  });

  it("name every flag of the contract", async () => {
    const { stdout } = await createPlace().run(["ask", "--help"]);
    const flags =
      "-m, --model|--host|-C, --cwd|--num-ctx|--think|--permission-mode|--allow|-c, --continue|-r, --resume|" +
      "--max-steps|--max-tool-calls|--max-minutes|--max-tokens|--protocol|--lang|--no-color|--debug|--output-format|-q, --quiet";
    for (const flag of flags.split("|")) expect(stdout).toContain(flag);
  });

  it("say nothing of commands that are not there", async () => {
    const place = createPlace();
    const { stdout } = await place.run(["--help"]);
    for (const name of commandsIn(stdout)) {
      expect((await place.run([name, "--no-such-flag"])).stderr, name).not.toContain("unknown command");
    }
  });
});

describe("without a terminal", () => {
  it.each([[[]], [["chat"]], [["--continue"]], [["--model", "x"]]])(
    "an interactive session is refused at once: %j",
    async (args) => {
      const place = createPlace({ OLLAMA_HOST: "127.0.0.1:1" });
      for (const options of [{}, { stdin: "hello\n" }, { silentStdin: true }]) {
        const { code, stdout, stderr } = await place.run(args, options);
        expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
        expect(stderr).toContain("mini-cc ask");
      }
    },
  );

  it("it is refused before the server, and before a broken configuration is told", async () => {
    const server = await scriptedOllama();
    const place = createPlace({ OLLAMA_HOST: server.url });
    expect(await place.run([])).toMatchObject({ code: 2 });
    expect(server.requests).toEqual([]);
  });
});

describe("arguments that a command does not take", () => {
  it.each([
    [["init", "somewhere"]],
    [["demo", "fast"]],
    [["chat", "hello"]],
    [["trust", "revoke"]],
    [["config", "shw"]],
    [["permissions", "lst"]],
    // Without quotes only "git" would be judged.
    [["permissions", "check", "git", "push"]],
  ])("are a usage mistake and nothing is done: %j", async (args) => {
    const place = createPlace();
    const { code, stdout, stderr } = await place.run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^mini-cc: /);
    expect(readdirSync(place.workspace)).toEqual([]);
  });
});

describe("config", () => {
  it("show tells every value with its origin, flag over environment over project over user over default", async () => {
    const place = createPlace({ MINI_CC_MODEL: "by-environment" });
    const user = place.userConfig({ maxSteps: 7, language: "en", ollama: { numCtx: 4096 } });
    const project = place.file(".mini-cc.json", '{ "ollama": { "keepAlive": "5m" }, "maxSteps": 9 }');
    for (const args of [["config"], ["config", "show"]]) {
      const { code, stdout, stderr } = await place.run([...args, "--num-ctx", "8192"]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      const line = (key: string) => stdout.split("\n").find((text) => text.startsWith(`${key} `));
      expect(line("model")).toMatch(/"by-environment".*MINI_CC_MODEL/);
      expect(line("maxSteps")).toMatch(/ 9 /);
      expect(line("maxSteps")).toContain(project);
      expect(line("language")).toContain(user);
      expect(line("ollama.numCtx")).toMatch(/8192.*--num-ctx/);
      expect(line("ollama.keepAlive")).toMatch(/"5m".*\.mini-cc\.json/);
      expect(line("permissionMode")).toMatch(/"default".*default/);
    }
  });

  it("path tells the files that were read, and nothing if there are none", async () => {
    const place = createPlace();
    expect(await place.run(["config", "path"])).toMatchObject({ code: 0 });
    const user = place.userConfig({});
    const project = place.file(".mini-cc.json", "{}");
    const { code, stdout } = await place.run(["config", "path"]);
    expect(code).toBe(0);
    expect(stdout.trimEnd().split("\n").toSorted()).toEqual([user, project].toSorted());
  });

  it("path finds the project file above, up to the repository's root", async () => {
    const place = createPlace();
    const project = place.file(".mini-cc.json", "{}");
    place.file(".git/HEAD", "ref: refs/heads/main\n");
    place.file("packages/a/b.txt", "");
    const { stdout } = await place.run(["config", "path", "-C", "packages/a"]);
    expect(stdout).toBe(`${project}\n`);
  });

  it("schema prints a JSON Schema that knows every key, without a home", async () => {
    const { code, stdout } = await createPlace().run(["config", "schema"], { env: NO_HOME });
    expect(code).toBe(0);
    const schema = JSON.parse(stdout) as { properties: Record<string, { properties?: object }> };
    const keys =
      "$schema model allowedCommands deniedCommands permissionMode maxSteps language sandbox autoCompact warmStart " +
      "reflection protocol limits ollama";
    expect(Object.keys(schema.properties)).toEqual(expect.arrayContaining(keys.split(" ")));
    const ollama =
      "host numCtx numPredict keepAlive think temperature firstTokenTimeout idleTimeout unloadOnExit";
    expect(Object.keys(schema.properties["ollama"]!.properties!)).toEqual(
      expect.arrayContaining(ollama.split(" ")),
    );
  });

  it("without a home names the variable that gives one", async () => {
    const { code, stdout, stderr } = await createPlace().run(["config"], {
      env: { ...NO_HOME, HOME: "relative" },
    });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("MINI_CC_HOME");
  });
});

describe("init", () => {
  it("writes a file that config reads without a warning and that widens nothing", async () => {
    const place = createPlace();
    const { code, stdout } = await place.run(["init"]);
    expect(code).toBe(0);
    expect(stdout).toContain(join(place.workspace, ".mini-cc.json"));
    const shown = await place.run(["config"]);
    expect(shown).toMatchObject({ code: 0, stderr: "" });
    expect(shown.stdout).toContain(".mini-cc.json");
    expect(shown.stdout).not.toContain("mini-cc trust");
  });

  it("never overwrites what is there, not even a link", async () => {
    const place = createPlace();
    const path = place.file(".mini-cc.json", "mine");
    const { code, stdout, stderr } = await place.run(["init"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(path);
    expect(readFileSync(path, "utf8")).toBe("mine");
  });

  it("writes into the folder that --cwd names", async () => {
    const place = createPlace();
    mkdirSync(join(place.workspace, "sub"));
    expect(await place.run(["init", "--cwd", "sub"])).toMatchObject({ code: 0 });
    expect(readdirSync(place.workspace)).toEqual(["sub"]);
    expect(readdirSync(join(place.workspace, "sub"))).toEqual([".mini-cc.json"]);
  });
});

describe("trust", () => {
  it("shows what it gives, and is bound to the content", async () => {
    const place = createPlace();
    place.file(".mini-cc.json", '{ "allowedCommands": ["npm test"] }');
    const check = async () => {
      const { stdout } = await place.run(["permissions", "check", "npm test", "--json"]);
      return (JSON.parse(stdout) as { verdict: string }).verdict;
    };
    expect(await check()).toBe("ask");
    const { code, stdout } = await place.run(["trust"]);
    expect(code).toBe(0);
    expect(stdout).toContain("npm test");
    expect(await check()).toBe("allow");
    place.file(".mini-cc.json", '{ "allowedCommands": ["npm test", "rm"] }');
    expect(await check()).toBe("ask");
    expect(await place.run(["trust"])).toMatchObject({ code: 0 });
    expect(await check()).toBe("allow");
    expect(await place.run(["trust", "--revoke"])).toMatchObject({ code: 0 });
    expect(await check()).toBe("ask");
    expect(await place.run(["trust", "--revoke"])).toMatchObject({ code: 0 });
  });

  it("goes to one folder: a copy of the file elsewhere is not trusted", async () => {
    const place = createPlace();
    const text = '{ "allowedCommands": ["npm test"] }';
    place.file("a/.mini-cc.json", text);
    place.file("b/.mini-cc.json", text);
    await place.run(["trust", "-C", "a"]);
    for (const [folder, verdict] of [
      ["a", "allow"],
      ["b", "ask"],
    ] as const) {
      const { stdout } = await place.run(["permissions", "check", "npm test", "--json", "-C", folder]);
      expect(JSON.parse(stdout)).toMatchObject({ verdict });
    }
  });

  it("without a project file is a usage mistake", async () => {
    const { code, stdout, stderr } = await createPlace().run(["trust"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(".mini-cc.json");
  });
});

describe("permissions", () => {
  const verdict = z.enum(["allow", "ask", "deny"]);
  const CHECKED = z.object({
    verdict,
    because: z.string().min(1),
    commands: z.array(z.object({ text: z.string(), verdict, because: z.string().min(1) })),
    rememberAs: z.array(z.string()),
  });

  it("list names the rules in force with their origin", async () => {
    const place = createPlace();
    const byDefault = await place.run(["permissions", "list"]);
    expect(byDefault).toMatchObject({ code: 0, stderr: "" });
    expect(byDefault.stdout).toMatch(/^ *git status +\(.*\)$/m);
    const project = place.file(
      ".mini-cc.json",
      '{ "allowedCommands": ["ls"], "deniedCommands": ["git push"] }',
    );
    const { code, stdout } = await place.run(["permissions", "--allow", "npm test"]);
    expect(code).toBe(0);
    expect(stdout).toContain(`ls  (${project})`);
    expect(stdout).toContain(`git push  (${project})`);
    expect(stdout).toContain("npm test  (--allow)");
    expect(stdout).not.toContain("git status");
  });

  it.each<[string, string, string[], z.infer<typeof verdict>]>([
    ["a read-only command", "git status -s", [], "allow"],
    ["one that only begins with the same letters", "git statusx", [], "ask"],
    ["one that no rule covers", "npm test", [], "ask"],
    ["one that --allow covers", "npm test", ["--allow", "npm test"], "allow"],
    ["one that the project denies", "git push --force", ["--allow", "git push"], "deny"],
    ["a line of two, one allowed", "ls && npm test", [], "ask"],
    ["a line of two, both allowed", "ls && npm test", ["--allow", "npm test"], "allow"],
    ["a line with a denied part", "ls; git push", [], "deny"],
    ["what cannot be read", "echo 'unfinished", [], "ask"],
    ["an empty line", "", [], "ask"],
    ["anything in bypass", "npm test", ["--permission-mode", "bypass"], "allow"],
    ["a change in plan", "touch a", ["--permission-mode", "plan", "--allow", "touch"], "deny"],
    ["a command that begins with a dash", "-rf", [], "ask"],
  ])("check judges %s", async (_name, command, flags, expected) => {
    const place = createPlace();
    place.userConfig({ deniedCommands: ["git push"] });
    const { code, stdout, stderr } = await place.run([
      "permissions",
      "check",
      "--json",
      ...flags,
      "--",
      command,
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.trimEnd().split("\n")).toHaveLength(1);
    const checked = CHECKED.parse(JSON.parse(stdout));
    expect(checked.verdict).toBe(expected);
    if (checked.verdict === "allow") expect(checked.rememberAs).toEqual([]);
    const inWords = await place.run(["permissions", "check", ...flags, "--", command]);
    expect(inWords).toMatchObject({ code: 0, stderr: "" });
    expect(inWords.stdout).toContain(command);
  });

  it("check names each simple command of a line and the rule that would be kept", async () => {
    const { stdout } = await createPlace().run([
      "permissions",
      "check",
      "cat a.txt | sort && npm test",
      "--json",
    ]);
    const checked = CHECKED.parse(JSON.parse(stdout));
    expect(checked.commands.map(({ text, verdict: one }) => [text, one])).toEqual([
      ["cat a.txt", "allow"],
      ["sort", "ask"],
      ["npm test", "ask"],
    ]);
    const single = await createPlace().run(["permissions", "check", "npm test", "--json"]);
    expect(CHECKED.parse(JSON.parse(single.stdout)).rememberAs).toContain("npm test");
  });

  it("check runs nothing and asks no server", async () => {
    const server = await scriptedOllama();
    const place = createPlace({ OLLAMA_HOST: server.url });
    for (const flags of [[], ["--permission-mode", "bypass"]]) {
      expect(await place.run(["permissions", "check", "touch marker", ...flags])).toMatchObject({ code: 0 });
    }
    expect(existsSync(join(place.workspace, "marker"))).toBe(false);
    expect(server.requests).toEqual([]);
  });
});

describe("demo", () => {
  it("needs nothing and heeds nothing: the scripted model mends a real project and leaves nothing behind", async () => {
    const decoy = await scriptedOllama();
    const place = createPlace();
    const temporary = join(place.home, "tmp");
    mkdirSync(temporary);
    place.userConfig({ model: "by-user", maxSteps: "broken", deniedCommands: ["node"] });
    place.file(".mini-cc.json", '{ "deniedCommands": ["node"], "permissionMode": "plan" oops');
    const env = {
      TMPDIR: temporary,
      MINI_CC_MODEL: "by-environment",
      OLLAMA_HOST: decoy.url,
      MINI_CC_DEBUG: "1",
      HTTP_PROXY: decoy.url,
    };
    for (const home of [{}, NO_HOME]) {
      const { code, stdout, stderr } = await place.run(["demo"], { env: { ...env, ...home } });
      expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: "" });
      expect(stdout).toMatch(/scripted/);
      expect(stdout).toMatch(/discount\.js/);
      expect(stdout).toMatch(/exit code 1[^]*exit code 0/);
      expect(stdout).not.toContain("\x1b");
      expect(readdirSync(temporary)).toEqual([]);
    }
    expect(decoy.requests).toEqual([]);
    expect(readdirSync(place.workspace)).toEqual([".mini-cc.json"]);
    expect(readdirSync(place.state)).toEqual(["config.json"]);
    expect(processesIn(temporary)).toEqual([]);
  });

  it("cancelled leaves nothing behind", async () => {
    const place = createPlace();
    const temporary = join(place.home, "tmp");
    mkdirSync(temporary);
    const running = place.start(["demo"], { env: { TMPDIR: temporary } });
    await running.waitForOutput("I start");
    running.kill("SIGINT");
    expect(await running.ended).toMatchObject({ code: 130 });
    expect(readdirSync(temporary)).toEqual([]);
    expect(processesIn(temporary)).toEqual([]);
  });

  it("says in Chinese too that the model is scripted", async () => {
    const { code, stdout } = await createPlace().run(["demo", "--lang", "zh"]);
    expect(code).toBe(0);
    expect(stdout.split("\n")[0]).toMatch(/\p{Script=Han}/u);
    // The model answers in the language of the task.
    expect(stdout).toMatch(/任务：这个项目.*已修好：现在测试通过/s);
  });
});

/** Processes that work in the folder or below. */
function processesIn(folder: string): string[] {
  if (!existsSync("/proc")) return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
      } catch {
        return false; // It has ended, or is somebody else's.
      }
    });
}

it("the built program can be run as it is", () => {
  const entry = new URL("../../dist/index.js", import.meta.url);
  expect(readFileSync(entry, "utf8")).toMatch(/^#!\/usr\/bin\/env node\n/);
  if (process.platform !== "win32") expect(statSync(entry).mode & 0o111).toBe(0o111);
});
