import { execFileSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { environmentForCommands } from "../../src/permissions/command-environment.js";
import { handOperated } from "../../src/tools/hand-operated.js";
import { createWorkspace } from "./workspace.js";
import type { Workspace } from "./workspace.js";

/** A workspace whose commands get the environment that they get from mini-cc, with programs of the test before others. */
function place(programs: Record<string, string> = {}): Workspace {
  const workspace = createWorkspace({
    environment: (root) =>
      environmentForCommands({ PATH: `${join(root, "bin")}:${process.env["PATH"] ?? ""}`, HOME: root }),
  });
  for (const [name, script] of Object.entries(programs)) {
    chmodSync(workspace.file(`bin/${name}`, `#!/bin/sh\n${script}\n`), 0o755);
  }
  return workspace;
}

const PASSWORD =
  "[It wants a password, and nobody can type one here. Do without, or tell the user to run it.]";
const NO_TERMINAL =
  "[There is no terminal and no keyboard here. Use options that need none (-y, --yes, --no-interaction), or another program.]";
const NO_ANSWER =
  "[It asked a question, and nobody can answer here. Give the answer as an option (such as --yes), or pipe it in.]";

/** Less than a time limit, which would end them too. */
const QUICK = { timeout: 100 };

describe("a program that wants a person ends at once", () => {
  it.each([
    { command: "read -p 'ok? ' x; echo got:$x", output: /^exit code 0\ngot:$/ },
    { command: "cat", output: /^exit code 0, no output$/ },
    { command: "tty", output: /^exit code 1\nnot a tty\n\[There is no terminal/ },
    { command: "(: </dev/tty) 2>&1", output: /^exit code 1\n.*\/dev\/tty.*\n\[There is no terminal/ },
    { command: "stty -echo", output: /^exit code 1\nstty: .*\n\[There is no terminal/ },
    { command: "less /etc/hostname", output: /^exit code 0\n/ },
    { command: "ssh -o ConnectTimeout=1 nobody@127.0.0.1 -p 1", output: /^exit code 255\n/ },
  ])("$command", async ({ command, output }) => {
    const result = await place().run("run_command", { command, ...QUICK });
    expect(result.output).toMatch(output);
  });

  it.each([
    {
      title: "sudo that asks on the terminal",
      script:
        'printf "[sudo] password: " >/dev/tty || { echo "sudo: a terminal is required to read the password" >&2; exit 1; }',
      hint: PASSWORD,
    },
    {
      title: "an installer that asks and gets no answer",
      script: 'printf "Proceed? [y/N] "; read -r answer || { echo Aborted.; exit 1; }',
      hint: NO_ANSWER,
    },
    {
      title: "a program that draws on a terminal",
      script: '[ -t 0 ] || { echo "standard input is not a terminal" >&2; exit 2; }',
      hint: NO_TERMINAL,
    },
  ])("$title, with a hint", async ({ script, hint }) => {
    const result = await place({ asks: script }).run("run_command", { command: "asks", ...QUICK });
    expect(result.output.split("\n").at(-1)).toBe(hint);
    expect(result.command?.exitCode).toBeGreaterThan(0);
  });

  it("npm init, with the defaults", async () => {
    const workspace = place();
    const result = await workspace.run("run_command", { command: "npm init", ...QUICK });
    expect(result.command).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(workspace.text("package.json"))).toMatchObject({ version: "1.0.0" });
  }, 60_000);

  it("an interactive rebase, with the history as it was; a commit without a message, with a hint", async () => {
    const workspace = place();
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.org", ...args], {
        cwd: workspace.root,
        encoding: "utf8",
      });
    git("init", "--quiet");
    for (const name of ["one", "two", "three"]) git("commit", "--quiet", "--allow-empty", "-m", name);
    const before = git("rev-parse", "HEAD");
    const rebase = await workspace.run("run_command", {
      command: "git -c user.name=T -c user.email=t@example.org rebase -i HEAD~2",
      ...QUICK,
    });
    expect(rebase.command?.exitCode).toBe(1);
    expect(rebase.output).toContain("editor 'false'");
    expect(git("rev-parse", "HEAD")).toBe(before);
    const commit = await workspace.run("run_command", {
      command: "git -c user.name=T -c user.email=t@example.org commit --allow-empty",
      ...QUICK,
    });
    expect(commit.command?.exitCode).toBe(1);
    expect(commit.output).toMatch(/\n\[There is no editor here\. Give the text as an option.*\]$/);
    expect(git("rev-parse", "HEAD")).toBe(before);
  });
});

describe("an editor", () => {
  it("is not started", async () => {
    expect(await place().run("run_command", { command: "cd src && vi main.c" })).toEqual({
      status: "error",
      output: "Not run.\nvi is operated by hand, and there is no terminal here. Use edit_file or write_file.",
    });
  });

  it.each([
    ["vim -es -c '%s/a/b/' -c wq file", undefined],
    ["nvim --headless +qa", undefined],
    ["emacs --batch -l build.el", undefined],
    ["vim --version", undefined],
    ["echo vi", undefined],
    ["git log --grep=vim", undefined],
    ["EDITOR=vi git commit -m x", undefined],
    ["/usr/bin/nano notes.txt", "nano"],
    ["make || vim Makefile", "vim"],
  ])("is told from one that works by itself: %s", (command, program) => {
    expect(handOperated(command)?.split(" ")[0]).toBe(program);
  });
});
