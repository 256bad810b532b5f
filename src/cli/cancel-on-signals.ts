import { EXIT } from "../errors.js";

/**
 * Runs `work` with a signal that SIGINT, SIGTERM and SIGHUP abort; the work then ends what it started. A second SIGINT
 * or SIGTERM does not wait for that; SIGHUP comes twice by itself, from the terminal and from the shell.
 */
export async function cancelOnSignals<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const cancel = (name: NodeJS.Signals) => {
    if (controller.signal.aborted && name !== "SIGHUP") process.exit(EXIT.cancelled);
    controller.abort(new DOMException("Cancelled by the user", "AbortError"));
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const name of signals) process.on(name, cancel);
  try {
    return await work(controller.signal);
  } finally {
    for (const name of signals) process.off(name, cancel);
  }
}
