import { EXIT, UserError } from "../errors.js";
import { configSchema, issueText } from "./schema.js";

/** Where a value comes from; `source` is the flag, the variable or the file. */
export interface Origin {
  layer: "flag" | "environment" | "project" | "user" | "default";
  source: string;
}

export interface Setting {
  /** With a dot: `ollama.numCtx`. */
  key: string;
  value: unknown;
  origin: Origin;
}

/** An entry of a command list, as written. */
export interface ConfigRule {
  text: string;
  origin: Origin;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The options of the command line as they were typed. */
export interface ConfigFlags {
  model?: string | undefined;
  host?: string | undefined;
  numCtx?: string | undefined;
  think?: string | undefined;
  permissionMode?: string | undefined;
  allow?: string[] | undefined;
  maxSteps?: string | undefined;
  maxToolCalls?: string | undefined;
  maxMinutes?: string | undefined;
  maxTokens?: string | undefined;
  protocol?: string | undefined;
  lang?: string | undefined;
  debug?: boolean | undefined;
}

/** Throws a UserError that names the flag and what it takes. */
export function flagSettings(flags: ConfigFlags): Setting[] {
  return [
    ...setting("model", flags.model, flag("--model")),
    ...setting("ollama.host", flags.host, flag("--host")),
    ...setting("ollama.numCtx", toNumber(flags.numCtx), flag("--num-ctx"), flags.numCtx),
    ...setting("ollama.think", flags.think, flag("--think")),
    ...setting("permissionMode", flags.permissionMode, flag("--permission-mode")),
    ...setting("maxSteps", toNumber(flags.maxSteps), flag("--max-steps"), flags.maxSteps),
    ...limitSetting("toolCalls", flags.maxToolCalls, "--max-tool-calls"),
    ...limitSetting("minutes", flags.maxMinutes, "--max-minutes"),
    ...limitSetting("tokens", flags.maxTokens, "--max-tokens"),
    ...setting("protocol", flags.protocol, flag("--protocol")),
    ...setting("language", flags.lang, flag("--lang")),
  ];
}

function limitSetting(name: string, typed: string | undefined, source: string): Setting[] {
  return setting(`limits.${name}`, toNumber(typed), flag(source), typed);
}

/** A variable that is empty counts as not set. Throws a UserError that names the variable and what it takes. */
export function environmentSettings(env: Environment): Setting[] {
  const variable = (key: string, name: string): Setting[] => {
    // Ollama, too, takes quotes off OLLAMA_HOST: `set NAME="value"` of Windows keeps them.
    const value = env[name]?.trim().replace(/^["']|["']$/g, "");
    return setting(key, value === "" ? undefined : value, { layer: "environment", source: name });
  };
  return [
    ...variable("model", "MINI_CC_MODEL"),
    ...variable("ollama.host", "OLLAMA_HOST"),
    ...variable("language", "MINI_CC_LANG"),
  ];
}

/** What switched the debug record on, if anything did. */
export function debugOrigin(flags: ConfigFlags, env: Environment): Origin | undefined {
  if (flags.debug) return flag("--debug");
  const value = env["MINI_CC_DEBUG"] ?? "";
  return ["", "0", "false"].includes(value) ? undefined : { layer: "environment", source: "MINI_CC_DEBUG" };
}

export function flagRules(flags: ConfigFlags): ConfigRule[] {
  return (flags.allow ?? []).map((text) => ({ text, origin: flag("--allow") }));
}

function flag(source: string): Origin {
  return { layer: "flag", source };
}

function setting(key: string, value: unknown, origin: Origin, typed: unknown = value): Setting[] {
  if (value === undefined) return [];
  const [issue] = configSchema.safeParse(nested([[key, value]])).error?.issues ?? [];
  if (!issue) return [{ key, value, origin }];
  // A host may hold a password; its own message repeats it only if it does not.
  const shown = key === "ollama.host" ? "" : ` ${JSON.stringify(typed)}`;
  throw new UserError(`${origin.source}${shown}: ${issueText(issue)}`, {
    code: "option-invalid",
    hint: `Correct ${origin.source}; the file key ${key} takes the same values.`,
    exitCode: EXIT.usage,
  });
}

function toNumber(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

/** Keys with a dot made into objects again. */
export function nested(entries: Iterable<readonly [key: string, value: unknown]>): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [key, value] of entries) {
    const [section = "", name] = key.split(".");
    if (name === undefined) result[section] = value;
    else result[section] = { ...(result[section] as object | undefined), [name]: value };
  }
  return result;
}
