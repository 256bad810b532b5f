import type { WireTool } from "../tools/wire-schema.js";

type Arguments = Record<string, unknown>;

/** Names under which models wrap what should stand by itself. */
const WRAPPERS = ["arguments", "parameters", "input", "args", "params"];

/**
 * Makes what a model wrote into what the tool takes, without losing or guessing anything: other names of a key, values
 * in quotes, JSON in a string, one object too many. What cannot be repaired stays as it is, for the correction.
 *
 * @param aliases other names of an argument, as `alias → name`
 */
export function repairArguments(
  args: Arguments,
  tool: WireTool,
  aliases: ReadonlyMap<string, string>,
): Arguments {
  const properties = tool.function.parameters.properties;
  const declared = new Set(Object.keys(properties));
  const named = renamed(unwrapped(args, declared), declared, aliases);
  return Object.fromEntries(
    Object.entries(named)
      .filter(([, value]) => value !== null)
      .map(([key, value]) => [key, typed(value, properties[key]?.type)]),
  );
}

/** `{"arguments": {…}}` and `{"input": "{…}"}` are the object inside, unless the tool takes a key of that name. */
function unwrapped(args: Arguments, declared: ReadonlySet<string>): Arguments {
  const [key, ...others] = Object.keys(args);
  if (key === undefined || others.length > 0 || declared.has(key) || !WRAPPERS.includes(key)) return args;
  const inner = parsed(args[key]);
  const object = Array.isArray(inner) && inner.length === 1 ? (inner[0] as unknown) : inner;
  return isArguments(object) ? unwrapped(object, declared) : args;
}

function renamed(
  args: Arguments,
  declared: ReadonlySet<string>,
  aliases: ReadonlyMap<string, string>,
): Arguments {
  const result: Arguments = {};
  for (const [key, value] of Object.entries(args)) {
    const trimmed = key.trim();
    const name = declared.has(trimmed) ? trimmed : (aliases.get(trimmed) ?? trimmed);
    // A key that is there under its own name is not replaced by an alias.
    if (name === trimmed || (declared.has(name) && !(name in args) && !(name in result)))
      result[name] = value;
    else result[trimmed] = value;
  }
  return result;
}

function typed(value: unknown, type: string | undefined): unknown {
  switch (type) {
    case "integer":
    case "number": {
      const number = typeof value === "string" && value.trim() !== "" ? Number(value) : Number.NaN;
      return Number.isFinite(number) ? number : value;
    }
    case "boolean": {
      if (typeof value !== "string") return value;
      const word = value.trim().toLowerCase();
      if (word === "true") return true;
      return word === "false" ? false : value;
    }
    case "string": {
      if (typeof value === "number" || typeof value === "boolean") return String(value);
      // Models that write a JSON file tend to give its content as an object.
      return typeof value === "object" && value !== null ? `${JSON.stringify(value, null, 2)}\n` : value;
    }
    default:
      return value;
  }
}

function parsed(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function isArguments(value: unknown): value is Arguments {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
