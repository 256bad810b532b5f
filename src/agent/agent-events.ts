import { z } from "zod";
import { commandRun } from "../sessions/records.js";
import { found } from "../tools/tool.js";

// Everything that happens in a turn, as every renderer gets it and `--output-format stream-json` prints it. The JSON
// Schema that is published with the package is made from this. New fields may be added; none changes its meaning.

const text = z.string();
const filled = z.string().min(1);
const count = z.int().min(0);
const milliseconds = z.number().min(0);
const usage = { promptTokens: count, outputTokens: count };

const toolStatus = z.enum(["ok", "error", "denied", "cancelled", "unknown"]);

export type ToolStatus = z.infer<typeof toolStatus>;

const sessionStart = z
  .object({
    type: z.literal("session"),
    id: text.describe("For --resume; empty if no session was opened."),
    model: text,
    cwd: text,
    contextWindow: count.describe("Tokens; 0 while unknown."),
    version: text,
  })
  .describe("Always the first event.");

export type SessionStart = z.infer<typeof sessionStart>;

const turnEnd = z
  .object({
    type: z.literal("turn-end"),
    outcome: z.enum(["done", "cancelled", "limit", "failed"]),
    text: text.describe("The final answer; what was said until then if the turn did not end by itself."),
    error: z
      .object({ code: filled, message: filled, hint: text.exactOptional() })
      .exactOptional()
      .describe("Why it failed, or which limit it reached; the hint is the next step."),
    usage: z.object({ ...usage, steps: count }),
    changedFiles: z.array(text),
    commands: z
      .array(commandRun)
      .describe("In the order in which they were started; of one in the background, its state at the end."),
    denied: z.array(z.object({ tool: text, because: filled })),
  })
  .describe("Always the last event, also of a turn that failed or was cancelled.");

export type TurnEnd = z.infer<typeof turnEnd>;

export const agentEvent = z.discriminatedUnion("type", [
  sessionStart,
  z.object({ type: z.literal("turn-start"), prompt: text }),
  z
    .object({
      type: z.literal("model-start"),
      step: count,
      promptTokens: count.exactOptional().describe("Of the prompt, by estimate."),
      newTokens: count
        .exactOptional()
        .describe("Those of them that were neither in the request before nor in its reply."),
    })
    .describe("A request goes to the model."),
  z.object({
    type: z.literal("model-progress"),
    step: count,
    phase: z.enum(["loading", "reading", "thinking", "writing"]),
    elapsedMs: milliseconds,
    tokens: count.exactOptional().describe("Written until now, thinking included, by estimate."),
    tokensPerSecond: z.number().min(0).exactOptional().describe("Since the first of them."),
  }),
  z.object({ type: z.literal(["thinking-delta", "text-delta"]), text }),
  z.object({
    type: z.literal("model-end"),
    step: count,
    usage: z.object(usage),
    timings: z.object({ loadMs: milliseconds, promptMs: milliseconds, outputMs: milliseconds }),
    cachedTokens: count
      .exactOptional()
      .describe("Estimate of the prompt tokens that the server had in its cache."),
    doneReason: text,
    recovered: text.exactOptional().describe("The form of a call that came as text."),
  }),
  z
    .object({
      type: z.literal("tool-start"),
      id: filled,
      tool: filled,
      args: z.unknown().describe("As repaired, in the tool's own names."),
    })
    .describe("Gets exactly one tool-end with the same id."),
  z.object({
    type: z.literal("permission"),
    id: filled,
    verdict: z.enum(["allow", "deny"]),
    by: z.enum(["rule", "mode", "user", "nobody", "hook"]),
    because: filled,
  }),
  z.object({ type: z.literal("tool-output"), id: filled, text }),
  z.object({
    type: z.literal("tool-end"),
    id: filled,
    tool: filled,
    status: toolStatus,
    output: text,
    diff: text.exactOptional(),
    exitCode: z.int().nullable().exactOptional().describe("Of a command; null if a signal ended it."),
    found: found.exactOptional().describe("Of a read, a search or a list."),
    durationMs: milliseconds,
  }),
  z
    .object({ type: z.literal("steering"), text })
    .describe("What the user said while the turn ran, now told to the model."),
  z.object({ type: z.literal("context-compacted"), tokensBefore: count, tokensAfter: count }),
  z.object({ type: z.literal("notice"), level: z.enum(["info", "warning"]), code: filled, text }),
  turnEnd,
]);

export type AgentEvent = z.infer<typeof agentEvent>;

/** What `--output-format json` prints: both ends of a turn as one object. */
export const turnResult = sessionStart.extend(turnEnd.shape).describe("The session and how its turn ended.");
