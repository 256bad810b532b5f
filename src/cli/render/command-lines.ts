import type { TurnEnd } from "../../agent/agent-events.js";
import type { Messages } from "../messages/catalogue.js";

type CommandRun = TurnEnd["commands"][number];

/** A command, on one line and printable, in the summary of a turn: how it ended, or that it runs. */
export function commandLine(run: CommandRun, messages: Messages): string {
  const { command, exitCode, pipeline, background, state = "exited" } = run;
  const { processes, summary, glyphs } = messages;
  if (background !== undefined) {
    const words =
      state === "running"
        ? processes.running
        : state === "exited"
          ? processes.state.exited(exitCode)
          : processes.state[state];
    return processes.background(background, command, words);
  }
  const line = summary.ran(command, exitCode);
  return pipeline === undefined ? line : `${line} ${glyphs.separator} ${processes.pipeline(pipeline)}`;
}

/** Whether a command went wrong by itself: one that was stopped on purpose did not. */
export function hasFailed({ exitCode, state = "exited" }: CommandRun): boolean {
  return (state === "exited" || state === "killed") && exitCode !== 0;
}
