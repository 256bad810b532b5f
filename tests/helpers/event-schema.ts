import { z } from "zod";

/** The events as scripts may rely on them, written apart from the program's own types. Further fields may come. */

const count = z.int().min(0);
const text = z.string();
const usage = { promptTokens: count, outputTokens: count };

const sessionFields = { id: text, model: text, cwd: text, contextWindow: count, version: text };

const turnEndFields = {
  outcome: z.enum(["done", "cancelled", "limit", "failed"]),
  text,
  error: z.object({ code: text.min(1), message: text.min(1), hint: text.optional() }).optional(),
  usage: z.object({ ...usage, steps: count }),
  changedFiles: z.array(text),
  commands: z.array(
    z.object({
      command: text,
      exitCode: z.int().nullable(),
      pipeline: z.array(z.int()).optional(),
      background: text.optional(),
      state: z.enum(["running", "exited", "killed", "stopped", "lost"]).optional(),
    }),
  ),
  denied: z.array(z.object({ tool: text, because: text.min(1) })),
};

const agentEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("session"), ...sessionFields }),
  z.object({ type: z.literal("turn-start"), prompt: text }),
  z.object({ type: z.literal("model-start"), step: count }),
  z.object({
    type: z.literal("model-progress"),
    step: count,
    phase: z.enum(["loading", "reading", "thinking", "writing"]),
    elapsedMs: z.number().min(0),
  }),
  z.object({ type: z.literal("thinking-delta"), text }),
  z.object({ type: z.literal("text-delta"), text }),
  z.object({
    type: z.literal("model-end"),
    step: count,
    usage: z.object(usage),
    timings: z.object({ loadMs: z.number(), promptMs: z.number(), outputMs: z.number() }),
    doneReason: text,
    recovered: text.optional(),
  }),
  z.object({ type: z.literal("tool-start"), id: text.min(1), tool: text.min(1), args: z.unknown() }),
  z.object({
    type: z.literal("permission"),
    id: text.min(1),
    verdict: z.enum(["allow", "deny"]),
    by: z.enum(["rule", "mode", "user", "nobody", "hook"]),
    because: text.min(1),
  }),
  z.object({ type: z.literal("tool-output"), id: text.min(1), text }),
  z.object({
    type: z.literal("tool-end"),
    id: text.min(1),
    tool: text.min(1),
    status: z.enum(["ok", "error", "denied", "cancelled", "unknown"]),
    output: text,
    diff: text.optional(),
    durationMs: z.number().min(0),
  }),
  z.object({ type: z.literal("context-compacted"), tokensBefore: count, tokensAfter: count }),
  z.object({ type: z.literal("notice"), level: z.enum(["info", "warning"]), code: text.min(1), text }),
  z.object({ type: z.literal("turn-end"), ...turnEndFields }),
]);

const jsonResult = z.object({ ...sessionFields, ...turnEndFields });

export type StreamedEvent = z.infer<typeof agentEvent>;
export type StreamedEventOf<Type extends StreamedEvent["type"]> = Extract<StreamedEvent, { type: Type }>;

/** Reads what `--output-format stream-json` printed. Throws at whatever breaks the contract of the stream. */
export function readEvents(stdout: string): StreamedEvent[] {
  if (!stdout.endsWith("\n")) throw new Error(`the last line has no end: ${stdout.slice(-200)}`);
  const events = stdout
    .slice(0, -1)
    .split("\n")
    .map((line) => agentEvent.parse(JSON.parse(line)));
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
export function readResult(stdout: string): z.infer<typeof jsonResult> {
  return jsonResult.parse(JSON.parse(stdout));
}

/** All events of one type, in order. */
export function eventsOf<Type extends StreamedEvent["type"]>(
  events: readonly StreamedEvent[],
  type: Type,
): StreamedEventOf<Type>[] {
  return events.filter((event): event is StreamedEventOf<Type> => event.type === type);
}

function idsOf(events: readonly StreamedEvent[], type: "tool-start" | "tool-end"): string[] {
  return eventsOf(events, type).map(({ id }) => id);
}
