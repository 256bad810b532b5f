import { constants } from "node:os";
import type { BackgroundEnd } from "../processes/background-processes.js";
import type { CommandRun } from "../sessions/records.js";

/** What is known of a command that has ended. */
export interface EndedCommand {
  command: string;
  end: BackgroundEnd;
  timeoutSeconds?: number;
  /** Exit codes of the programs of its last pipeline, if the shell told. */
  statuses?: readonly number[] | undefined;
}

/** How a command ended, in words that claim no success. */
export function describeEnd({ command, end, timeoutSeconds, statuses }: EndedCommand): string {
  switch (end.kind) {
    case "exited":
      return `exit code ${end.code}${signalOf(end.code)}${pipelineWords(command, end.code, statuses)}`;
    case "signalled":
      return `ended by signal ${end.signal}`;
    case "timed-out":
      return `timed out after ${timeoutSeconds ?? 0} s; the command and everything it had started were ended`;
    case "cancelled":
      return "cancelled; the command and everything it had started were ended";
    case "stopped":
      return "stopped, with everything it had started";
    case "lost":
      return "lost: mini-cc was ended meanwhile, and the command with it";
    case "not-started":
      return `could not be started: ${end.reason}`;
  }
}

/** The same for evidence and records. */
export function commandRun({ command, end, statuses = [] }: EndedCommand): CommandRun {
  return {
    command,
    exitCode: end.kind === "exited" ? end.code : null,
    ...(failedBefore(statuses).length > 0 && { pipeline: [...statuses] }),
  };
}

/** The state of a command in the background, in one word. */
export function stateOf(end: BackgroundEnd | undefined): NonNullable<CommandRun["state"]> {
  switch (end?.kind) {
    case undefined:
      return "running";
    case "exited":
    case "stopped":
    case "lost":
      return end.kind;
    case "signalled":
    case "timed-out":
    case "cancelled":
      return "killed";
    case "not-started":
      return "exited";
  }
}

/** A shell reports a program that a signal ended as 128 and the signal's number. */
function signalOf(code: number): string {
  const found = Object.entries(constants.signals).find(([, number]) => number === code - 128);
  return found === undefined ? "" : ` (128 + ${found[0]})`;
}

/** A program that writes to one which needs no more of it ends with this: the way of `… | head`. */
const BROKEN_PIPE = 128 + constants.signals.SIGPIPE;

/** The programs before the last of a pipeline that failed, which its exit code does not tell. */
function failedBefore(statuses: readonly number[]): { place: number; status: number }[] {
  return statuses
    .map((status, index) => ({ place: index + 1, status }))
    .slice(0, -1)
    .filter(({ status }) => status !== 0 && status !== BROKEN_PIPE);
}

function pipelineWords(command: string, code: number, statuses: readonly number[] | undefined): string {
  const isPipeline = statuses === undefined ? endsInPipeline(command) : statuses.length > 1;
  if (!isPipeline) return "";
  // With pipefail, or negated.
  if (statuses !== undefined && statuses.at(-1) !== code) {
    return ` (exit codes in the pipeline: ${statuses.join(", ")})`;
  }
  const failed = failedBefore(statuses ?? []).map(
    ({ place, status }) =>
      `; command ${place} of ${statuses?.length ?? 0} failed with exit code ${status}${signalOf(status)}`,
  );
  return ` (last command of the pipeline${failed.join("")})`;
}

/** Whether the last command of the line is the end of a pipeline, so that the exit code hides its other parts. */
export function endsInPipeline(command: string): boolean {
  if (/\bpipefail\b/.test(command)) return false;
  let quote = "";
  let depth = 0;
  let pipe = false;
  for (let at = 0; at < command.length; at++) {
    const character = command[at] ?? "";
    const two = command.slice(at, at + 2);
    if (character === "\\" && quote !== "'") at++;
    else if (quote !== "") quote = character === quote ? "" : quote;
    else if (character === "'" || character === '"' || character === "`") quote = character;
    else if (character === "(" || character === "{") depth++;
    else if (character === ")" || character === "}") depth--;
    else if (depth > 0) continue;
    else if (two === "||" || two === "&&") {
      pipe = false;
      at++;
    } else if (character === "|" && command[at - 1] !== ">") pipe = true;
    else if ((character === ";" || character === "\n") && command.slice(at + 1).trim() !== "") pipe = false;
  }
  return pipe;
}
