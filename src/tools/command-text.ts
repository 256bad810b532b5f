import { constants } from "node:os";
import type { KeptOutput } from "../processes/output-buffer.js";
import type { ProcessEnd } from "../processes/run-process.js";
import { printable } from "../printable.js";

const HEAD_SHARE = 0.3;

/** What a command printed, for the model: no escape sequences, and at most `maxChars` from head and tail. */
export function commandOutput({ head, tail, omitted }: KeptOutput, maxChars: number): string {
  const text =
    omitted === 0
      ? cleanOutput(head + tail)
      : `${cleanOutput(head)}\n${leftOut(omitted)}\n${cleanOutput(tail)}`;
  if (text.length <= maxChars) return text;
  const room = maxChars - leftOut(text.length + omitted).length - 2;
  const first = text
    .slice(0, Math.floor(room * HEAD_SHARE))
    .replace(/[^\n]*$/, (line) => (line.length > 200 ? line : ""));
  const last = text.slice(text.length - (room - first.length));
  // A marker from above may stand in the part that goes now.
  const lost = text.length - first.length - last.length + omitted;
  return `${first.trimEnd()}\n${leftOut(lost)}\n${last}`;
}

function leftOut(count: number): string {
  return `[… ${count} characters left out …]`;
}

/** Repeated this often, a line is shown once with a count. */
const MIN_REPEATS = 3;

function cleanOutput(text: string): string {
  const lines = text.split("\n").map(lastState);
  const result: string[] = [];
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? "";
    let next = at + 1;
    while (next < lines.length && lines[next] === line) next++;
    const repeats = next - at;
    if (repeats >= MIN_REPEATS && line !== "") result.push(line, `[the line above ${repeats} times in all]`);
    else result.push(...Array<string>(Math.min(repeats, MIN_REPEATS)).fill(line));
    at = next;
  }
  return result.join("\n").replace(/^\n+|\s+$/g, "");
}

/** A progress bar writes over its line again and again; only what stood there last is of interest. */
function lastState(line: string): string {
  if (!line.includes("\r")) return printable(line);
  const states = line.split("\r").map(printable);
  return states.findLast((state) => state.trim() !== "") ?? "";
}

/** How a command ended, in words that claim no success. */
export function describeEnd(end: ProcessEnd, command: string, timeoutSeconds: number | undefined): string {
  switch (end.kind) {
    case "exited":
      return `exit code ${end.code}${signalOf(end.code)}${endsInPipeline(command) ? " (last command of the pipeline)" : ""}`;
    case "signalled":
      return `ended by signal ${end.signal}`;
    case "timed-out":
      return `timed out after ${timeoutSeconds ?? 0} s; the command and everything it had started were ended`;
    case "cancelled":
      return "cancelled; the command and everything it had started were ended";
    case "stopped":
      return "stopped, with everything it had started";
    case "not-started":
      return `could not be started: ${end.reason}`;
  }
}

/** A shell reports a program that a signal ended as 128 and the signal's number. */
function signalOf(code: number): string {
  const found = Object.entries(constants.signals).find(([, number]) => number === code - 128);
  return found === undefined ? "" : ` (128 + ${found[0]})`;
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
