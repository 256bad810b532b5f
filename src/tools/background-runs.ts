import type { BackgroundProcess, BackgroundProcesses } from "../processes/background-processes.js";
import type { CommandRun } from "../sessions/records.js";
import { commandRun, describeEnd, stateOf } from "./command-end.js";

/** The commands in the background, as the conversation sees them. */
export interface BackgroundCommands {
  /** Those that have ended since the model was last told, each with what it is told now. */
  takeEnded(): readonly { run: CommandRun; text: string }[];
  /** What one does or how it ended; undefined if there is none of that id. */
  now(id: string): CommandRun | undefined;
}

export function backgroundCommands(processes: BackgroundProcesses): BackgroundCommands {
  return {
    takeEnded: () =>
      processes.takeEnded().map((ended) => ({ run: backgroundRun(ended), text: endText(ended) })),
    now(id) {
      const found = processes.find(id);
      return found && backgroundRun(found);
    },
  };
}

/** What a command in the background does or how it ended, for the model: follows its id. */
export function describeBackground({ end, command, startedAt }: BackgroundProcess): string {
  if (end !== undefined) return describeEnd({ command, end });
  return `is running for ${Math.round((Date.now() - startedAt) / 1000)} s`;
}

/** The same for evidence and records. */
export function backgroundRun({ id, command, end }: BackgroundProcess): CommandRun {
  const run = end === undefined ? { command, exitCode: null } : commandRun({ command, end });
  return { ...run, background: id, state: stateOf(end) };
}

function endText({ id, command, end }: BackgroundProcess): string {
  const what = `The background command ${id} (${command})`;
  if (end?.kind === "stopped") return `${what} was stopped by the user.`;
  if (end === undefined || end.kind === "lost") return `${what} ended when mini-cc was ended.`;
  return `${what} has ended: ${describeEnd({ command, end })}. command_output with id "${id}" gives its last output.`;
}
