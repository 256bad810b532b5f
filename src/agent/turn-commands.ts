import type { CommandRun } from "../sessions/records.js";
import type { BackgroundCommands } from "../tools/background-runs.js";

/** The commands of a turn: what it ran, and what it learnt of those in the background. */
export interface TurnCommands {
  add(run: CommandRun): void;
  /** With what those in the background do now. */
  now(): CommandRun[];
}

export function createTurnCommands(background: Pick<BackgroundCommands, "now">): TurnCommands {
  const runs: CommandRun[] = [];
  return {
    add(run) {
      const same =
        run.background === undefined ? -1 : runs.findIndex((one) => one.background === run.background);
      if (same === -1) runs.push(run);
      else runs[same] = run;
    },
    now: () => runs.map((run) => (run.state === "running" && background.now(run.background ?? "")) || run),
  };
}
