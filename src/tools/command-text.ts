import { constants } from "node:os";
import type { KeptOutput } from "../processes/output-buffer.js";
import type { ProcessEnd } from "../processes/run-process.js";
import { printable } from "../printable.js";

/** As for the raw output: its end says more than its beginning. */
const HEAD_SHARE = 0.3;
/** Room for the words about what was left out. */
const MARKER_CHARS = 60;
/** A cut moves back to the end of a line unless the line is longer than this. */
const MAX_CUT_LINE_CHARS = 200;

/** What a command printed, for the model: no escape sequences, and at most `maxChars` from head and tail. */
export function commandOutput({ head, tail, omitted }: KeptOutput, maxChars: number): string {
  const front = cleanOutput(omitted === 0 ? head + tail : head);
  const back = omitted === 0 ? "" : cleanOutput(tail);
  if (omitted === 0 && front.length <= maxChars) return front;

  const room = Math.max(0, maxChars - MARKER_CHARS);
  const headRoom = Math.max(Math.floor(room * HEAD_SHARE), back === "" ? 0 : room - back.length);
  const first = cutToLineEnd(front, headRoom);
  const rest = back === "" ? front.slice(first.length) : back;
  const last = rest.slice(Math.max(0, rest.length - (room - first.length))).replace(/^[\uDC00-\uDFFF]/, "");
  const lost = omitted + front.length + back.length - first.length - last.length;
  return `${first}\n[… ${lost} characters left out …]\n${last}`;
}

function cutToLineEnd(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const cut = text.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, "");
  const lineEnd = cut.lastIndexOf("\n");
  return lineEnd > 0 && cut.length - lineEnd <= MAX_CUT_LINE_CHARS ? cut.slice(0, lineEnd) : cut;
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
