import type { Bottom } from "../bottom/bottom.js";
import type { TerminalInput } from "../keyboard/terminal-input.js";

/** Ctrl-Z and `fg`: the shell gets the terminal as it was, and afterwards everything is drawn again. */
export interface JobControl {
  /** As Ctrl-Z does where it is not read as a key: stops this process and those that belong to its job. */
  suspend(): void;
  close(): void;
}

/** Milliseconds in which the signal of a continuation comes that was noticed already. */
const LATE_SIGNAL_MS = 300;

export function createJobControl(input: TerminalInput, bottom: Bottom): JobControl {
  if (process.platform === "win32") return { suspend() {}, close() {} };
  let continuedAt = -Infinity;

  function onStop(): void {
    const takeBack = input.lend();
    bottom.hide();
    // Without our own listener the signal stops this process, but not if nobody could continue it.
    process.off("SIGTSTP", onStop);
    process.kill(process.pid, "SIGTSTP");
    process.on("SIGTSTP", onStop);
    continuedAt = performance.now();
    takeBack();
    bottom.show();
  }

  /** After a stop that could not be told before, as by SIGSTOP. */
  function onContinue(): void {
    if (performance.now() - continuedAt < LATE_SIGNAL_MS) return;
    const takeBack = input.lend();
    takeBack();
    bottom.forget();
  }

  process.on("SIGTSTP", onStop);
  process.on("SIGCONT", onContinue);
  return {
    suspend() {
      process.kill(0, "SIGTSTP");
    },
    close() {
      process.off("SIGTSTP", onStop);
      process.off("SIGCONT", onContinue);
    },
  };
}
