import { setMaxListeners } from "node:events";
import { messageOf } from "../errors.js";
import type { TurnLimit } from "./turn-limits.js";
import { timeLimit } from "./turn-limits.js";

/** Aborts a turn whose time is up; its message is a clause about the limit. */
export class TimeIsUp extends Error {
  readonly limit: TurnLimit;

  constructor(limit: TurnLimit) {
    super(limit.reason);
    this.name = "AbortError";
    this.limit = limit;
  }
}

/** The wall time of a turn, without the time in which somebody is asked. */
export interface TurnClock {
  /** Aborts with the given signal, or with TimeIsUp. */
  readonly signal: AbortSignal;
  /** The clock stands still until the answer has come. */
  whileAsking<T>(ask: () => Promise<T>): Promise<T>;
  stop(): void;
}

/** Node's timers hold a signed 32-bit number of milliseconds. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export function startClock(minutes: number, given: AbortSignal): TurnClock {
  const controller = new AbortController();
  const { signal } = controller;
  let left = minutes * 60_000;
  let since = performance.now();
  let asking = 0;
  let timer: NodeJS.Timeout | undefined;

  const cancel = () => controller.abort(given.reason);
  function run(): void {
    since = performance.now();
    timer = setTimeout(expire, Math.min(left, LONGEST_TIMER_MS));
    // What a turn waits for keeps the process alive; the clock by itself need not.
    timer.unref();
  }
  function pause(): void {
    clearTimeout(timer);
    left -= performance.now() - since;
  }
  function expire(): void {
    pause();
    if (left > 0) run();
    else controller.abort(new TimeIsUp(timeLimit(minutes)));
  }

  // Every layer of a step listens to the one signal, and a turn has many steps.
  setMaxListeners(0, signal);
  if (given.aborted) cancel();
  given.addEventListener("abort", cancel, { once: true });
  run();
  return {
    signal,
    async whileAsking(ask) {
      if (asking++ === 0) pause();
      try {
        return await ask();
      } finally {
        if (--asking === 0) run();
      }
    },
    stop() {
      clearTimeout(timer);
      given.removeEventListener("abort", cancel);
    },
  };
}

/** Why a turn was stopped, as the model is told it: a clause. */
export function stopReason({ reason }: AbortSignal): string {
  return messageOf(reason);
}
