import { EXIT } from "../errors.js";
import { printable } from "../printable.js";

/** Milliseconds in which what is at work is ended after a fault of our own; killing commands takes up to three seconds. */
const CLEAN_UP_MS = 10_000;

/**
 * Runs `work` with a signal that SIGINT, SIGTERM and SIGHUP abort; the work then ends what it started. A second SIGINT
 * or SIGTERM does not wait for that; SIGHUP comes twice by itself, from the terminal and from the shell. An error that
 * nobody caught aborts too, so that commands, records and terminal are left as after a signal, and is then thrown.
 */
export async function cancelOnSignals<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  let uncaught: { error: unknown } | undefined;
  let timer: NodeJS.Timeout | undefined;
  const cancel = (name: NodeJS.Signals) => {
    if (controller.signal.aborted && name !== "SIGHUP") process.exit(EXIT.cancelled);
    const reason = name === "SIGINT" ? "cancelled by the user" : `stopped by ${name}`;
    controller.abort(new DOMException(reason, "AbortError"));
  };
  const fail = (error: unknown) => {
    // What follows from the first is no news.
    if (uncaught) return;
    uncaught = { error };
    timer = setTimeout(() => {
      process.stderr.write(
        printable(`mini-cc: ${error instanceof Error ? (error.stack ?? "") : String(error)}\n`),
      );
      process.exit(EXIT.failed);
    }, CLEAN_UP_MS);
    controller.abort(new DOMException("stopped by an error of mini-cc", "AbortError"));
  };
  const hasFailed = () => uncaught;
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const name of signals) process.on(name, cancel);
  process.on("uncaughtException", fail);
  try {
    const result = await work(controller.signal);
    const failure = hasFailed();
    if (failure) throw failure.error;
    return result;
  } catch (error) {
    throw hasFailed()?.error ?? error;
  } finally {
    clearTimeout(timer);
    for (const name of signals) process.off(name, cancel);
    process.off("uncaughtException", fail);
  }
}
