import { spawn } from "node:child_process";
import type { ChildProcess, StdioOptions } from "node:child_process";
import { closeSync } from "node:fs";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { messageOf } from "../errors.js";
import { createOutputBuffer } from "./output-buffer.js";
import type { KeptOutput } from "./output-buffer.js";
import { openOutputPipe } from "./output-pipe.js";
import { livingMembers, TAG_VARIABLE } from "./process-list.js";
import { endTree, groupExists } from "./process-tree.js";

export interface ProcessRequest {
  argv: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Of output kept in memory. */
  maxOutputBytes: number;
  /** Undefined: no limit. */
  timeoutMs?: number;
  /** Gives the program a file descriptor 3, for words that are no output. */
  takesReport?: boolean;
  /** Gets output as it comes, standard output and standard error mixed. */
  onOutput?(chunk: Buffer): void;
}

/** Why we ended a process. */
type StopReason = "timed-out" | "cancelled" | "stopped";

export type ProcessEnd =
  | { kind: "exited"; code: number }
  | { kind: "signalled"; signal: NodeJS.Signals }
  | { kind: StopReason }
  | { kind: "not-started"; reason: string };

/** What a program left behind when it ended by itself. */
export interface Leftovers {
  /** Processes of its group, which were ended. */
  ended: number;
  /** Processes that left its group, hold its output open and run on. */
  running: number;
}

export interface RunningProcess {
  /** Settles when the process is gone, with its group, and its output is complete. Never rejects. */
  finished: Promise<ProcessEnd>;
  /** Ends it with all descendants; resolves with `finished`. */
  stop(reason: StopReason): Promise<ProcessEnd>;
  /** Ends its group at once and waits for nothing: for a process that is itself about to end. */
  kill(): void;
  /** Output since the last call. */
  takeOutput(): KeptOutput;
  /** After the end. */
  leftovers(): Leftovers;
  /** What was written to descriptor 3, at most 1 KB. */
  report(): string;
}

/** Told of process groups as they come and go. */
export interface GroupWatcher {
  watch(group: number): void;
  forget(group: number): void;
}

/** After the command's end its output may still be on the way; a grandchild may keep the pipe open for ever. */
const DRAIN_MS = 250;
const MAX_REPORT_CHARS = 1_024;

/**
 * Starts a program as leader of its own session and process group: no terminal, no standard input. However it
 * ends (by itself, by the time limit, by `stop`), the same clean-up follows: what is left of its group is ended,
 * and `finished` settles only then. A stop also ends descendants that left the group, found by `tag`.
 */
export function startProcess(request: ProcessRequest, tag: string, watcher?: GroupWatcher): RunningProcess {
  const output = createOutputBuffer(request.maxOutputBytes);
  let leftovers: Leftovers = { ended: 0, running: 0 };
  let report = "";
  let group: number | undefined;
  let stopReason: StopReason | undefined;
  let requestStop = (): void => undefined;
  const stopRequested = new Promise<void>((resolve) => {
    requestStop = resolve;
  });
  const stop = (reason: StopReason): Promise<ProcessEnd> => {
    stopReason ??= reason;
    requestStop();
    return finished;
  };

  async function live(): Promise<ProcessEnd> {
    const started = await spawnWithPipe(request, tag);
    if ("reason" in started) return { kind: "not-started", reason: started.reason };
    const { child, outputs } = started;
    const exited = new Promise<ProcessEnd>((resolve) => {
      child.once("error", (error) => resolve({ kind: "not-started", reason: error.message }));
      child.once("exit", (code, signal) =>
        resolve(signal === null ? { kind: "exited", code: code ?? 0 } : { kind: "signalled", signal }),
      );
    });
    for (const stream of outputs) {
      stream.on("data", (chunk: Buffer) => {
        output.add(chunk);
        request.onOutput?.(chunk);
      });
    }
    const reports = request.takesReport === true ? [child.stdio[3] as Readable] : [];
    for (const stream of reports) {
      stream.on("data", (chunk: Buffer) => (report = (report + chunk.toString()).slice(0, MAX_REPORT_CHARS)));
    }
    const streams = [...outputs, ...reports];
    let open = streams.length;
    const closed = Promise.all(
      streams.map(
        (stream) =>
          new Promise<void>((resolve) => {
            // One that is reset has ended too.
            stream.on("error", () => undefined);
            stream.once("close", () => {
              open--;
              resolve();
            });
          }),
      ),
    );
    const { pid } = child;
    if (pid === undefined) {
      for (const stream of streams) stream.destroy();
      return exited;
    }
    group = pid;
    watcher?.watch(pid);

    const timer =
      request.timeoutMs === undefined
        ? undefined
        : setTimeout(() => void stop("timed-out"), request.timeoutMs);
    const ended = await Promise.race([exited, stopRequested]);
    clearTimeout(timer);

    const cause = ended === undefined ? stopReason : undefined;
    if (cause !== undefined) {
      await endTree({ group: pid, tag });
    } else {
      await within(DRAIN_MS, closed);
      leftovers = {
        ended: groupExists(pid) ? await endTree({ group: pid }) : 0,
        running: open > 0 ? (await livingMembers({ tag })).length : 0,
      };
    }
    const end = await exited;
    await within(DRAIN_MS, closed);
    for (const stream of streams) stream.destroy();
    watcher?.forget(pid);
    return cause === undefined ? end : { kind: cause };
  }

  const finished = live();
  const kill = () => {
    if (group !== undefined && groupExists(group)) process.kill(-group, "SIGKILL");
  };
  return {
    finished,
    stop,
    kill,
    takeOutput: () => output.take(),
    leftovers: () => leftovers,
    report: () => report,
  };
}

/** The program and the streams of its output: one where the system has such a pipe, or else two. */
async function spawnWithPipe(
  { argv, cwd, env, takesReport }: ProcessRequest,
  tag: string,
): Promise<{ child: ChildProcess; outputs: Readable[] } | { reason: string }> {
  const [file = "", ...args] = argv;
  const pipe = await openOutputPipe();
  const target = pipe?.writeEnd ?? "pipe";
  const stdio: StdioOptions = ["ignore", target, target, ...(takesReport === true ? ["pipe" as const] : [])];
  try {
    const child = spawn(file, args, {
      cwd,
      env: { ...env, [TAG_VARIABLE]: tag },
      detached: process.platform !== "win32",
      stdio,
      windowsHide: true,
    });
    const outputs = pipe ? [pipe.reader] : [child.stdout, child.stderr].filter((stream) => stream !== null);
    return { child, outputs };
  } catch (error) {
    pipe?.reader.destroy();
    return { reason: messageOf(error) };
  } finally {
    if (pipe) closeSync(pipe.writeEnd);
  }
}

async function within(limitMs: number, event: Promise<unknown>): Promise<void> {
  const timer = new AbortController();
  await Promise.race([event, delay(limitMs, undefined, { signal: timer.signal }).catch(() => undefined)]);
  timer.abort();
}
