import { spawn } from "node:child_process";
import type { ChildProcess, StdioOptions } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { expectValidOutput } from "./event-schema.js";

/** The built command line; `npm test` builds it first. */
export const CLI_ENTRY = fileURLToPath(new URL("../../dist/index.js", import.meta.url));

export type Environment = Readonly<Record<string, string | undefined>>;

export interface RunOptions {
  /** Default: the place's workspace. */
  cwd?: string;
  /** On top of the place's environment; undefined removes a variable. */
  env?: Environment;
  /** What is piped in to its end. Default: the null device. */
  stdin?: string | Uint8Array;
  /** Standard input is a pipe that stays open and says nothing. */
  silentStdin?: boolean;
}

export interface CliResult {
  /** Null if a signal ended it. */
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface RunningCli {
  child: ChildProcess;
  pid: number;
  /** What was printed until now. */
  stdout(): string;
  stderr(): string;
  kill(signal: NodeJS.Signals): void;
  /** Resolves when both streams together have said it; rejects if the process ends first. */
  waitForOutput(text: string | RegExp): Promise<void>;
  /** Rejects what its output format does not allow. */
  ended: Promise<CliResult>;
}

/** A workspace and a home of its own, so that runs share state with each other and with nothing else. */
export interface CliPlace {
  workspace: string;
  /** HOME; holds the state folder. */
  home: string;
  /** MINI_CC_HOME: the user's config.json, sessions, trust. */
  state: string;
  /** The whole environment of a run. */
  env: Environment;
  /** Writes a file below the workspace and returns its path. */
  file(path: string, content: string | Uint8Array): string;
  /** The text of a file of the workspace. */
  text(path: string): string;
  /** Writes the user's configuration file and returns its path. */
  userConfig(config: object): string;
  start(args: readonly string[], options?: RunOptions): RunningCli;
  /** Runs it to its end; rejects, with what was printed, if that does not come in 30 s. */
  run(args: readonly string[], options?: RunOptions): Promise<CliResult>;
}

const RUN_LIMIT_MS = 30_000;

/** Temporary folders that go away with the test, and with them every process that was started here. */
export function createPlace(env: Environment = {}): CliPlace {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "mini-cc-cli-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [workspace, home] = [join(root, "workspace"), join(root, "home")];
  const state = join(home, "state");
  for (const folder of [workspace, state]) mkdirSync(folder, { recursive: true });
  const clean = { PATH: process.env["PATH"], LANG: "C.UTF-8", HOME: home, MINI_CC_HOME: state, ...env };

  const write = (path: string, content: string | Uint8Array): string => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return path;
  };
  const start = (args: readonly string[], options: RunOptions = {}) =>
    startCli(args, { ...options, cwd: options.cwd ?? workspace, env: { ...clean, ...options.env } });

  return {
    workspace,
    home,
    state,
    env: clean,
    file: (path, content) => write(join(workspace, path), content),
    text: (path) => readFileSync(join(workspace, path), "utf8"),
    userConfig: (config) => write(join(state, "config.json"), JSON.stringify(config)),
    start,
    async run(args, options) {
      const running = start(args, options);
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => {
          running.kill("SIGKILL");
          reject(new Error(`it hung; stdout: ${running.stdout()}\nstderr: ${running.stderr()}`));
        }, RUN_LIMIT_MS);
      });
      return Promise.race([running.ended, late]).finally(() => clearTimeout(timer));
    },
  };
}

function startCli(args: readonly string[], { cwd, env, stdin, silentStdin }: RunOptions): RunningCli {
  const stdio: StdioOptions = [stdin === undefined && !silentStdin ? "ignore" : "pipe", "pipe", "pipe"];
  const given = Object.entries(env ?? {}).filter(([, value]) => value !== undefined);
  const child = spawn(process.execPath, [CLI_ENTRY, ...args], {
    cwd,
    env: Object.fromEntries(given),
    stdio,
  });
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.setEncoding("utf8").on("data", (text: string) => (said[name] += text));
  }
  // It may end without having read what was piped in.
  child.stdin?.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE" && error.code !== "ECONNRESET") throw error;
  });
  if (stdin !== undefined) child.stdin?.end(stdin);

  const closed = new Promise<CliResult>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ code, signal, ...said }));
  });
  const ended = closed.then((result) => {
    expectValidOutput(args, result.stdout);
    return result;
  });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  return {
    child,
    pid: child.pid ?? -1,
    stdout: () => said.stdout,
    stderr: () => said.stderr,
    kill: (signal) => child.kill(signal),
    waitForOutput: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const all = said.stdout + said.stderr;
          if (typeof text === "string" ? all.includes(text) : text.test(all)) resolve();
        };
        for (const name of ["stdout", "stderr"] as const) child[name]?.on("data", look);
        child.once("close", () => reject(new Error(`it ended without ${text}: ${JSON.stringify(said)}`)));
        look();
      }),
    ended,
  };
}
