import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { onLinux, processesWith, uniqueSleep } from "../helpers/processes.js";
import { createWorkspace } from "./workspace.js";

describe("a background command", () => {
  onLinux("runs on, gives each piece of output once, and stops with its children", async () => {
    const workspace = createWorkspace();
    const seconds = uniqueSleep();
    const command = `echo ready; sleep 0.8; echo more; sleep ${seconds}`;
    const started = await workspace.run("run_command", { command, background: true });
    expect(started).toMatchObject({
      status: "ok",
      command: { command, exitCode: null, background: "c1", state: "running" },
    });
    expect(started.output).toMatch(/^running in the background as c1\. Use command_output with id "c1"/);
    let seen = started.output;
    while (!seen.includes("more")) {
      const read = await workspace.run("command_output", { id: "c1", action: "read" });
      expect(read.output).toMatch(/^c1 is running for \d+ s\n/);
      if (!read.output.endsWith("\nno new output")) seen += read.output;
    }
    expect(seen.match(/ready|more/g)).toEqual(["ready", "more"]);
    const stopped = await workspace.run("command_output", { id: "c1", action: "stop" });
    expect(stopped).toMatchObject({
      output: "c1 stopped, with everything it had started\nno new output",
      command: { command, exitCode: null, background: "c1", state: "stopped" },
    });
    expect(processesWith(seconds)).toEqual([]);
  });

  it("says at once that it failed", async () => {
    const workspace = createWorkspace();
    const result = await workspace.run("run_command", {
      command: "echo no port >&2; exit 3",
      background: true,
    });
    expect(result).toMatchObject({
      status: "error",
      output: "ended at once: exit code 3\nno port",
      command: { exitCode: 3 },
    });
    expect(workspace.processes.background.takeEnded()).toEqual([]);
  });

  it("that says nothing is given a little longer to fail", async () => {
    const workspace = createWorkspace();
    const command = "sleep 0.8; echo no port; exit 3";
    const result = await workspace.run("run_command", { command, background: true });
    expect(result.output).toBe("ended at once: exit code 3\nno port");
  });

  it("keeps its true state after it ended by itself", async () => {
    const workspace = createWorkspace();
    const command = "echo on; sleep 0.9; echo bye; exit 4";
    await workspace.run("run_command", { command, background: true });
    await delay(1_200);
    expect(workspace.processes.background.find("c1")?.end).toEqual({ kind: "exited", code: 4 });
    const read = await workspace.run("command_output", { id: "c1", action: "read" });
    expect(read).toMatchObject({
      output: "c1 exit code 4\nbye",
      command: { command, exitCode: 4, background: "c1", state: "exited" },
    });
  });

  it("that somebody else killed is told as killed", async () => {
    const workspace = createWorkspace();
    const command = "echo on; sleep 0.8; kill -9 $$";
    await workspace.run("run_command", { command, background: true });
    let read = await workspace.run("command_output", { id: "c1", action: "read" });
    while (read.output.includes("is running"))
      read = await workspace.run("command_output", { id: "c1", action: "read" });
    expect(read.output).toBe("c1 ended by signal SIGKILL\nno new output");
    expect(read.command).toMatchObject({ exitCode: null, state: "killed" });
  });

  it("of an earlier run is lost, and its id is not given again", async () => {
    const workspace = createWorkspace();
    workspace.processes.background.recall([{ id: "c3", command: "npm run dev" }], ["c3"]);
    const read = await workspace.run("command_output", { id: "c3", action: "read" });
    expect(read).toMatchObject({
      output: "c3 lost: mini-cc was ended meanwhile, and the command with it\nno new output",
      command: { command: "npm run dev", exitCode: null, background: "c3", state: "lost" },
    });
    const next = await workspace.run("run_command", { command: "echo up; sleep 50", background: true });
    expect(next.output).toContain("as c4.");
  });

  it("is waited for a moment when it has printed nothing new, and no longer than the turn", async () => {
    const workspace = createWorkspace();
    await workspace.run("run_command", { command: "echo up; sleep 50", background: true });
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 50);
    const read = await workspace.run(
      "command_output",
      { id: "c1", action: "read" },
      { signal: controller.signal },
    );
    expect(read.output).toMatch(/^c1 is running for \d+ s\nno new output$/);
  });

  onLinux("ends with the registry", async () => {
    const workspace = createWorkspace();
    const seconds = uniqueSleep();
    await workspace.run("run_command", {
      command: `echo up; setsid sleep ${seconds} & sleep ${seconds}`,
      background: true,
    });
    expect(processesWith(seconds).length).toBeGreaterThan(0);
    await workspace.processes.dispose();
    expect(processesWith(seconds)).toEqual([]);
  });

  it("is not found by another id, and the known ones are named", async () => {
    const workspace = createWorkspace();
    const none = await workspace.run("command_output", { id: "c9", action: "read" });
    expect(none).toEqual({
      status: "error",
      output: 'There is no background command with id "c9".\nThere are no background commands.',
    });
    await workspace.run("run_command", { command: "echo up; sleep 50", background: true });
    const other = await workspace.run("command_output", { id: "1", action: "stop" });
    expect(other.output).toContain("There are: c1 (echo up; sleep 50).");
  });
});
