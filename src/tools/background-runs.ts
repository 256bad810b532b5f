import type { BackgroundProcess } from "../processes/background-processes.js";
import { commandRun, describeEnd, stateOf } from "./command-end.js";
import type { CommandRun } from "./tool.js";

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
