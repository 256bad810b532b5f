import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call, say } from "../../src/demo/reply.js";
import type { CliPlace, RunningCli } from "../helpers/run-cli.js";
import { expectValidConversation } from "../agent/setup.js";
import { askPlace } from "./ask-setup.js";

const BYPASS = ["--permission-mode", "bypass"];

function existsProcess(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** The records of the only session, and what else lies beside it. */
function session(place: CliPlace) {
  const folder = join(place.state, "sessions");
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const [file, ...others] = files.map(({ parentPath, name }) => join(parentPath, name));
  const lines = readFileSync(file ?? "", "utf8")
    .trimEnd()
    .split("\n");
  return { others, records: lines.map((line) => JSON.parse(line) as { type: string; outcome?: string }) };
}

it.each<[string, number | null, (running: RunningCli) => unknown]>([
  ["SIGINT", 130, (running) => running.kill("SIGINT")],
  ["SIGTERM", 130, (running) => running.kill("SIGTERM")],
  ["SIGHUP", 130, (running) => running.kill("SIGHUP")],
  // The program of a test's own throws at this signal.
  ["an error that nobody caught", 1, (running) => running.kill("SIGUSR2")],
  ["a reader of its output that goes away", 0, ({ child }) => child.stdout?.destroy()],
])(
  "%s in the middle of a command leaves nothing behind, and the session goes on",
  async (name, code, stop) => {
    const command = "echo $$ > pid; echo begun; while sleep 0.1; do echo more; done";
    const { ask, place, server } = await askPlace({
      replies: [call("run_command", { command }), say("Back.")],
    });
    place.userConfig({ sandbox: "off" });
    const thrower = place.file("thrower.cjs", 'process.on("SIGUSR2", () => { throw new Error("boom"); });');
    const running = place.start(["ask", "go", ...BYPASS, "--output-format", "stream-json"], {
      env: { NODE_OPTIONS: `--require=${thrower}` },
    });
    await running.waitForOutput('"text":"begun');
    stop(running);
    const end = await running.ended;
    expect(end.code).toBe(code);
    if (name.startsWith("an error")) expect(end.stderr).toMatch(/mini-cc: Error: boom\n +at/);
    expect(existsProcess(Number(place.text("pid")))).toBe(false);
    const { others, records } = session(place);
    expect(others).toEqual([]);
    expect(records.at(-1)).toMatchObject({ type: "turn-end", outcome: "cancelled" });

    const again = await ask(["-c", "go on", ...BYPASS]);
    expect(again).toMatchObject({ code: 0, stdout: "Back.\n" });
    expect(again.stderr).not.toMatch(/may have taken effect|cannot be read/);
    const { messages } = server.chatBodies().at(-1)!;
    expectValidConversation(messages);
    expect(messages.some(({ role, content }) => role === "tool" && content.includes("cancelled"))).toBe(true);
  },
);
