import { toolNamed } from "./aliases.js";
import type { DeclaredTool } from "./declared-tools.js";
import { readJson } from "./lenient-json.js";
import type { RawCall } from "./raw-call.js";
import { rawCall } from "./raw-call.js";

/** Keys that hold the name of a tool, the surest first. */
export const NAME_KEYS = ["name", "tool", "tool_name", "function", "function_name", "action"] as const;
/** Keys that hold the arguments. */
export const ARGUMENT_KEYS = [
  "arguments",
  "parameters",
  "args",
  "params",
  "kwargs",
  "input",
  "action_input",
  "tool_input",
  "tool_args",
  "function_arguments",
] as const;
/** Keys around a call or a list of them. */
export const WRAPPER_KEYS = ["tool_calls", "tool_call", "function_call", "calls", "function"] as const;
/** Keys that say nothing of the call itself. */
export const META_KEYS = [
  "id",
  "type",
  "index",
  "call_id",
  "tool_call_id",
  "thought",
  "thoughts",
  "reasoning",
] as const;

const MAX_NESTING = 4;

/** The calls that a value is; undefined if any part of it is not one. */
export function callsIn(value: unknown, tools: readonly DeclaredTool[], depth = 0): RawCall[] | undefined {
  if (depth > MAX_NESTING) return undefined;
  if (typeof value === "string") return callsIn(jsonIn(value), tools, depth + 1);
  if (Array.isArray(value)) {
    const found = value.map((item) => (isRecord(item) ? callsIn(item, tools, depth + 1) : undefined));
    return found.length > 0 && found.every((calls) => calls !== undefined) ? found.flat() : undefined;
  }
  if (!isRecord(value)) return undefined;

  const keys = Object.keys(value);
  const own = keys.filter((key) => !includes(META_KEYS, key));
  const wrapper = own.length === 1 ? WRAPPER_KEYS.find((key) => key === own[0]) : undefined;
  if (wrapper && typeof value[wrapper] === "object") return callsIn(value[wrapper], tools, depth + 1);

  const named = NAME_KEYS.filter((key) => typeof value[key] === "string");
  const nameKey = named.find((key) => toolNamed(String(value[key]), tools)) ?? named[0];
  if (nameKey === undefined) {
    const [sole] = own;
    const isCall = own.length === 1 && sole !== undefined && tools.some(({ name }) => name === sole);
    return isCall && isRecord(value[sole]) ? [rawCall({ name: sole, args: value[sole] })] : undefined;
  }
  const name = String(value[nameKey]);
  const others = own.filter((key) => key !== nameKey);
  const argumentsKey = ARGUMENT_KEYS.find((key) => others.includes(key));
  if (argumentsKey !== undefined) {
    const extra = others.filter((key) => key !== argumentsKey);
    return [rawCall({ name, args: value[argumentsKey], extra })];
  }
  const args = Object.fromEntries(others.map((key) => [key, value[key]]));
  return [rawCall({ name, args, shape: "flat" })];
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function includes(keys: readonly string[], key: string): boolean {
  return keys.includes(key);
}

/** The object or list that a text holds and nothing else; undefined if it does not. */
export function jsonIn(text: string): unknown {
  const whole = text.trim();
  const read = /^[[{]/.test(whole) ? readJson(whole, 0, { limit: whole.length }) : undefined;
  return read?.state === "closed" && !read.guessed && read.end === whole.length ? read.value : undefined;
}
