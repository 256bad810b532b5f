import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { endTree } from "./process-tree.js";
import { startProcess } from "./run-process.js";
import type { ProcessEnd, ProcessRequest, RunningProcess } from "./run-process.js";
import type { KeptOutput } from "./output-buffer.js";

interface ProcessResult {
  end: ProcessEnd;
  output: KeptOutput;
  /** It had left processes behind, which were ended. */
  leftProcesses: boolean;
}

export interface BackgroundProcess {
  id: string;
  command: string;
  /** Undefined while it runs. */
  end: ProcessEnd | undefined;
  finished: Promise<ProcessEnd>;
  startedAt: number;
  takeOutput(): KeptOutput;
  stop(): Promise<ProcessEnd>;
}

/** All processes that commands have started; `dispose` leaves none of them. */
export interface ProcessRegistry {
  /** Runs to the end. An abort ends the whole tree and is reported as "cancelled", not thrown. */
  run(request: ProcessRequest, signal: AbortSignal): Promise<ProcessResult>;
  /** Starts and returns after a moment, in which a start that fails has failed. Lives until `stop` or `dispose`. */
  startInBackground(command: string, request: ProcessRequest): Promise<BackgroundProcess>;
  findBackground(id: string): BackgroundProcess | undefined;
  listBackground(): readonly BackgroundProcess[];
  /** Ends everything, with descendants that left their group; nothing can be started afterwards. */
  dispose(): Promise<void>;
}

/** A server that cannot start has usually said so by then. */
const START_MS = 500;

export function createProcessRegistry(): ProcessRegistry {
  const tag = randomUUID();
  const running = new Set<RunningProcess>();
  const background = new Map<string, BackgroundProcess>();
  let count = 0;
  let disposed = false;
  // A second Ctrl-C, or a reader of our output that went away, ends this process without `dispose`.
  const killAll = () => running.forEach((started) => started.kill());
  process.once("exit", killAll);

  function start(request: ProcessRequest): RunningProcess {
    if (disposed) throw new Error("The process registry is disposed of");
    count++;
    const started = startProcess(request, `${tag}:${count};`);
    running.add(started);
    void started.finished.then(() => running.delete(started));
    return started;
  }

  return {
    async run(request, signal) {
      if (signal.aborted) {
        return {
          end: { kind: "cancelled" },
          output: { head: "", tail: "", omitted: 0 },
          leftProcesses: false,
        };
      }
      const started = start(request);
      const cancel = (): void => void started.stop("cancelled");
      signal.addEventListener("abort", cancel);
      const end = await started.finished;
      signal.removeEventListener("abort", cancel);
      return { end, output: started.takeOutput(), leftProcesses: started.leftProcesses() };
    },

    async startInBackground(command, request) {
      const started = start(request);
      const entry: BackgroundProcess = {
        id: `c${background.size + 1}`,
        command,
        end: undefined,
        finished: started.finished,
        startedAt: Date.now(),
        takeOutput: () => started.takeOutput(),
        stop: () => started.stop("stopped"),
      };
      background.set(entry.id, entry);
      const ended = started.finished.then((end) => {
        entry.end = end;
      });
      await Promise.race([ended, delay(START_MS)]);
      return entry;
    },

    findBackground: (id) => background.get(id),
    listBackground: () => [...background.values()],

    async dispose() {
      disposed = true;
      await Promise.all([...running].map((started) => started.stop("stopped")));
      await endTree({ tag });
      process.off("exit", killAll);
    },
  };
}
