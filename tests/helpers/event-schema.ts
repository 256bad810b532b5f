import { readFileSync } from "node:fs";
import { z } from "zod";
import type { AgentEvent, SessionStart, TurnEnd } from "../../src/agent/agent-events.js";

/** What scripts may rely on: the schemas as they are published in `dist/`, not the program's own. */
const published = {
  line: readPublished("stream-json"),
  result: readPublished("json"),
};

function readPublished(format: string): z.ZodType {
  const url = new URL(`../../dist/${format}.schema.json`, import.meta.url);
  return z.fromJSONSchema(JSON.parse(readFileSync(url, "utf8")) as Parameters<typeof z.fromJSONSchema>[0]);
}

export type StreamedEventOf<Type extends AgentEvent["type"]> = Extract<AgentEvent, { type: Type }>;

export type Result = Omit<SessionStart, "type"> & TurnEnd;

/**
 * Throws where `mini-cc …args` printed what the schema of its output format refuses. Of a process that was stopped in
 * the middle of a line, that line does not count.
 */
export function expectValidOutput(args: readonly string[], stdout: string): void {
  const words = args.join(" ");
  if (!args.includes("ask")) return;
  const format = /--output-format[ =](stream-json|json)\b/.exec(words)?.[1];
  if (format === undefined) return;
  for (const line of stdout.split("\n").slice(0, -1)) validate(format === "json" ? "result" : "line", line);
}

function validate(kind: keyof typeof published, line: string): unknown {
  const value: unknown = JSON.parse(line);
  const { error } = published[kind].safeParse(value);
  if (error) throw new Error(`the published schema refuses ${line}\n${z.prettifyError(error)}`);
  return value;
}

/** Reads what `--output-format stream-json` printed. Throws at whatever breaks the contract of the stream. */
export function readEvents(stdout: string): AgentEvent[] {
  if (!stdout.endsWith("\n")) throw new Error(`the last line has no end: ${stdout.slice(-200)}`);
  const events = stdout
    .slice(0, -1)
    .split("\n")
    .map((line) => validate("line", line) as AgentEvent);
  const types = events.map(({ type }) => type);
  for (const [type, place] of [
    ["session", 0],
    ["turn-end", types.length - 1],
  ] as const) {
    if (types.indexOf(type) !== place || types.lastIndexOf(type) !== place) {
      throw new Error(`exactly one ${type} belongs at ${place}: ${types.join(" ")}`);
    }
  }
  const starts = idsOf(events, "tool-start");
  const ends = idsOf(events, "tool-end");
  if (new Set(starts).size !== starts.length) throw new Error(`an id started twice: ${starts.join(" ")}`);
  if (starts.toSorted().join(" ") !== ends.toSorted().join(" ")) {
    throw new Error(`started: ${starts.join(" ")}; ended: ${ends.join(" ")}`);
  }
  return events;
}

/** Reads what `--output-format json` printed: one object. */
export function readResult(stdout: string): Result {
  return validate("result", stdout) as Result;
}

/** All events of one type, in order. */
export function eventsOf<Type extends AgentEvent["type"]>(
  events: readonly AgentEvent[],
  type: Type,
): StreamedEventOf<Type>[] {
  return events.filter((event): event is StreamedEventOf<Type> => event.type === type);
}

function idsOf(events: readonly AgentEvent[], type: "tool-start" | "tool-end"): string[] {
  return eventsOf(events, type).map(({ id }) => id);
}
