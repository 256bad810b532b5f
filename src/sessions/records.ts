import { z } from "zod";

/**
 * What lasts of a session: one JSON object a line, `type` first, appended before the effect that it announces, never
 * rewritten. A new kind of record needs no new version: an older program leaves out what it does not know. The
 * version goes up when a kind that exists changes its meaning.
 */
export const RECORD_VERSION = 1;

const call = z.object({ id: z.string(), name: z.string(), args: z.record(z.string(), z.unknown()) });

/** An image that the model was shown, as it was sent. */
const shownImage = z.object({
  mediaType: z.string(),
  data: z.base64(),
  name: z.string(),
  tokens: z.number(),
});

export type ShownImage = z.infer<typeof shownImage>;

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
    image: shownImage.optional(),
  }),
]);

export type KeptMessage = z.infer<typeof keptMessage>;

/** A file's content as the model knows it: real path and SHA-256; null if there is no such file any more. */
const knownFile = z.object({ path: z.string(), hash: z.string().nullable() });

export type KnownFile = z.infer<typeof knownFile>;

export const commandRun = z.object({
  command: z.string(),
  /** Null if a signal ended it, and while it runs in the background. */
  exitCode: z.int().nullable(),
  /** The exit codes of a pipeline in which one before the last failed. */
  pipeline: z.array(z.int()).optional(),
  /** Its id, if it was started in the background … */
  background: z.string().optional(),
  /** … and what had become of it; "lost" is one that ended with an earlier mini-cc. */
  state: z.enum(["running", "exited", "killed", "stopped", "lost"]).optional(),
});

/** A command that was run, as evidence. */
export type CommandRun = z.infer<typeof commandRun>;

const sessionState = z.object({ turns: z.number(), model: z.string(), title: z.string().optional() });

export type SessionState = z.infer<typeof sessionState>;

export const sessionRecord = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("session"),
    v: z.int(),
    id: z.string(),
    at: z.string(),
    cwd: z.string(),
    model: z.string(),
    contextWindow: z.number(),
    version: z.string(),
    /** The session that this one was copied from, and how many of its turns; without a number, all. */
    parent: z.object({ id: z.string(), turns: z.number().optional() }).optional(),
  }),
  /** A program has opened the session again and told what it could not read. */
  z.object({
    type: z.literal("resumed"),
    at: z.string(),
    model: z.string(),
    contextWindow: z.number(),
    version: z.string(),
    damagedLines: z.number(),
    unknownRecords: z.number(),
  }),
  /** The session goes on with another model, or another window of it. */
  z.object({ type: z.literal("model"), at: z.string(), model: z.string(), contextWindow: z.number() }),
  /** The user has named the session; the newest counts. */
  z.object({ type: z.literal("title"), at: z.string(), text: z.string() }),
  z.object({
    /** The project's notes as they were read for this session; those recorded last are what the model is told. */
    type: z.literal("notes"),
    at: z.string(),
    files: z.array(
      z.object({ path: z.string(), isUsers: z.boolean(), text: z.string(), isWhole: z.boolean() }),
    ),
  }),
  z.object({
    type: z.literal("user"),
    at: z.string(),
    text: z.string(),
    /** What the model is told besides, behind the text. */
    note: z.string().optional(),
    /** The content of files that the note speaks of. */
    files: z.array(knownFile).optional(),
  }),
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
  /** The message before it was no use, and the same was asked again. */
  z.object({ type: z.literal("retried"), because: z.string() }),
  /** What the model was told about a reply that was no use. */
  z.object({ type: z.literal("nudge"), text: z.string() }),
  /** From here on the session's calls to this model travel as text. */
  z.object({ type: z.literal("protocol"), protocol: z.literal("text"), model: z.string() }),
  z.object({ type: z.literal("call-prepared"), id: z.string(), tool: z.string(), args: z.unknown() }),
  z.object({
    type: z.literal("permission"),
    id: z.string(),
    verdict: z.enum(["allow", "deny"]),
    by: z.string(),
    because: z.string(),
  }),
  /** Without a `call-finished` the call may have taken effect, if it is one that changes anything. */
  z.object({ type: z.literal("call-started"), id: z.string(), effect: z.enum(["read", "change"]) }),
  z.object({
    type: z.literal("call-finished"),
    id: z.string(),
    status: z.enum(["ok", "error", "denied", "cancelled", "unknown"]),
    output: z.string(),
    image: shownImage.optional(),
    /** Unified, of the file that changed; cut if it is very long. */
    diff: z.string().optional(),
    changedFiles: z.array(z.string()).optional(),
    command: commandRun.optional(),
    /** Files that the model has read or written in this call. */
    files: z.array(knownFile).optional(),
  }),
  /** From here on the turn may change files; what it changes is kept under this id, for undo. */
  z.object({ type: z.literal("snapshot"), id: z.string() }),
  z.object({
    /** The changes of the turn with that snapshot are kept whole; `files` counts them. */
    type: z.literal("changes"),
    id: z.string(),
    snapshot: z.string(),
    files: z.number(),
  }),
  z.object({
    /** The user undid or redid the changes `of`; the reverse is kept `as`, if there is one. */
    type: z.literal("restored"),
    at: z.string(),
    action: z.enum(["undo", "redo"]),
    of: z.string(),
    as: z.string().optional(),
    /** The content that some of the files have now, and how many more there are. */
    files: z.array(knownFile),
    more: z.number(),
  }),
  z.object({
    /** The conversation went on with these messages; what was before stays in the records. */
    type: z.literal("compaction"),
    at: z.string(),
    tokensBefore: z.number(),
    tokensAfter: z.number(),
    messages: z.array(keptMessage),
  }),
  /** What the user was told on the way. */
  z.object({
    type: z.literal("notice"),
    level: z.enum(["info", "warning"]),
    code: z.string(),
    text: z.string(),
  }),
  /** What the model was told of a command in the background that had ended. */
  z.object({ type: z.literal("background-ended"), command: commandRun }),
  z.object({
    type: z.literal("turn-end"),
    at: z.string(),
    outcome: z.enum(["done", "cancelled", "limit", "failed"]),
    error: z.object({ code: z.string(), message: z.string() }).optional(),
    usage: z.object({ promptTokens: z.number(), outputTokens: z.number(), steps: z.number() }).optional(),
    changedFiles: z.array(z.string()).optional(),
    /** The session so far, added by the log, so that a list need read only the end of a file. */
    session: sessionState.optional(),
  }),
]);

export type SessionRecord = z.infer<typeof sessionRecord>;

export type SessionHeader = Extract<SessionRecord, { type: "session" }>;

const KNOWN_TYPES: ReadonlySet<unknown> = new Set(
  sessionRecord.options.map((option) => option.shape.type.value),
);

/** A line of a session file. */
export type ReadLine =
  | { kind: "record"; record: SessionRecord }
  /** Of a newer version; it stays in the file. */
  | { kind: "unknown" }
  /** Torn by a crash, or changed by something else. */
  | { kind: "damaged" };

export function parseLine(line: string): ReadLine {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { kind: "damaged" };
  }
  const parsed = sessionRecord.safeParse(value);
  if (parsed.success) return { kind: "record", record: parsed.data };
  const type = typeof value === "object" && value !== null && "type" in value ? value.type : undefined;
  return { kind: typeof type === "string" && !KNOWN_TYPES.has(type) ? "unknown" : "damaged" };
}
