import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { say } from "../../src/demo/reply.js";
import { createPlace } from "../helpers/run-cli.js";
import type { CliPlace } from "../helpers/run-cli.js";
import { scriptedOllama } from "../helpers/scripted-ollama.js";
import { shellInTerminal } from "../helpers/terminal.js";
import { allCommands } from "./all-commands.js";
import { end, reply, saveSession, user } from "./saved-sessions.js";

/** How each shell is started without the user's own files, and what makes it know the completion. */
const SHELLS = [
  {
    name: "bash",
    argv: ["bash", "--norc", "--noprofile", "-i"],
    setUp: "source <(mini-cc completion bash)",
  },
  {
    name: "zsh",
    argv: ["zsh", "-f", "-i"],
    setUp: "autoload -U compinit; compinit -D -u; source <(mini-cc completion zsh)",
  },
  {
    name: "fish",
    argv: ["fish", "--no-config", "--private", "-i"],
    setUp: "function fish_prompt; echo -n '$ '; end; mini-cc completion fish | source",
  },
] as const;

const isInstalled = (shell: string) => spawnSync(shell, ["--version"]).status === 0;

async function completionPlace(): Promise<{ place: CliPlace; id: string }> {
  const server = await scriptedOllama({
    models: [{ name: "qwen3:8b" }, { name: "gemma4:12b" }],
    replies: () => say("Hello."),
  });
  const place = createPlace({ OLLAMA_HOST: server.url });
  mkdirSync(join(place.workspace, "odd folder/deep"), { recursive: true });
  mkdirSync(join(place.workspace, "even"));
  place.file("evening.txt", "");
  const id = saveSession(place, [user("mend the parser"), reply("Yes."), end]);
  return { place, id };
}

describe.each(SHELLS)("completion in $name", ({ name, argv, setUp }) => {
  it.skipIf(!isInstalled(name))(
    "completes commands, flags, values, models, sessions and folders",
    async () => {
      const { place, id } = await completionPlace();
      const shell = shellInTerminal(place, {}, argv);
      shell.type(`${setUp}; echo re''ady\r`);
      await shell.waitFor(/\nready/);
      for (const [typed, completed] of [
        ["mini-cc perm", "mini-cc permissions "],
        ["mini-cc sessions exp", "mini-cc sessions export "],
        ["mini-cc ask --permission-mode acc", "mini-cc ask --permission-mode accept-edits "],
        ["mini-cc ask hello --output-format=str", "mini-cc ask hello --output-format=stream-json "],
        ["mini-cc -m qwen3:8", "mini-cc -m qwen3:8b "],
        ["mini-cc --model=gem", "mini-cc --model=gemma4:12b "],
        ["mini-cc models show qw", "mini-cc models show qwen3:8b "],
        [`mini-cc -r ${id.slice(0, 6)}`, `mini-cc -r ${id} `],
        ["mini-cc help scr", "mini-cc help scripts "],
        ["mini-cc -C ev", "mini-cc -C even/"],
      ] as const) {
        shell.type(`${typed}\t`);
        // What follows stands directly behind it.
        await shell.waitFor((text) => text.replaceAll("\n", "").includes(completed.trimEnd()));
        shell.type("x");
        await shell.waitFor((text) => text.replaceAll("\n", "").trimEnd().endsWith(`${completed}x`));
        shell.type("\x15");
        await shell.waitFor((text) => !text.trimEnd().endsWith("x"));
      }
    },
  );
});

describe("mini-cc complete", () => {
  const COMMANDS = allCommands();
  const complete = async (place: CliPlace, ...words: string[]) => {
    const { code, stdout, stderr } = await place.run(["complete", "--", ...words]);
    expect({ words, code, stderr }).toEqual({ words, code: 0, stderr: "" });
    return stdout.split("\n").flatMap((line) => line.split("\t")[0] || []);
  };

  it(
    "knows every command and flag that the help shows, and what completes each value",
    { timeout: 180_000 },
    async () => {
      const place = createPlace({ OLLAMA_HOST: "127.0.0.1:1" });
      for (const { words, help, isGroup } of COMMANDS) {
        const flags = await complete(place, ...words, "--");
        const shown = help.match(/^ {2}(-\w, )?--[a-z-]+/gm)?.map((line) => line.replace(/^.*--/, "--"));
        expect(flags, words.join(" ")).toEqual(expect.arrayContaining(shown ?? []));
        const parts = COMMANDS.filter((one) => one.words.slice(0, -1).join(" ") === words.join(" "));
        const next = await complete(place, ...words, "");
        if (isGroup)
          expect(next).toEqual(expect.arrayContaining(parts.slice(1).map((one) => one.words.at(-1)!)));
      }
      const taking = COMMANDS.flatMap(({ words, help }) =>
        [...help.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+) [<[]/gm)].map(([, flag]) => [...words, flag!]),
      );
      const own = new Map(taking.map((words) => [words.at(-1)!, words]));
      expect(own.size).toBeGreaterThan(15);
      for (const words of own.values()) await complete(place, ...words, "");
    },
  );

  it.each([
    ["names no file of its own for a folder or a file", ["-C", ""], [":folders"]],
    ["takes what follows a flag as its value, also a name", ["-m", "models", "tru"], ["trust"]],
    ["offers flags behind --resume, which may stand alone", ["--resume", "--forc"], []],
    ["offers flags behind --resume, by their beginning", ["--resume", "--for"], ["--fork"]],
    ["offers the flags of the part that a group means", ["models", "--js"], ["--json"]],
    ["offers nothing behind --", ["ask", "--", "--mod"], []],
    ["is not confused by a language that is being typed", ["--lang", "z"], ["zh"]],
    ["says nothing where the server is away", ["-m", ""], []],
    ["says nothing where the folder is away", ["-C", "nowhere", "-r", ""], []],
  ])("%s", async (_name, words, expected) => {
    expect(await complete(createPlace({ OLLAMA_HOST: "127.0.0.1:1" }), ...words)).toEqual(expected);
  });

  it("asks the server and the folder that the line names", async () => {
    const { place, id } = await completionPlace();
    const elsewhere = { OLLAMA_HOST: "127.0.0.1:1" };
    const { stdout } = await place.run(["complete", "--", "--host", place.env["OLLAMA_HOST"]!, "-m", ""], {
      env: elsewhere,
    });
    expect(stdout.trim().split("\n").toSorted()).toEqual(["gemma4:12b", "qwen3:8b"]);
    const fromAbove = await place.run(["complete", "--", "-C", place.workspace, "-r", ""], {
      cwd: place.home,
    });
    expect(fromAbove.stdout).toBe(`${id}\tmend the parser\n`);
  });
});

it("mini-cc completion names the shells that there are", async () => {
  const { code, stdout, stderr } = await createPlace().run(["completion", "tcsh"]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain("bash, zsh, fish");
});
