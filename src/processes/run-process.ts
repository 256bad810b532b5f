import { spawn } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { messageOf } from "../errors.js";
import { createDecoder, createOutputBuffer } from "./output-buffer.js";
import type { KeptOutput } from "./output-buffer.js";
import { endTree, groupExists, TAG_VARIABLE } from "./process-tree.js";

export interface ProcessRequest {
  argv: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Characters of output kept in memory. */
  maxOutputChars: number;
  /** Undefined: no limit. */
  timeoutMs?: number;
  /** Gets output as it comes, standard output and standard error mixed. */
  onOutput?(text: string): void;
}

/** Why we ended a process. */
type StopReason = "timed-out" | "cancelled" | "stopped";

export type ProcessEnd =
  | { kind: "exited"; code: number }
  | { kind: "signalled"; signal: NodeJS.Signals }
  | { kind: StopReason }
  | { kind: "not-started"; reason: string };

export interface RunningProcess {
  /** Settles when the process is gone, with its group, and its output is complete. Never rejects. */
  finished: Promise<ProcessEnd>;
  /** Ends it with all descendants; resolves with `finished`. */
  stop(reason: StopReason): Promise<ProcessEnd>;
  /** Ends its group at once and waits for nothing: for a process that is itself about to end. */
  kill(): void;
  /** Output since the last call. */
  takeOutput(): KeptOutput;
  /** After the end: the command had left processes in its group, which were ended. */
  leftProcesses(): boolean;
}

/** After the command's end its output may still be on the way; a grandchild may keep the pipe open for ever. */
const DRAIN_MS = 250;

/**
 * Starts a program as leader of its own session and process group: no terminal, no standard input. However it
 * ends (by itself, by the time limit, by `stop`), the same clean-up follows: what is left of its group is ended,
 * and `finished` settles only then. A stop also ends descendants that left the group, found by `tag`.
 */
export function startProcess(request: ProcessRequest, tag: string): RunningProcess {
  const output = createOutputBuffer(request.maxOutputChars);
  const onText = (text: string): void => {
    output.add(text);
    request.onOutput?.(text);
  };
  let leftProcesses = false;
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
    const [file = "", ...args] = request.argv;
    let child;
    try {
      child = spawn(file, args, {
        cwd: request.cwd,
        env: { ...request.env, [TAG_VARIABLE]: tag },
        detached: process.platform !== "win32",
        stdio: ["ignore", "pipe", "pipe"],
        windowsHide: true,
      });
    } catch (error) {
      return { kind: "not-started", reason: messageOf(error) };
    }
    const streams = [child.stdout, child.stderr];
    const decoders = streams.map((stream) => {
      const decoder = createDecoder(onText);
      stream.on("data", (chunk: Buffer) => decoder.write(chunk));
      return decoder;
    });
    const exited = new Promise<ProcessEnd>((resolve) => {
      child.once("error", (error) => resolve({ kind: "not-started", reason: error.message }));
      child.once("exit", (code, signal) =>
        resolve(signal === null ? { kind: "exited", code: code ?? 0 } : { kind: "signalled", signal }),
      );
    });
    const closed = new Promise<void>((resolve) => {
      child.once("close", () => resolve());
    });
    const { pid } = child;
    if (pid === undefined) return exited;
    group = pid;

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
      if (groupExists(pid)) leftProcesses = await endTree({ group: pid });
    }
    const end = await exited;
    await within(DRAIN_MS, closed);
    for (const stream of streams) stream.destroy();
    for (const decoder of decoders) decoder.end();
    return cause === undefined ? end : { kind: cause };
  }

  const finished = live();
  const kill = () => {
    if (group !== undefined && groupExists(group)) process.kill(-group, "SIGKILL");
  };
  return { finished, stop, kill, takeOutput: () => output.take(), leftProcesses: () => leftProcesses };
}

async function within(limitMs: number, event: Promise<void>): Promise<void> {
  const timer = new AbortController();
  await Promise.race([event, delay(limitMs, undefined, { signal: timer.signal }).catch(() => undefined)]);
  timer.abort();
}
