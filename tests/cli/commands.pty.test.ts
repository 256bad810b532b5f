import { chmodSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { call, say } from "../../src/demo/reply.js";
import type { MessageReply } from "../../src/demo/reply.js";
import type { ScriptedOllama } from "../../src/demo/scripted-ollama.js";
import { createPlace } from "../helpers/run-cli.js";
import type { CliPlace } from "../helpers/run-cli.js";
import { onLinux, processesWith, uniqueSleep } from "../helpers/processes.js";
import { scriptedOllama } from "../helpers/scripted-ollama.js";
import { runInTerminal } from "../helpers/terminal.js";
import type { TerminalRun } from "../helpers/terminal.js";
import { AT_PROMPT, exchange, leave } from "./session-terminal.js";

const run = (command: string, more: Record<string, unknown> = {}): MessageReply =>
  call("run_command", { command, ...more });

/** A session in which nothing is asked, at its first prompt. */
async function startSession(
  replies: MessageReply[],
): Promise<{ server: ScriptedOllama; place: CliPlace; terminal: TerminalRun }> {
  const server = await scriptedOllama({ replies });
  const place = createPlace({ OLLAMA_HOST: server.url });
  place.userConfig({ sandbox: "off", warmStart: false });
  const bin = `${place.workspace}/bin`;
  const terminal = runInTerminal(place, ["--permission-mode", "bypass"], {
    env: { PATH: `${bin}:${process.env["PATH"] ?? ""}` },
  });
  await terminal.waitFor(AT_PROMPT);
  return { server, place, terminal };
}

describe("commands on a terminal", () => {
  it("do not get hold of it: keys go to the prompt as before, and the screen stays whole", async () => {
    const { terminal, place, server } = await startSession([
      run("stty -echo; stty raw; sleep 0.3; less long.txt | tail -1; tmux ls; sudo true; (cat </dev/tty)"),
      say("All tried."),
      say("You said it."),
    ]);
    place.file("long.txt", "line\n".repeat(500));
    const asking =
      'printf "[sudo] password for me: " >/dev/tty && read -r word </dev/tty || echo "sudo: a terminal is required to read the password"';
    chmodSync(place.file("bin/sudo", `#!/bin/sh\n${asking}\n`), 0o755);
    await exchange(terminal, "try", "All tried.");
    expect(terminal.text()).not.toContain("password for me");
    await exchange(terminal, "still here?", "You said it.");
    const results = server
      .chatBodies()
      .at(-1)
      ?.messages.filter(({ role }) => role === "tool");
    expect(results?.[0]?.content).toContain("[It wants a password, and nobody can type one here.");
    await leave(terminal);
  });
});

describe("/processes", () => {
  onLinux(
    "lists the commands in the background and stops one by its id, which the model is told",
    async () => {
      const seconds = uniqueSleep();
      const { terminal, server } = await startSession([
        run(`echo up; sleep ${seconds}`, { background: true }),
        say("It runs."),
        say("I see."),
      ]);
      await exchange(terminal, "/processes", "no command runs in the background");
      const turn = await exchange(terminal, "serve", "It runs.");
      expect(turn).toContain(`in the background c1: echo up; sleep ${seconds} (running)`);
      await exchange(
        terminal,
        "/processes",
        new RegExp(`\n {2}c1 {2}running for \\d+ s {2}echo up; sleep ${seconds}\n`),
      );
      await exchange(terminal, "/processes stop c9", 'no background command has the id "c9"');
      await exchange(terminal, "/processes stop", "/processes stop ID");
      await exchange(terminal, "/processes stop c1", "stopped c1:");
      expect(processesWith(seconds)).toEqual([]);
      await exchange(terminal, "/processes stop c1", "c1 has ended already");
      await exchange(terminal, "/processes", / c1 {2}stopped /);
      await exchange(terminal, "well?", "I see.");
      expect(server.chatBodies().at(-1)?.messages.at(-1)?.content).toBe(
        `well?\n\n[The background command c1 (echo up; sleep ${seconds}) was stopped by the user.]`,
      );
      await leave(terminal);
    },
  );

  onLinux("shows what ended between two turns, and the next message tells the model", async () => {
    const command = "echo up; sleep 2; echo crashed; exit 9";
    const { terminal, server } = await startSession([
      run(command, { background: true }),
      say("It runs."),
      call("command_output", { id: "c1", action: "read" }),
      say("It crashed."),
    ]);
    await exchange(terminal, "serve", "It runs.");
    await expect
      .poll(async () => exchange(terminal, "/processes", /c1 /), { timeout: 20_000 })
      .toContain("c1  exit code 9");
    await exchange(terminal, "and?", "It crashed.");
    const messages = server.chatBodies().at(-1)?.messages ?? [];
    expect(messages.findLast(({ role }) => role === "user")?.content).toBe(
      `and?\n\n[The background command c1 (${command}) has ended: exit code 9. command_output with id "c1" gives its last output.]`,
    );
    expect(messages.at(-1)?.content).toBe("c1 exit code 9\ncrashed");
    await leave(terminal);
  });

  onLinux("has nothing to end after the session: all of it has ended with it", async () => {
    const seconds = uniqueSleep();
    const { terminal } = await startSession([
      run(`echo up; (setsid sleep ${seconds} &); sleep ${seconds}`, { background: true }),
      say("It runs."),
    ]);
    await exchange(terminal, "serve", "It runs.");
    expect(processesWith(seconds).length).toBeGreaterThan(0);
    await leave(terminal);
    expect(processesWith(seconds)).toEqual([]);
  });
});
