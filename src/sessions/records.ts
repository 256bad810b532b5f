import { z } from "zod";

/**
 * What lasts of a session: one JSON object a line, appended before the effect that it announces, never rewritten.
 * A call that was started but not finished may have taken effect.
 */
const call = z.object({ id: z.string(), name: z.string(), args: z.record(z.string(), z.unknown()) });

/** A message as it stands in the conversation after a compaction. */
const keptMessage = z.discriminatedUnion("role", [
  z.object({ role: z.literal("user"), text: z.string() }),
  z.object({
    role: z.literal("assistant"),
    text: z.string(),
    thinking: z.string().optional(),
    calls: z.array(call),
  }),
  z.object({
    role: z.literal("tool"),
    id: z.string(),
    name: z.string(),
    ok: z.boolean(),
    text: z.string(),
  }),
]);

export type KeptMessage = z.infer<typeof keptMessage>;

export const sessionRecord = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("session"),
    v: z.literal(1),
    id: z.string(),
    at: z.string(),
    cwd: z.string(),
    model: z.string(),
    contextWindow: z.number(),
    version: z.string(),
  }),
  z.object({
    /** The project's notes as they were read for this session; those recorded last are what the model is told. */
    type: z.literal("notes"),
    at: z.string(),
    files: z.array(
      z.object({ path: z.string(), isUsers: z.boolean(), text: z.string(), isWhole: z.boolean() }),
    ),
  }),
  z.object({ type: z.literal("user"), at: z.string(), text: z.string() }),
  /** What the user said while the turn ran: it comes after results of tools and begins no turn. */
  z.object({ type: z.literal("steering"), at: z.string(), text: z.string() }),
  z.object({
    type: z.literal("assistant"),
    text: z.string(),
    thinking: z.string().optional(),
    calls: z.array(call),
    promptTokens: z.number(),
    outputTokens: z.number(),
    /** Why the reply is not whole; the conversation says so to the model. */
    cut: z.string().optional(),
  }),
  /** The assistant message before it was no use, and the same was asked again. */
  z.object({ type: z.literal("retried"), because: z.string() }),
  /** What the model was told about a reply that was no use. */
  z.object({ type: z.literal("nudge"), text: z.string() }),
  z.object({ type: z.literal("call-prepared"), id: z.string(), tool: z.string(), args: z.unknown() }),
  z.object({
    type: z.literal("permission"),
    id: z.string(),
    verdict: z.enum(["allow", "deny"]),
    by: z.string(),
    because: z.string(),
  }),
  z.object({ type: z.literal("call-started"), id: z.string() }),
  z.object({
    type: z.literal("call-finished"),
    id: z.string(),
    status: z.enum(["ok", "error", "denied", "cancelled", "unknown"]),
    output: z.string(),
    changedFiles: z.array(z.string()).optional(),
    command: z.object({ command: z.string(), exitCode: z.number().nullable() }).optional(),
  }),
  z.object({
    /** The conversation went on with these messages; what was before stays in the records. */
    type: z.literal("compaction"),
    at: z.string(),
    tokensBefore: z.number(),
    tokensAfter: z.number(),
    messages: z.array(keptMessage),
  }),
  z.object({
    type: z.literal("turn-end"),
    at: z.string(),
    outcome: z.enum(["done", "cancelled", "limit", "failed"]),
    error: z.string().optional(),
  }),
]);

export type SessionRecord = z.infer<typeof sessionRecord>;
