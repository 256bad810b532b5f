import type { Command, Option } from "commander";
import { ASK_FORMATS, EXPORT_FORMATS, SCHEMA_FORMATS, SHELLS } from "../formats.js";
import type { CommandContext } from "../program.js";

export interface Candidate {
  word: string;
  about?: string;
}

/**
 * Where the values of a flag or an argument come from; undefined for those that only the user knows. Whatever this
 * table does not name is a fault that a test finds.
 */
export type Values =
  | readonly string[]
  | ":files"
  | ":folders"
  | "models"
  | "sessions"
  | "topics"
  | "permissionMode"
  | "protocol"
  | "language"
  | "think"
  | undefined;

const FLAGS: ReadonlyMap<string, Values> = new Map<string, Values>([
  ["--model", "models"],
  ["--host", undefined],
  ["--cwd", ":folders"],
  ["--num-ctx", undefined],
  ["--think", "think"],
  ["--permission-mode", "permissionMode"],
  ["--allow", undefined],
  ["--resume", "sessions"],
  ["--max-steps", undefined],
  ["--max-tool-calls", undefined],
  ["--max-minutes", undefined],
  ["--max-tokens", undefined],
  ["--protocol", "protocol"],
  ["--lang", "language"],
  ["--output-format", ASK_FORMATS],
  ["--limit", undefined],
  ["--format", EXPORT_FORMATS],
  ["--output", ":files"],
]);

const ARGUMENTS: ReadonlyMap<string, Values> = new Map<string, Values>([
  ["prompt", undefined],
  ["model", "models"],
  ["session", "sessions"],
  ["words", undefined],
  ["command", undefined],
  ["rule", undefined],
  ["format", SCHEMA_FORMATS],
  ["topic", "topics"],
  ["shell", SHELLS],
]);

/** Milliseconds that a server has to name its models: somebody waits with a finger on the key. */
const SERVER_MS = 1000;

/** Throws for a flag that the table does not know. */
export function flagValues({ long = "" }: Option): Values {
  return known(FLAGS, long);
}

/** Throws for an argument that the table does not know. */
export function argumentValues(name: string, command: string): Values {
  // What is to be pulled is not installed yet.
  return command === "pull" ? undefined : known(ARGUMENTS, name);
}

function known(table: ReadonlyMap<string, Values>, name: string): Values {
  if (!table.has(name)) throw new Error(`nothing says what completes ${name}`);
  return table.get(name);
}

interface Surroundings {
  context: CommandContext;
  given: ReadonlyMap<string, string>;
  program: Command;
}

/** The values themselves; none where they cannot be had, since nobody wants an error between two keys. */
export async function valuesOf(
  values: Values,
  { context, given, program }: Surroundings,
): Promise<Candidate[] | ":files" | ":folders"> {
  const [cwd, host] = [given.get("--cwd"), given.get("--host")];
  const there: CommandContext = {
    ...context,
    options: { ...(cwd !== undefined && { cwd }), ...(host !== undefined && { host }) },
  };
  switch (values) {
    case undefined:
      return [];
    case ":files":
    case ":folders":
      return values;
    case "models":
      return models(there).catch(() => []);
    case "sessions":
      return sessions(there).catch(() => []);
    case "topics":
      return topics(context, program);
    case "permissionMode":
    case "protocol":
    case "language":
    case "think":
      return (await configured(values)).map((word) => ({ word }));
    default:
      return values.map((word) => ({ word }));
  }
}

function topics({ messages: { help } }: CommandContext, program: Command): Candidate[] {
  const about = new Map<string, string>(
    program
      .createHelp()
      .visibleCommands(program)
      .map((one) => [one.name(), one.description()]),
  );
  // A topic goes before the command of the same name.
  for (const [word, text] of Object.entries(help.aboutTopics)) about.set(word, text);
  return [...about].map(([word, text]) => ({ word, about: text }));
}

async function configured(
  key: "permissionMode" | "protocol" | "language" | "think",
): Promise<readonly string[]> {
  const { configSchema } = await import("../../config/schema.js");
  const { shape } = configSchema;
  return (key === "think" ? shape.ollama.unwrap().shape.think : shape[key]).unwrap().options;
}

async function models(context: CommandContext): Promise<Candidate[]> {
  const [{ start }, { modelServer }] = await Promise.all([
    import("../start.js"),
    import("../commands/model-server.js"),
  ]);
  const { client } = modelServer((await start(context)).loaded);
  const installed = await client.installedModels(AbortSignal.timeout(SERVER_MS));
  return installed.map(({ name }) => ({ word: name }));
}

async function sessions(context: CommandContext): Promise<Candidate[]> {
  const { savedSessions, titleOf } = await import("../commands/saved-session.js");
  const { store, messages } = await savedSessions(context, {});
  return (await store.list()).map((summary) => ({ word: summary.id, about: titleOf(summary, messages) }));
}
