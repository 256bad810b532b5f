import { z } from "zod";
import { messageOf } from "../errors.js";
import { resolveHost } from "./host.js";

const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const DURATION = /^(\d+)(ms|s|m|h)$/;
/** Node's timers hold a signed 32-bit number of milliseconds and fire at once beyond it. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Milliseconds of a duration that the schema accepted, such as "30m". Throws for any other text. */
export function durationMs(text: string): number {
  const [, count, unit] = DURATION.exec(text) ?? [];
  if (!count || !unit) throw new TypeError(`not a duration: ${text}`);
  return Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
}

const duration = z.string().regex(DURATION, {
  error: 'expected a duration such as "500ms", "5s", "30m" or "1h"',
  abort: true,
});
const timeout = duration.refine((text) => durationMs(text) > 0 && durationMs(text) <= MAX_TIMER_MS, {
  error: 'expected a duration above zero and at most "596h"',
});

function wholeNumber(min: number) {
  const error = `expected a whole number of at least ${min}`;
  return z.int({ error }).min(min, { error });
}

const host = z.string().superRefine((text, context) => {
  try {
    resolveHost(text);
  } catch (error) {
    context.addIssue({ code: "custom", message: messageOf(error) });
  }
});

const MINUTES = "expected a number of minutes above 0";

const limits = z.strictObject({
  toolCalls: wholeNumber(1).default(200).describe("Tool calls per turn. Default 200."),
  minutes: z
    .number({ error: MINUTES })
    .positive({ error: MINUTES })
    .default(60)
    .describe("Minutes per turn, without the time in which you are asked. Default 60."),
  tokens: wholeNumber(1).default(2_000_000).describe("Prompt and output tokens per turn. Default 2000000."),
});

const sessions = z.strictObject({
  keepDays: wholeNumber(0)
    .default(180)
    .describe("Days that a session is kept after it was last used; 0: without end. Default 180."),
  maxMegabytes: wholeNumber(0)
    .default(1000)
    .describe("Megabytes of all sessions together; 0: without limit. Default 1000."),
});

const ollama = z.strictObject({
  host: host
    .default("http://127.0.0.1:11434")
    .describe(
      "The server: host:port or an http(s) URL. Never taken from a project file. Default http://127.0.0.1:11434.",
    ),
  numCtx: wholeNumber(1024)
    .optional()
    .describe("Context window in tokens. Default: chosen to fit model and memory."),
  numPredict: wholeNumber(1).default(4096).describe("Most tokens of one reply. Default 4096."),
  keepAlive: duration
    .default("30m")
    .describe("How long the server keeps the model loaded after a request. Default 30m."),
  think: z
    .enum(["off", "on", "low", "medium", "high"])
    .default("off")
    .describe("Reasoning of models that have it. Default off."),
  temperature: z
    .number()
    .min(0)
    .max(2)
    .optional()
    .describe("Randomness of replies, 0 to 2. Default: chosen for tool use."),
  firstTokenTimeout: timeout
    .default("30m")
    .describe("How long to wait for the first byte of a reply. Default 30m."),
  idleTimeout: timeout.default("5m").describe("How long a reply may pause once it has begun. Default 5m."),
  unloadOnExit: z.boolean().default(false).describe("Unload the model when the session ends. Default false."),
});

/**
 * `.mini-cc.json` and the user's `config.json`. The input side is what a file holds; the output side, with the
 * defaults filled in, is what the program works with.
 */
export const configSchema = z
  .strictObject({
    $schema: z.string().optional().describe("Where an editor finds the output of `mini-cc config schema`."),
    model: z
      .string()
      .min(1, { error: "expected the name of a model" })
      .optional()
      .describe("The model, as `ollama list` names it. Default: chosen among the installed ones."),
    allowedCommands: z
      .array(z.string())
      .optional()
      .describe(
        "Command prefixes that run without asking. Default: a built-in read-only list, which this key replaces.",
      ),
    deniedCommands: z
      .array(z.string())
      .optional()
      .describe("Command prefixes that never run, also if they are allowed. Default: none."),
    permissionMode: z
      .enum(["default", "accept-edits", "plan", "bypass"])
      .default("default")
      .describe(
        "default: edits and unlisted commands ask. accept-edits: edits inside the workspace do not. plan: nothing changes. bypass: nothing asks. Default default.",
      ),
    maxSteps: wholeNumber(1).default(50).describe("Model requests per turn. Default 50."),
    language: z
      .enum(["auto", "en", "zh"])
      .default("auto")
      .describe("Language of the interface. Default auto."),
    sandbox: z
      .enum(["auto", "required", "off"])
      .default("auto")
      .describe(
        "auto: commands are confined where the system can do it. required: they do not run elsewhere. off is never taken from a project file. Default auto.",
      ),
    autoCompact: z
      .boolean()
      .default(true)
      .describe("Summarise older messages before the context window is full. Default true."),
    bell: z.boolean().default(false).describe('The same as "notify": "bell". Default false.'),
    notify: z
      .enum(["off", "bell", "osc9", "osc777"])
      .default("off")
      .describe(
        "How to tell that a question waits or that a turn of more than 20 s has ended. bell: the terminal rings. osc9 (iTerm2, Windows Terminal, kitty, WezTerm), osc777 (VTE, foot, Ghostty): a notice on the desktop. Default off.",
      ),
    undo: z
      .boolean()
      .default(true)
      .describe(
        "Keep what a turn changes so that /undo can take it back. A project file can switch it off only once it is trusted. Default true.",
      ),
    warmStart: z.boolean().default(true).describe("Load the model while the prompt is typed. Default true."),
    reflection: z
      .boolean()
      .default(true)
      .describe(
        "Ask the model what it will do differently when a tool fails twice for the same reason. Default true.",
      ),
    protocol: z
      .enum(["auto", "native", "text"])
      .default("auto")
      .describe("How tool calls travel; text is for models without tool support. Default auto."),
    limits: limits.prefault({}).describe("What one turn may use, besides maxSteps."),
    sessions: sessions
      .prefault({})
      .describe(
        "How long saved sessions are kept; a notice comes before any is removed. Never taken from a project file.",
      ),
    ollama: ollama.prefault({}).describe("The server and how it runs the model."),
  })
  .describe("Configuration of mini-cc");

/** What a file may hold. */
export type ConfigFile = z.input<typeof configSchema>;

/** The values in force. The command lists are not here: each of their entries has an origin of its own. */
export type Config = Omit<z.output<typeof configSchema>, "$schema" | "allowedCommands" | "deniedCommands"> & {
  debug: boolean;
};

/** Every key that a file may hold, nested ones with a dot: `ollama.numCtx`. */
export const CONFIG_KEYS: readonly string[] = Object.entries(configSchema.shape).flatMap(([key, schema]) =>
  schema instanceof z.ZodPrefault
    ? Object.keys(schema.unwrap().shape).map((name) => `${key}.${name}`)
    : [key],
);

/** JSON Schema (draft 2020-12) of the file, for editors. */
export function configJsonSchema(): object {
  return z.toJSONSchema(configSchema, { io: "input" });
}

/** What is wrong with a value, without Zod's opening words. */
export function issueText(issue: z.core.$ZodIssue): string {
  return issue.message.replace(/^Invalid (input|option): /, "");
}
