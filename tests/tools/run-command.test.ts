import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { commandOutput, endsInPipeline } from "../../src/tools/command-text.js";
import { createWorkspace } from "./workspace.js";

/** What became of processes is looked up in /proc. */
const onLinux = it.skipIf(process.platform !== "linux");

/** Command lines of living processes that contain a text. */
function processesWith(text: string): string[] {
  return readdirSync("/proc").flatMap((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return [];
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
      return line.includes(text) && !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8")) ? [line] : [];
    } catch {
      return [];
    }
  });
}

/** A number of seconds for `sleep` that no other test uses, so that its processes can be found. */
const uniqueSleep = (): string => String(100_000 + Math.floor(Math.random() * 800_000));

async function eventually(check: () => boolean): Promise<void> {
  for (let waited = 0; waited < 10_000 && !check(); waited += 20) await delay(20);
}

describe("run_command", () => {
  it.each([
    {
      command: "echo hello; echo problem >&2",
      output: /^exit code 0\n(hello\nproblem|problem\nhello)$/,
      exitCode: 0,
    },
    { command: "true", output: /^exit code 0, no output$/, exitCode: 0 },
    { command: "grep zzz /dev/null", output: /^exit code 1, no output$/, exitCode: 1 },
    { command: "exit 7", output: /^exit code 7, no output$/, exitCode: 7 },
    { command: "no-such-program-here", output: /^exit code 127\n.*not found$/, exitCode: 127 },
    { command: "sh -c 'kill -9 $$'; exit $?", output: /^exit code 137 \(128 \+ SIGKILL\)/, exitCode: 137 },
    {
      command: "sh -c 'echo FAIL; exit 3' | tail -1",
      output: /^exit code 0 \(last command of the pipeline\)\nFAIL$/,
      exitCode: 0,
    },
    { command: "yes | head -1", output: /^exit code 0 \(last command of the pipeline\)\ny$/, exitCode: 0 },
    { command: "pwd -P", output: /^exit code 0\n\/.*workspace-\w+$/, exitCode: 0 },
    { command: "read -p 'ok? ' x; echo got:$x", output: /^exit code 0\ngot:$/, exitCode: 0 },
    { command: "cat", output: /^exit code 0, no output$/, exitCode: 0 },
    { command: "(: </dev/tty) 2>&1", output: /^exit code 1\n.*\/dev\/tty/, exitCode: 1 },
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

  onLinux("ends at the time limit with what was printed until then, and leaves no process", async () => {
    const workspace = createWorkspace();
    const seconds = uniqueSleep();
    const command = `echo started; sh -c 'sleep ${seconds} & sleep ${seconds}'`;
    const result = await workspace.run("run_command", { command, timeout: 1.5 });
    expect(result.status).toBe("error");
    expect(result.output).toBe(
      "timed out after 1.5 s; the command and everything it had started were ended\nstarted",
    );
    expect(result.command).toEqual({ command, exitCode: null });
    expect(processesWith(seconds)).toEqual([]);
  });

  onLinux("ends a command that ignores SIGTERM", async () => {
    const workspace = createWorkspace();
    const seconds = uniqueSleep();
    const command = `trap '' TERM; for i in 1 2 3 4 5 6 7 8 9; do sleep ${seconds}; done`;
    const result = await workspace.run("run_command", { command, timeout: 0.3 });
    expect(result.output).toContain("timed out");
    expect(processesWith(seconds)).toEqual([]);
  });

  onLinux(
    "leaves no process when the turn is cancelled, not even one that left its group and session",
    async () => {
      const workspace = createWorkspace();
      const seconds = uniqueSleep();
      const controller = new AbortController();
      const command = `setsid sleep ${seconds} & (setsid sleep ${seconds} &); sleep ${seconds}`;
      const running = workspace.run("run_command", { command }, { signal: controller.signal });
      await eventually(
        () => processesWith(`sleep ${seconds}`).filter((line) => line.startsWith("sleep")).length === 3,
      );
      controller.abort(new Error("cancelled"));
      const result = await running;
      expect(result.status).toBe("error");
      expect(result.output).toContain("cancelled");
      expect(processesWith(seconds)).toEqual([]);
    },
  );

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

  onLinux(
    "ends when the command ends, though a grandchild keeps the pipe, and ends the grandchild",
    async () => {
      const workspace = createWorkspace();
      const seconds = uniqueSleep();
      const result = await workspace.run("run_command", { command: `sleep ${seconds} & echo done` });
      expect(result.output).toBe(
        "exit code 0\ndone\n[Processes it left running were ended. Use background: true for a server.]",
      );
      expect(processesWith(seconds)).toEqual([]);
    },
  );

  onLinux(
    "does not wait for a daemon that left the group but keeps the pipe, and ends it on dispose",
    async () => {
      const workspace = createWorkspace();
      const seconds = uniqueSleep();
      const result = await workspace.run("run_command", {
        command: `(setsid sleep ${seconds} &); sleep 0.2; echo done`,
      });
      expect(result.output).toBe("exit code 0\ndone");
      expect(processesWith(seconds)).toHaveLength(1);
      await workspace.processes.dispose();
      expect(processesWith(seconds)).toEqual([]);
    },
  );

  onLinux("ends running commands on dispose", async () => {
    const workspace = createWorkspace();
    const seconds = uniqueSleep();
    const running = workspace.run("run_command", { command: `sleep ${seconds}` });
    await eventually(() => processesWith(seconds).length > 0);
    await workspace.processes.dispose();
    expect((await running).status).toBe("error");
    expect(processesWith(seconds)).toEqual([]);
    await expect(workspace.run("run_command", { command: "true" })).rejects.toThrow("disposed");
  });

  it("keeps memory bounded whatever is printed, and the time limit works", async () => {
    const workspace = createWorkspace();
    const before = process.memoryUsage().rss;
    const { output } = await workspace.run("run_command", { command: "yes", timeout: 2 });
    expect(output).toMatch(/^timed out after 2 s/);
    expect(output).toMatch(
      /y\n\[the line above \d+ times in all\]\n\[… \d+ characters left out …\]\ny\n\[the line above/,
    );
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024);
  });

  it("keeps head and tail of a long output within the result limit", async () => {
    const workspace = createWorkspace();
    const { output } = await workspace.run(
      "run_command",
      { command: "seq 1 200000" },
      { maxOutputChars: 4_000 },
    );
    expect(output.length).toBeLessThanOrEqual(4_000);
    expect(output).toMatch(
      /^exit code 0\n1\n2\n3\n[^]*\n\[… \d+ characters left out …\]\n[^]*\n199999\n200000$/,
    );
  });

  it("gives the model no escape sequences and only the last state of a progress bar", async () => {
    const workspace = createWorkspace();
    const command = String.raw`printf '\033[31mred\033[0m\n 10%%\r 50%%\r100%%\nx\r\n\033]0;title\007done\n'`;
    const { output } = await workspace.run("run_command", { command });
    expect(output).toBe("exit code 0\nred\n100%\nx\ndone");
  });

  it("puts a character together that comes in two chunks, on either stream", async () => {
    const workspace = createWorkspace();
    const command = String.raw`printf '\344\275'; printf 'err' >&2; sleep 0.1; printf '\240ok'`;
    const { output } = await workspace.run("run_command", { command });
    expect(output).toContain("你ok");
    expect(output).toContain("err");
  });

  it("marks output that is not UTF-8", async () => {
    const workspace = createWorkspace();
    const { output } = await workspace.run("run_command", { command: String.raw`printf 'caf\351\n'` });
    expect(output).toBe("exit code 0\ncaf\uFFFD\n[Some bytes were not UTF-8 and are shown as \uFFFD.]");
  });

  it("passes output on while the command runs", async () => {
    const workspace = createWorkspace();
    const controller = new AbortController();
    const running = workspace.run(
      "run_command",
      { command: "echo first; sleep 100" },
      { signal: controller.signal },
    );
    await eventually(() => workspace.live.length > 0);
    expect(workspace.live.join("")).toBe("first\n");
    controller.abort(new Error("enough"));
    await running;
  });

  it("shortens a time limit that is beyond the greatest", async () => {
    const workspace = createWorkspace();
    const { output } = await workspace.run("run_command", { command: "echo ok", timeout: 1e9 });
    expect(output).toBe("exit code 0\nok");
  });

  it("says that a command cannot be started", async () => {
    const workspace = createWorkspace();
    const result = await workspace.run("run_command", { command: `echo ${"x".repeat(3_000_000)}` });
    expect(result.status).toBe("error");
    expect(result.output).toMatch(/^could not be started: .*E2BIG/);
  });
});

describe("a background command", () => {
  onLinux("runs on, gives each piece of output once, and stops with its children", async () => {
    const workspace = createWorkspace();
    const seconds = uniqueSleep();
    const command = `echo ready; sleep 0.8; echo more; sleep ${seconds}`;
    const started = await workspace.run("run_command", { command, background: true });
    expect(started.status).toBe("ok");
    expect(started.output).toMatch(/^running in the background as c1\. Use command_output with id "c1"/);
    let seen = started.output;
    while (!seen.includes("more")) {
      const read = await workspace.run("command_output", { id: "c1", action: "read" });
      expect(read.output).toMatch(/^c1 is running for \d+ s\n/);
      if (!read.output.endsWith("\nno new output")) seen += read.output;
      await delay(50);
    }
    expect(seen.match(/ready|more/g)).toEqual(["ready", "more"]);
    const stopped = await workspace.run("command_output", { id: "c1", action: "stop" });
    expect(stopped.output).toBe("c1 stopped, with everything it had started\nno new output");
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
  });

  it("keeps its true state after it ended by itself", async () => {
    const workspace = createWorkspace();
    await workspace.run("run_command", { command: "sleep 0.7; echo bye; exit 4", background: true });
    await workspace.processes.findBackground("c1")?.finished;
    const { output } = await workspace.run("command_output", { id: "c1", action: "read" });
    expect(output).toBe("c1 exit code 4\nbye");
  });

  onLinux("ends with the registry", async () => {
    const workspace = createWorkspace();
    const seconds = uniqueSleep();
    await workspace.run("run_command", {
      command: `setsid sleep ${seconds} & sleep ${seconds}`,
      background: true,
    });
    expect(processesWith(seconds).length).toBeGreaterThan(0);
    await workspace.processes.dispose();
    expect(processesWith(seconds)).toEqual([]);
  });

  it("names the known ids when asked for another", async () => {
    const workspace = createWorkspace();
    const none = await workspace.run("command_output", { id: "c9", action: "read" });
    expect(none).toEqual({
      status: "error",
      output: 'There is no background command with id "c9".\nThere are no background commands.',
    });
    await workspace.run("run_command", { command: "sleep 50", background: true });
    const other = await workspace.run("command_output", { id: "1", action: "stop" });
    expect(other.output).toContain("There are: c1 (sleep 50).");
  });
});

describe("endsInPipeline", () => {
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
  ])("%s: %s", (command, expected) => {
    expect(endsInPipeline(command)).toBe(expected);
  });
});

describe("commandOutput", () => {
  it("counts everything that was left out before and now", () => {
    const kept = { head: "h".repeat(300), tail: "t".repeat(700), omitted: 5_000 };
    const text = commandOutput(kept, 500);
    expect(text.length).toBeLessThanOrEqual(500);
    const [, count] = /\[… (\d+) characters left out …\]/.exec(text) ?? [];
    const shown = text.replace(/\n\[.*\]\n/, "").length;
    expect(Number(count) + shown).toBe(6_000);
  });

  it("collapses repeated lines but not single blank ones", () => {
    expect(commandOutput({ head: "a\na\na\na\n\nb\nb\n", tail: "", omitted: 0 }, 500)).toBe(
      "a\n[the line above 4 times in all]\n\nb\nb",
    );
  });
});
