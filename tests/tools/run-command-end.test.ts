import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { describeEnd, endsInPipeline } from "../../src/tools/command-end.js";
import { createWorkspace } from "./workspace.js";

describe("run_command", () => {
  it.each([
    {
      command: "echo hello; echo problem >&2; echo bye",
      output: /^exit code 0\nhello\nproblem\nbye$/,
      exitCode: 0,
    },
    { command: "true", output: /^exit code 0, no output$/, exitCode: 0 },
    { command: "grep zzz /dev/null", output: /^exit code 1, no output$/, exitCode: 1 },
    { command: "diff /dev/null /etc/hostname", output: /^exit code 1\n0a1/, exitCode: 1 },
    { command: "test -f nope", output: /^exit code 1, no output$/, exitCode: 1 },
    { command: "exit 7", output: /^exit code 7, no output$/, exitCode: 7 },
    { command: "no-such-program-here", output: /^exit code 127\n.*line 1: .*not found$/, exitCode: 127 },
    { command: "sh -c 'kill -9 $$'; exit $?", output: /^exit code 137 \(128 \+ SIGKILL\)/, exitCode: 137 },
    { command: "pwd -P", output: /^exit code 0\n\/.*workspace-\w+$/, exitCode: 0 },
    { command: "echo to the device >/dev/stderr", output: /^exit code 0\nto the device$/, exitCode: 0 },
  ])("answers $command with its exit code", async ({ command, output, exitCode }) => {
    const workspace = createWorkspace();
    const result = await workspace.run("run_command", { command });
    expect(result.output).toMatch(output);
    expect(result).toMatchObject({ status: "ok", command: { command, exitCode } });
  });

  it("reports the signal that ended the command itself", async () => {
    const workspace = createWorkspace();
    const result = await workspace.run("run_command", { command: "kill -SEGV $$" });
    expect(result).toMatchObject({
      status: "error",
      output: "ended by signal SIGSEGV, no output",
      command: { exitCode: null },
    });
  });

  it("says that a command cannot be started", async () => {
    const workspace = createWorkspace();
    const result = await workspace.run("run_command", { command: `echo ${"x".repeat(3_000_000)}` });
    expect(result.status).toBe("error");
    expect(result.output).toMatch(/^could not be started: .*E2BIG/);
  });

  it("does not start when the turn is cancelled already", async () => {
    const workspace = createWorkspace();
    const result = await workspace.run(
      "run_command",
      { command: "touch ran" },
      { signal: AbortSignal.abort() },
    );
    expect(result.output).toContain("cancelled");
    expect(readdirSync(workspace.root)).toEqual([]);
  });

  it("shortens a time limit that is beyond the greatest", async () => {
    const workspace = createWorkspace();
    const { output } = await workspace.run("run_command", { command: "echo ok", timeout: 1e9 });
    expect(output).toBe("exit code 0\nok");
  });

  it("says how long a command took that took long, in round numbers", async () => {
    const workspace = createWorkspace();
    const { output } = await workspace.run("run_command", { command: "sleep 10.1" });
    expect(output).toBe("exit code 0 after about 10 s, no output");
  }, 30_000);
});

describe("the end of a pipeline", () => {
  it.each([
    {
      command: "sh -c 'echo FAIL; exit 3' | tail -1",
      first: "exit code 0 (last command of the pipeline; command 1 of 2 failed with exit code 3)",
      run: { exitCode: 0, pipeline: [3, 0] },
    },
    {
      command: "false | sh -c 'kill -9 $$' | cat",
      first:
        "exit code 0 (last command of the pipeline; command 1 of 3 failed with exit code 1; command 2 of 3 failed with exit code 137 (128 + SIGKILL)), no output",
      run: { exitCode: 0, pipeline: [1, 137, 0] },
    },
    {
      command: "yes | head -1",
      first: "exit code 0 (last command of the pipeline)",
      run: { exitCode: 0 },
    },
    {
      command: "echo a | grep b",
      first: "exit code 1 (last command of the pipeline), no output",
      run: { exitCode: 1 },
    },
    {
      command: "set -o pipefail; (exit 3) | cat",
      first: "exit code 3 (exit codes in the pipeline: 3, 0), no output",
      run: { exitCode: 3, pipeline: [3, 0] },
    },
    {
      command: "trap : EXIT; false | true",
      first: "exit code 0 (last command of the pipeline), no output",
      run: { exitCode: 0 },
    },
    { command: "false | true; echo then", first: "exit code 0", run: { exitCode: 0 } },
  ])("is told honestly: $command", async ({ command, first, run }) => {
    const workspace = createWorkspace();
    const result = await workspace.run("run_command", { command });
    expect(result.output.split("\n")[0]).toBe(first);
    expect(result).toMatchObject({ status: "ok", command: { command, ...run } });
    expect(result.command).toEqual({ command, ...run });
  });

  it.each([
    ["a | b", true],
    ["a |& b", true],
    ["a; b | c", true],
    ["a && b | c;", true],
    ["a | b; c", false],
    ["a | b && c", false],
    ["a || b", false],
    ["echo 'a | b'", false],
    ['echo "a | b"', false],
    ["echo a \\| b", false],
    ["echo $(a | b)", false],
    ["(a | b)", false],
    ["a >| f", false],
    ["set -o pipefail; a | b", false],
  ])("is seen in the line where the shell cannot tell it: %s is %s", (command, expected) => {
    expect(endsInPipeline(command)).toBe(expected);
    const text = describeEnd({ command, end: { kind: "exited", code: 0 } });
    expect(text.includes("last command of the pipeline")).toBe(expected);
  });
});
