import { describe, expect, it } from "vitest";
import { eventually, onLinux, processesWith, uniqueSleep } from "../helpers/processes.js";
import { createWorkspace } from "./workspace.js";

const sleepers = (seconds: string) =>
  processesWith(`sleep ${seconds}`).filter((line) => line.startsWith("sleep"));

describe("at the time limit", () => {
  onLinux("a command ends with what was printed until then, and leaves no process", async () => {
    const workspace = createWorkspace();
    const seconds = uniqueSleep();
    const command = `echo started; sh -c 'sleep ${seconds} & sleep ${seconds}'`;
    const result = await workspace.run("run_command", { command, timeout: 1.5 });
    expect(result.status).toBe("error");
    expect(result.output).toBe(
      [
        "timed out after 1.5 s; the command and everything it had started were ended",
        "started",
        "[For a server or a watcher use background: true; for work that takes longer, a greater timeout.]",
      ].join("\n"),
    );
    expect(result.command).toEqual({ command, exitCode: null });
    expect(processesWith(seconds)).toEqual([]);
  });

  onLinux("a command that ignores SIGTERM ends too", async () => {
    const workspace = createWorkspace();
    const seconds = uniqueSleep();
    const command = `trap '' TERM; for i in 1 2 3 4 5 6 7 8 9; do sleep ${seconds}; done`;
    const result = await workspace.run("run_command", { command, timeout: 0.3 });
    expect(result.output).toContain("timed out");
    expect(processesWith(seconds)).toEqual([]);
  });
});

describe("a cancel", () => {
  onLinux("leaves no process, not even one that left its group and session", async () => {
    const workspace = createWorkspace();
    const seconds = uniqueSleep();
    const controller = new AbortController();
    const command = `setsid sleep ${seconds} & (setsid sleep ${seconds} &); sleep ${seconds}`;
    const running = workspace.run("run_command", { command }, { signal: controller.signal });
    await eventually(() => sleepers(seconds).length === 3);
    controller.abort(new Error("cancelled"));
    const result = await running;
    expect(result.status).toBe("error");
    expect(result.output).toContain("cancelled");
    expect(processesWith(seconds)).toEqual([]);
  });
});

describe("when a command ends by itself", () => {
  onLinux("it does not wait for children that keep its output open: they are ended, and told", async () => {
    const workspace = createWorkspace();
    const seconds = uniqueSleep();
    const result = await workspace.run("run_command", {
      command: `sleep ${seconds} & sleep ${seconds} & echo done`,
    });
    expect(result.output).toBe(
      "exit code 0\ndone\n[2 processes that it left running were ended. Use background: true for a server.]",
    );
    expect(processesWith(seconds)).toEqual([]);
  });

  onLinux("a daemon that left the group runs on until the end of all, and is told", async () => {
    const workspace = createWorkspace();
    const seconds = uniqueSleep();
    const result = await workspace.run("run_command", {
      command: `(setsid sleep ${seconds} &); sleep 0.2; echo done`,
    });
    expect(result.output).toBe(
      "exit code 0\ndone\n[A process that it started runs on until mini-cc ends; nothing of its output is shown from now on.]",
    );
    expect(sleepers(seconds)).toHaveLength(1);
    await workspace.processes.dispose();
    expect(processesWith(seconds)).toEqual([]);
  });

  it("what a process substitution still writes is waited for", async () => {
    const workspace = createWorkspace();
    const { output } = await workspace.run("run_command", {
      command: "echo a > >(sleep 0.1; tr a b)",
    });
    expect(output).toBe("exit code 0\nb");
  });
});

onLinux("dispose ends running commands, and nothing is started afterwards", async () => {
  const workspace = createWorkspace();
  const seconds = uniqueSleep();
  const running = workspace.run("run_command", { command: `sleep ${seconds}` });
  await eventually(() => sleepers(seconds).length > 0);
  await workspace.processes.dispose();
  expect((await running).status).toBe("error");
  expect(processesWith(seconds)).toEqual([]);
  await expect(workspace.run("run_command", { command: "true" })).rejects.toThrow("disposed");
});
