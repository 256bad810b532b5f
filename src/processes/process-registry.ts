import { randomUUID } from "node:crypto";
import type { BackgroundProcess, BackgroundProcesses } from "./background-processes.js";
import { createBackgroundProcesses } from "./background-processes.js";
import { NO_OUTPUT } from "./output-buffer.js";
import type { KeptOutput } from "./output-buffer.js";
import { endTree } from "./process-tree.js";
import { startProcess } from "./run-process.js";
import type { Leftovers, ProcessEnd, ProcessRequest, RunningProcess } from "./run-process.js";
import type { Watchdog } from "./watchdog.js";
import { startWatchdog } from "./watchdog.js";

interface ProcessResult {
  end: ProcessEnd;
  output: KeptOutput;
  leftovers: Leftovers;
  /** What it wrote to descriptor 3. */
  report: string;
}

/** All processes that commands have started; `dispose` leaves none of them. */
export interface ProcessRegistry {
  /** Runs to the end. An abort ends the whole tree and is reported as "cancelled", not thrown. */
  run(request: ProcessRequest, signal: AbortSignal): Promise<ProcessResult>;
  /** Starts and returns after a moment, in which a start that fails has failed. Lives until `stop` or `dispose`. */
  startInBackground(command: string, request: ProcessRequest): Promise<BackgroundProcess>;
  readonly background: BackgroundProcesses;
  /** Ends everything, with descendants that left their group; nothing can be started afterwards. */
  dispose(): Promise<void>;
}

export function createProcessRegistry(): ProcessRegistry {
  const tag = randomUUID();
  const running = new Set<RunningProcess>();
  let watchdog: Watchdog | undefined;
  let count = 0;
  let disposed = false;
  // A second Ctrl-C, or a reader of our output that went away, ends this process without `dispose`.
  const killAll = () => running.forEach((started) => started.kill());
  process.once("exit", killAll);

  function start(request: ProcessRequest): RunningProcess {
    if (disposed) throw new Error("The process registry is disposed of");
    count++;
    watchdog ??= startWatchdog(tag);
    const started = startProcess(request, `${tag}:${count};`, watchdog);
    running.add(started);
    void started.finished.then(() => running.delete(started));
    return started;
  }

  const background = createBackgroundProcesses(start);
  return {
    async run(request, signal) {
      if (signal.aborted) {
        return {
          end: { kind: "cancelled" },
          output: NO_OUTPUT,
          leftovers: { ended: 0, running: 0 },
          report: "",
        };
      }
      const started = start(request);
      const cancel = (): void => void started.stop("cancelled");
      signal.addEventListener("abort", cancel);
      const end = await started.finished;
      signal.removeEventListener("abort", cancel);
      return {
        end,
        output: started.takeOutput(),
        leftovers: started.leftovers(),
        report: started.report(),
      };
    },

    startInBackground: (command, request) => background.start(command, request),
    background: background.list,

    async dispose() {
      disposed = true;
      await Promise.all([...running].map((started) => started.stop("stopped")));
      if (count > 0) await endTree({ tag });
      watchdog?.dismiss();
      process.off("exit", killAll);
    },
  };
}
