import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { ChatMessage, ChatRequest } from "../../src/demo/chat-request.js";
import type { ScriptedOllama } from "../../src/demo/scripted-ollama.js";
import { startScriptedOllama } from "../../src/demo/scripted-ollama.js";
import { CLI_ENTRY } from "../helpers/run-cli.js";
import { conversationFault, nextReply, wrongSteps } from "./scripted-task.js";

export interface CrashOptions {
  kills: number;
  seed: number;
  /** Told after each kill. */
  onKill?: (report: CrashReport) => void;
}

export interface CrashReport {
  kills: number;
  /** Runs that ended by themselves before they could be killed. */
  finished: number;
  /** Turns that were seen to end, and whose end every later request held. */
  turns: number;
  /** Calls that a later request told to be unknown. */
  unknown: number;
  /** What must not be; empty if all is well. */
  faults: string[];
}

/** Kills until a new session is begun: conversations stay short, and beginnings are killed too. */
const KILLS_A_SESSION = 20;
/** Milliseconds after which what a killed run had started has ended. */
const SETTLE_MS = 300;

/** Kills mini-cc again and again while it works at a task with effects, goes on each time, and holds it to its word. */
export async function runCrashTest({ kills, seed, onKill }: CrashOptions): Promise<CrashReport> {
  const random = randomNumbers(seed);
  const report: CrashReport = { kills: 0, finished: 0, turns: 0, unknown: 0, faults: [] };
  while (report.kills < kills && report.faults.length === 0) {
    await liveThroughKills(Math.min(KILLS_A_SESSION, kills - report.kills), random, report, onKill);
  }
  return report;
}

interface Place {
  root: string;
  server: ScriptedOllama;
}

interface Run {
  wasKilled: boolean;
  code: number | null;
  stdout: string;
  stderr: string;
  requests: { text: string; messages: ChatMessage[] }[];
}

async function liveThroughKills(
  kills: number,
  random: () => number,
  report: CrashReport,
  onKill: CrashOptions["onKill"],
): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), "mini-cc-crash-"));
  for (const folder of ["workspace", "state"]) mkdirSync(join(root, folder));
  const tasks = Array.from({ length: 2_000 }, (_, index) => `todo-${index}.\n`).join("");
  writeFileSync(join(root, "workspace", "tasks.txt"), tasks);
  writeFileSync(join(root, "workspace", "log.txt"), "");
  writeFileSync(join(root, "state", "config.json"), JSON.stringify({ sandbox: "off", warmStart: false }));
  const server = await startScriptedOllama({
    replies: ({ messages }) => ({ ...nextReply(messages), chunkDelay: 3 }),
  });
  try {
    const life = createLife({ root, server }, report);
    let typical = 2_000;
    for (let killed = 0; killed < kills && report.faults.length === 0;) {
      const run = await life.run(random() < 0.25 ? random() * typical : undefined, random);
      if (run.wasKilled) {
        killed++;
        report.kills++;
        onKill?.(report);
      } else {
        typical = run.milliseconds;
        report.finished++;
      }
    }
    // The last one is left alone: it ends as if nothing had happened.
    const { code, stderr } = await life.run(undefined, undefined);
    if (code !== 0) report.faults.push(`the last run ended with ${code}: ${stderr}`);
    const left = sessionFiles(root).filter((name) => !name.endsWith(".jsonl"));
    if (left.length > 0) report.faults.push(`left beside the session: ${left.join(", ")}`);
  } finally {
    await server.close();
    if (report.faults.length === 0) rmSync(root, { recursive: true, force: true });
    else report.faults.push(`see ${root}`);
  }
}

/** One session that is gone on with after each kill; what it must remember is checked at every request. */
function createLife(place: Place, report: CrashReport) {
  const finished: { prompt: string; text: string }[] = [];
  let sent: string | undefined;
  let count = 0;
  let unknownBefore = 0;
  let before = { log: "", tasks: "" };

  function check(run: Run, prompt: string): void {
    const fault = (text: string) => report.faults.push(`run ${count}: ${text}`);
    const [first] = run.requests;
    if (first && sent !== undefined && !first.text.startsWith(sent)) {
      fault("the first request does not begin with the bytes of the last one before");
    }
    for (const { messages } of run.requests) {
      const invalid = conversationFault(messages);
      if (invalid !== undefined) fault(`${invalid} in ${JSON.stringify(messages.slice(-6))}`);
      for (const turn of finished) {
        const asked = messages.findIndex(({ role, content }) => role === "user" && content === turn.prompt);
        const answered = messages.findIndex(({ content }, index) => index > asked && content === turn.text);
        if (asked === -1 || answered === -1) fault(`the turn "${turn.prompt}" is lost`);
      }
    }
    const newest = run.requests.at(-1);
    if (newest) {
      sent = newest.text.slice(0, -"]}".length);
      report.unknown += newest.messages.filter(isUnknown).length - unknownBefore;
      unknownBefore = newest.messages.filter(isUnknown).length;
    }
    const end = turnEnd(run.stdout);
    if (end?.outcome === "done") {
      finished.push({ prompt, text: end.text });
      report.turns++;
    } else if (!run.wasKilled) fault(`it ended with ${run.code}: ${run.stdout.slice(-500)}${run.stderr}`);
    // Effects are compared with what the model was told: the next request tells it, so the one before is looked at.
    if (first) {
      for (const wrong of wrongSteps(first.messages, before.log, before.tasks)) fault(wrong);
    }
  }

  return {
    async run(killAfter: number | undefined, random: (() => number) | undefined) {
      count++;
      before = effects(place.root);
      const prompt = `Go on, ${count}.`;
      const startedAt = performance.now();
      const run = await runOnce(place, prompt, killAfter, random);
      const milliseconds = performance.now() - startedAt;
      await delay(run.wasKilled ? SETTLE_MS : 0);
      check(run, prompt);
      return { ...run, milliseconds };
    },
  };
}

/** Kills after so many milliseconds, or at a random moment after a random request; without `random` not at all. */
async function runOnce(
  { root, server }: Place,
  prompt: string,
  killAfter: number | undefined,
  random: (() => number) | undefined,
): Promise<Run> {
  const before = server.requests.length;
  const isSaved = sessionFiles(root).some((name) => name.endsWith(".jsonl"));
  const args = ["ask", ...(isSaved ? ["--continue"] : []), prompt];
  const options = ["--permission-mode", "bypass", "--output-format", "stream-json", "--num-ctx", "200000"];
  const child = spawn(process.execPath, [CLI_ENTRY, ...args, ...options], {
    cwd: join(root, "workspace"),
    env: {
      PATH: process.env["PATH"],
      HOME: join(root, "state"),
      MINI_CC_HOME: join(root, "state"),
      OLLAMA_HOST: server.url,
      LANG: "C.UTF-8",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => (said[name] += text));
  }
  const closed = once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>;
  const stop = new AbortController();
  if (random) void killAtRandom(() => child.kill("SIGKILL"), server, before, killAfter, random, stop.signal);
  const [code, signal] = await closed;
  stop.abort();
  const requests = server.requests
    .slice(before)
    .filter(({ path }) => path === "/api/chat")
    .map(({ text, body }) => ({ text, messages: (body as ChatRequest).messages }));
  return { wasKilled: signal === "SIGKILL", code, ...said, requests };
}

async function killAtRandom(
  kill: () => void,
  server: ScriptedOllama,
  before: number,
  killAfter: number | undefined,
  random: () => number,
  signal: AbortSignal,
): Promise<void> {
  try {
    if (killAfter === undefined) {
      const wanted = 1 + Math.floor(random() * 5);
      const chats = () => server.requests.slice(before).filter(({ path }) => path === "/api/chat").length;
      while (chats() < wanted) await delay(2, undefined, { signal });
      await delay(random() * random() * 250, undefined, { signal });
    } else {
      await delay(killAfter, undefined, { signal });
    }
    kill();
  } catch (error) {
    // The run has ended by itself.
    if (!signal.aborted) throw error;
  }
}

function effects(root: string) {
  const read = (name: string) => readFileSync(join(root, "workspace", name), "utf8");
  return { log: read("log.txt"), tasks: read("tasks.txt") };
}

function isUnknown({ role, content }: ChatMessage): boolean {
  return role === "tool" && content.includes("may have taken effect");
}

function turnEnd(stdout: string): { outcome: string; text: string } | undefined {
  const last = stdout.trimEnd().split("\n").at(-1) ?? "";
  if (!last.startsWith('{"type":"turn-end"') || !stdout.endsWith("\n")) return undefined;
  return JSON.parse(last) as { outcome: string; text: string };
}

function sessionFiles(root: string): string[] {
  const folder = join(root, "state", "sessions");
  return existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => name)
    : [];
}

/** The same numbers for the same seed (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}
