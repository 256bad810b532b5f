import { parameterNamed } from "./aliases.js";
import type { DeclaredTool } from "./declared-tools.js";
import { ARGUMENT_KEYS, isRecord, jsonIn } from "./json-calls.js";

export interface FittedArguments {
  args: Record<string, unknown>;
  /** How many of them the tool declares. */
  declared: number;
  /** Keys that it does not. */
  unknown: string[];
  /** Required ones that are not there. */
  missing: string[];
}

const MAX_NESTING = 3;
const NUMBER = /^[+-]?\d+(?:\.\d+)?$/;
/** Words that a shell takes as they are. */
const PLAIN_WORD = /^[\w@%+=:,./-]+$/;

/**
 * Arguments under the names and types that the tool declares, without loss: unwraps them, follows the aliases, reads
 * numbers and truth values from text, drops nulls. Undefined if they are no object.
 */
export function fitArguments(given: unknown, tool: DeclaredTool): FittedArguments | undefined {
  const source = unwrap(given, tool, 0);
  if (source === undefined) return undefined;
  const fitted = new Map<string, unknown>();
  const entries = Object.entries(source).filter(([, value]) => value !== null);
  // A key's own name goes before an alias of it.
  const exact = entries.filter(([key]) => tool.parameters.has(key));
  for (const [key, value] of [...exact, ...entries.filter((entry) => !exact.includes(entry))]) {
    const name = parameterNamed(key, tool);
    const target = name === undefined || fitted.has(name) ? key : name;
    fitted.set(target, fitValue(value, target, tool.parameters.get(target) ?? ""));
  }
  const keys = [...fitted.keys()];
  return {
    args: Object.fromEntries(fitted),
    declared: keys.filter((key) => tool.parameters.has(key)).length,
    unknown: keys.filter((key) => !tool.parameters.has(key)),
    missing: tool.required.filter((key) => !fitted.has(key)),
  };
}

/** Arguments in text, in a list of one, or in another object of arguments. */
function unwrap(given: unknown, tool: DeclaredTool, depth: number): Record<string, unknown> | undefined {
  if (depth > MAX_NESTING) return undefined;
  if (typeof given === "string") return unwrap(jsonIn(given), tool, depth + 1);
  if (Array.isArray(given)) return given.length === 1 ? unwrap(given[0], tool, depth + 1) : undefined;
  if (!isRecord(given)) return undefined;
  const keys = Object.keys(given);
  const inner = keys.length === 1 ? ARGUMENT_KEYS.find((key) => key === keys[0]) : undefined;
  if (inner === undefined || tool.parameters.has(inner)) return given;
  return unwrap(given[inner], tool, depth + 1) ?? given;
}

function fitValue(value: unknown, name: string, type: string): unknown {
  if (isTyped(value)) return fitValue(value["value"], name, type);
  if (typeof value === "string") {
    if ((type === "integer" || type === "number") && NUMBER.test(value.trim())) return Number(value);
    if (type === "boolean" && /^\s*(true|false)\s*$/i.test(value)) return /true/i.test(value);
    return value;
  }
  if (type !== "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (name === "command" && isWordList(value)) return commandLine(value);
  // Models that write a JSON file tend to give its content as an object.
  return name === "content" && typeof value === "object" ? `${JSON.stringify(value, null, 2)}\n` : value;
}

/** `{"type": "string", "value": "a.ts"}`, as models write that fill in a schema. */
function isTyped(value: unknown): value is { type: string; value: unknown } {
  return isRecord(value) && "value" in value && typeof value["type"] === "string";
}

function isWordList(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string");
}

/** One line of a command that is given as a list of words; `["bash", "-lc", "ls"]` is `ls`. */
function commandLine(words: readonly string[]): string {
  const [shell = "", flag = "", script] = words;
  if (words.length === 3 && /^(?:\/bin\/)?(?:ba|z|da)?sh$/.test(shell) && /^-l?c$/.test(flag))
    return script ?? "";
  return words.map((word) => (PLAIN_WORD.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(" ");
}
