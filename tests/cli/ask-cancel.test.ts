import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { call, calls, say, silence, think } from "../../src/demo/reply.js";
import type { Reply } from "../../src/demo/reply.js";
import type { ScriptedOllama } from "../../src/demo/scripted-ollama.js";
import { expectValidConversation } from "../agent/setup.js";
import { eventsOf, readEvents } from "../helpers/event-schema.js";
import type { AgentEvent } from "../../src/agent/agent-events.js";
import { createPlace } from "../helpers/run-cli.js";
import type { RunningCli } from "../helpers/run-cli.js";
import { askPlace } from "./ask-setup.js";

const EVENTS = ["--output-format", "stream-json"];
const THINKER = { name: "scripted", capabilities: ["completion", "tools", "thinking"] };

/** A time that no other process sleeps; who still sleeps it after the test is ended. */
function uniqueSeconds(): string {
  const seconds = `3${Math.floor(Math.random() * 1e6)}.${process.pid}`;
  onTestFinished(() => processesWith(seconds).forEach(({ pid }) => process.kill(pid, "SIGKILL")));
  return seconds;
}

/** Processes that have the text among their arguments. */
function processesWith(text: string): { pid: number; args: string }[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid)
    .map((pid) => ({ pid, args: argumentsOf(pid) }))
    .filter(({ args }) => args.includes(text));
}

function argumentsOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return ""; // It has ended meanwhile.
  }
}

/** Cancels, and checks how the run ended. */
async function cancelled(running: RunningCli, signal: NodeJS.Signals = "SIGINT"): Promise<AgentEvent[]> {
  running.kill(signal);
  const { code, signal: endedBy, stdout, stderr } = await running.ended;
  expect({ code, endedBy }).toEqual({ code: 130, endedBy: null });
  expect(stderr).not.toMatch(/^\s+at /m);
  const events = readEvents(stdout);
  expect(events.at(-1)).toMatchObject({ type: "turn-end", outcome: "cancelled" });
  expect(events.at(-1)).not.toHaveProperty("error");
  return events;
}

/** The messages of the request that goes on after the cancelled turn. */
async function goOn({ place, server }: Awaited<ReturnType<typeof askPlace>>) {
  expect(await place.run(["ask", "-c", "go on"])).toMatchObject({ code: 0, stdout: "Here I am.\n" });
  const { messages } = server.chatBodies().at(-1)!;
  expectValidConversation(messages);
  expect(messages[1]).toMatchObject({ role: "user", content: "begin" });
  expect(messages.at(-1)).toMatchObject({ role: "user", content: "go on" });
  return messages;
}

/** The chat request whose answer was not waited for. */
function abortedChats(server: ScriptedOllama): number {
  return server.requests.filter(({ path, aborted }) => path === "/api/chat" && aborted).length;
}

describe("Ctrl-C", () => {
  const PHASES: [string, Reply, string | undefined, string][] = [
    ["before the first byte", silence(), undefined, "cancelled"],
    [
      "while the model thinks",
      think("Well, let me", say("x", { stallAfter: 2 })),
      "thinking-delta",
      "cancelled",
    ],
    ["while the model writes", say("Half an answer", { stallAfter: 2 }), "text-delta", "Half an"],
    [
      "while a call has come, but not the end of the reply",
      call("run_command", { command: "touch marker" }, { text: "Now", stallAfter: 2 }),
      "text-delta",
      "Now",
    ],
  ];
  it.each(PHASES)(
    "%s ends the turn, closes the request and keeps what was said",
    async (_name, reply, event, kept) => {
      const setup = await askPlace({ models: [THINKER], replies: [reply, say("Here I am.")] });
      const { place, server } = setup;
      const flags = ["--think", "on", "--permission-mode", "bypass"];
      const running = place.start(["ask", "begin", ...flags, ...EVENTS]);
      if (event !== undefined) await running.waitForOutput(event);
      await server.waitFor(() => server.chatBodies().length === 1 && server.openRequests === 1);
      await sleep(100);
      await cancelled(running);
      await server.waitFor(({ openRequests }) => openRequests === 0);
      expect(abortedChats(server)).toBe(1);
      expect(existsSync(`${place.workspace}/marker`)).toBe(false);
      const messages = await goOn(setup);
      expect(messages[2]!.content).toContain(kept);
    },
  );

  it.skipIf(!existsSync("/proc"))("in a command ends it with everything that it started", async () => {
    const seconds = uniqueSeconds();
    const setup = await askPlace({
      replies: [
        calls(
          call("write_file", { path: "first.txt", content: "1\n" }),
          call("run_command", {
            command: `sleep ${seconds} & echo started; (setsid sleep ${seconds} &); sleep ${seconds}`,
          }),
          call("write_file", { path: "third.txt", content: "3\n" }),
        ),
        say("Here I am."),
      ],
    });
    const { place, server } = setup;
    const running = place.start(["ask", "begin", "--permission-mode", "bypass", ...EVENTS]);
    await running.waitForOutput('"started\\n"');
    await sleep(200);
    expect(processesWith(seconds).length).toBeGreaterThan(2);
    const events = await cancelled(running);
    expect(processesWith(seconds)).toEqual([]);
    expect(events.at(-1)).toMatchObject({ changedFiles: ["first.txt"], commands: [{ exitCode: null }] });
    const statuses = eventsOf(events, "tool-end").map(({ status }) => status);
    expect(statuses.slice(0, 2)).toEqual(["ok", "cancelled"]);
    expect(statuses.slice(2).every((status) => status === "cancelled")).toBe(true);
    expect(existsSync(`${place.workspace}/third.txt`)).toBe(false);
    expect(server.openRequests).toBe(0);

    const messages = await goOn(setup);
    const results = messages.filter(({ role }) => role === "tool").map(({ content }) => content);
    expect(results).toHaveLength(3);
    expect(results[1]).toMatch(/cancel|interrupt/i);
  });

  it.skipIf(!existsSync("/proc"))("in a command that ignores it ends it all the same", async () => {
    const seconds = uniqueSeconds();
    const command = `trap '' INT TERM HUP; echo started; sleep ${seconds}; sleep ${seconds}`;
    const { place } = await askPlace({ replies: [call("run_command", { command })] });
    const running = place.start(["ask", "begin", "--permission-mode", "bypass", ...EVENTS]);
    await running.waitForOutput('"started\\n"');
    await cancelled(running);
    expect(processesWith(seconds)).toEqual([]);
  });

  it("while the server is asked about its models ends at once", async () => {
    const server = createServer(() => undefined).listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const connected = once(server, "connection");
    const { port } = server.address() as AddressInfo;
    const running = createPlace().start(["ask", "begin", "--host", `127.0.0.1:${port}`, ...EVENTS]);
    await connected;
    await sleep(300);
    await cancelled(running);
  });

  it("before the prompt is complete ends at once", async () => {
    const { place, server } = await askPlace({});
    const running = place.start(["ask", "-"], { silentStdin: true });
    await sleep(1000);
    running.kill("SIGINT");
    const { code, signal, stdout } = await running.ended;
    expect(signal === "SIGINT" || code === 130).toBe(true);
    expect(stdout).toBe("");
    expect(server.chatBodies()).toEqual([]);
  });

  it("in text says so and prints what was said until then", async () => {
    const { place, server } = await askPlace({ replies: [say("Half an answer", { stallAfter: 2 })] });
    const running = place.start(["ask", "begin"]);
    await server.waitFor(() => server.chatBodies().some(({ messages }) => messages.length > 0));
    await sleep(500);
    running.kill("SIGINT");
    const { code, stdout, stderr } = await running.ended;
    expect({ code, stdout }).toEqual({ code: 130, stdout: "Half an\n" });
    expect(stderr).toMatch(/cancelled/);
  });
});

describe("the end of the process", () => {
  it.skipIf(!existsSync("/proc")).each(["SIGTERM", "SIGHUP"] as const)(
    "by %s leaves no command behind, and is what the records name",
    async (signal) => {
      const seconds = uniqueSeconds();
      const { place } = await askPlace({
        replies: [call("run_command", { command: `echo started; sleep ${seconds}; true` })],
      });
      const running = place.start(["ask", "begin", "--permission-mode", "bypass", ...EVENTS]);
      await running.waitForOutput('"started\\n"');
      await cancelled(running, signal);
      expect(processesWith(seconds)).toEqual([]);
      const { stdout } = await place.run(["sessions", "list", "--json"]);
      const { sessions } = JSON.parse(stdout) as { sessions: { path: string }[] };
      expect(readFileSync(sessions[0]?.path ?? "", "utf8")).toContain(`stopped by ${signal}`);
    },
  );

  it.skipIf(!existsSync("/proc"))("by a second Ctrl-C leaves no command behind", async () => {
    const seconds = uniqueSeconds();
    const command = `trap '' INT TERM HUP; echo started; sleep ${seconds}; sleep ${seconds}`;
    const { place } = await askPlace({ replies: [call("run_command", { command })] });
    const running = place.start(["ask", "begin", "--permission-mode", "bypass", ...EVENTS]);
    await running.waitForOutput('"started\\n"');
    running.kill("SIGINT");
    await sleep(50);
    running.kill("SIGINT");
    expect(await running.ended).toMatchObject({ code: 130 });
    await sleep(500);
    expect(processesWith(seconds)).toEqual([]);
  });

  it.skipIf(!existsSync("/proc"))(
    "since the reader of its output has gone leaves no command behind",
    async () => {
      const seconds = uniqueSeconds();
      const command = `echo started; sleep 1; echo more; sleep ${seconds}; true`;
      const { place } = await askPlace({ replies: [call("run_command", { command }), say("Done.")] });
      const running = place.start(["ask", "begin", "--permission-mode", "bypass", ...EVENTS]);
      await running.waitForOutput('"started\\n"');
      running.child.stdout!.destroy();
      await running.ended;
      await sleep(500);
      expect(processesWith(seconds)).toEqual([]);
    },
  );

  it.skipIf(!existsSync("/proc"))(
    "by itself leaves no process that a command left in the background",
    async () => {
      const seconds = uniqueSeconds();
      const { place } = await askPlace({
        replies: [
          calls(
            call("run_command", { command: `sleep ${seconds} & echo left` }),
            call("run_command", { command: `sleep ${seconds}`, background: true }),
          ),
          say("Done."),
        ],
      });
      expect(await place.run(["ask", "begin", "--permission-mode", "bypass"])).toMatchObject({ code: 0 });
      expect(processesWith(seconds)).toEqual([]);
    },
  );
});
