import { setTimeout as delay } from "node:timers/promises";
import { NO_OUTPUT } from "./output-buffer.js";
import type { KeptOutput } from "./output-buffer.js";
import type { Leftovers, ProcessEnd, ProcessRequest, RunningProcess } from "./run-process.js";

/** "lost": it ran when an earlier mini-cc ended, and ended with it; nothing more is known. */
export type BackgroundEnd = ProcessEnd | { kind: "lost" };

export interface BackgroundProcess {
  readonly id: string;
  readonly command: string;
  /** Undefined while it runs. */
  readonly end: BackgroundEnd | undefined;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Output since the last call. */
  takeOutput(): KeptOutput;
  /** After the end. */
  leftovers(): Leftovers;
  /** Resolves when it has printed something or has ended, at the latest after `limitMs` or on an abort. */
  waitForNews(limitMs: number, signal?: AbortSignal): Promise<void>;
  stop(): Promise<BackgroundEnd>;
}

/** The background processes of a session, by the ids that the model knows them by. */
export interface BackgroundProcesses {
  all(): readonly BackgroundProcess[];
  find(id: string): BackgroundProcess | undefined;
  /** Those that have ended since the last call and were not acknowledged. */
  takeEnded(): readonly BackgroundProcess[];
  /** The model knows that it has ended. */
  acknowledge(id: string): void;
  /** Those of an earlier mini-cc that the model believes to be running, and all ids that it knows. */
  recall(lost: readonly Pick<BackgroundProcess, "id" | "command">[], ids: readonly string[]): void;
}

/** A program that cannot start has usually said so by then … */
const START_MS = 500;
/** … and a silent one is waited for a little longer. */
const SILENT_START_MS = 1_500;
const LAST_WORDS_MS = 200;

export function createBackgroundProcesses(startProcess: (request: ProcessRequest) => RunningProcess): {
  start(command: string, request: ProcessRequest): Promise<BackgroundProcess>;
  list: BackgroundProcesses;
} {
  const known = new Map<string, BackgroundProcess>();
  const unheard = new Set<string>();
  let number = 0;

  function nextId(): string {
    number++;
    return `c${number}`;
  }

  async function start(command: string, request: ProcessRequest): Promise<BackgroundProcess> {
    let tellOutput = (): void => undefined;
    const output = { isNew: false };
    const started = startProcess({
      ...request,
      onOutput(chunk) {
        request.onOutput?.(chunk);
        output.isNew = true;
        tellOutput();
      },
    });
    const startedAt = Date.now();
    let end: ProcessEnd | undefined;
    const ended = started.finished.then((how) => {
      end = how;
    });
    const entry: BackgroundProcess = {
      id: nextId(),
      command,
      get end() {
        return end;
      },
      startedAt,
      takeOutput() {
        output.isNew = false;
        return started.takeOutput();
      },
      leftovers: () => started.leftovers(),
      async waitForNews(limitMs, signal) {
        if (output.isNew || end !== undefined) return;
        const news = new AbortController();
        const wake = (): void => news.abort();
        tellOutput = wake;
        void ended.then(wake);
        signal?.addEventListener("abort", wake);
        await delay(limitMs, undefined, { signal: news.signal }).catch(() => undefined);
        signal?.removeEventListener("abort", wake);
      },
      stop: () => started.stop("stopped"),
    };
    known.set(entry.id, entry);
    await Promise.race([ended, delay(START_MS)]);
    if (!output.isNew) {
      await entry.waitForNews(SILENT_START_MS - START_MS);
      // Its first words may be its last.
      await Promise.race([ended, delay(LAST_WORDS_MS)]);
    }
    void ended.then(() => unheard.add(entry.id));
    return entry;
  }

  return {
    start,
    list: {
      all: () => [...known.values()],
      find: (id) => known.get(id),
      takeEnded() {
        const ended = [...known.values()].filter(({ id }) => unheard.has(id));
        unheard.clear();
        return ended;
      },
      acknowledge(id) {
        unheard.delete(id);
      },
      recall(lost, ids) {
        for (const { id, command } of lost) {
          if (known.has(id)) continue;
          known.set(id, lostProcess(id, command));
          unheard.add(id);
        }
        number = Math.max(number, ...ids.map((id) => Number(/^c(\d+)$/.exec(id)?.[1] ?? 0)));
      },
    },
  };
}

function lostProcess(id: string, command: string): BackgroundProcess {
  const end = { kind: "lost" } as const;
  return {
    id,
    command,
    end,
    startedAt: 0,
    takeOutput: () => NO_OUTPUT,
    leftovers: () => ({ ended: 0, running: 0 }),
    waitForNews: () => Promise.resolve(),
    stop: () => Promise.resolve(end),
  };
}
