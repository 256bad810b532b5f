import type { DeclaredTool } from "./declared-tools.js";
import { ARGUMENT_KEYS, META_KEYS, NAME_KEYS, callsIn, isRecord } from "./json-calls.js";
import { completeness, readJson, readLenient } from "./lenient-json.js";
import { readElements, readKeyValues, readToolElements } from "./markup-calls.js";
import { nextMark, skipMarks } from "./marks.js";
import { matchAt } from "./match-at.js";
import { readProtocolCalls } from "./protocol-calls.js";
import { readPythonCalls } from "./python-calls.js";
import type { RawCall, ReadCalls } from "./raw-call.js";
import { rawCall } from "./raw-call.js";

type Shape = (text: string, at: number, tools: readonly DeclaredTool[]) => ReadCalls | undefined;

/** How a call can be written, whatever stands around it; the first that reads it counts. */
const SHAPES: readonly Shape[] = [
  readProtocolCalls,
  readElements,
  readToolElements,
  readKeyValues,
  readNamed,
  readBraces,
  readPythonCalls,
  readJsonCalls,
];

/** A name, what may stand between it and its arguments, and the arguments as JSON. */
const NAMED =
  /(?:function(?:<[|｜]tool[▁_]sep[|｜]>))?([A-Za-z_][\w.:/-]{0,99})(?:\s{0,9}<[|｜]tool[▁_]sep[|｜]>|\s{0,9}\[CALL_ID\]\w{0,40}|\s{0,9}\[ARGS\]|\s{0,9}<\|tool_call_argument_begin\|>|\s{0,9}<\|channel\|>commentary|\s{0,9}<\|constrain\|>|\s{0,9}json(?=\s{0,9}[{<])|\s{0,9}<\|message\|>|\s{0,9}\n\s{0,9}Action Input:|\s{0,9}```(?:json)?)*\s{0,9}(?=\{)/y;
/** More in one reply are a model that runs away. */
const MAX_CALLS = 32;
const FENCE_END = /\s{0,9}```/y;
const BRACES = /call:([A-Za-z_][\w.-]{0,99})\{/y;
const BRACES_KEY = /[\s,]{0,99}([A-Za-z_]\w{0,63})\s{0,9}:\s{0,9}/y;
const BRACES_END = /\s{0,99}\}/y;

/** Calls one after another from here on, with the marks around them. `end` is behind the last mark. */
export function readCalls(
  text: string,
  at: number,
  tools: readonly DeclaredTool[],
): (ReadCalls & { isMarkedOff: boolean }) | undefined {
  const calls: RawCall[] = [];
  let form: string | undefined;
  let pos = skipMarks(text, at, "before");
  let callEnd = pos;
  for (;;) {
    const read = firstOf(text, pos, tools);
    if (!read) break;
    calls.push(...read.calls);
    form ??= read.form;
    callEnd = read.end;
    pos = skipMarks(text, read.end, "after");
    if (calls.length >= MAX_CALLS || read.calls.some((call) => call.truncated)) break;
  }
  if (calls.length === 0) return undefined;
  const isMarkedOff = /[<[]/.test(text.slice(callEnd, pos));
  return { calls, end: pos, isMarkedOff, ...(form === undefined ? {} : { form }) };
}

function firstOf(text: string, at: number, tools: readonly DeclaredTool[]): ReadCalls | undefined {
  for (const shape of SHAPES) {
    const read = shape(text, at, tools);
    if (read) return read;
  }
  return undefined;
}

function readNamed(text: string, at: number, tools: readonly DeclaredTool[]): ReadCalls | undefined {
  const opening = matchAt(NAMED, text, at);
  const name = opening?.[1]?.replace(/:\d+$/, "");
  if (!opening || name === undefined || (opening[0].trim() === name && !isKnown(name, tools)))
    return undefined;
  const read = readValue(text, at + opening[0].length, tools);
  if (!read) return undefined;
  const end = read.end + (matchAt(FENCE_END, text, read.end)?.[0].length ?? 0);
  const args = read.state === "broken" ? undefined : read.value;
  return { calls: [rawCall({ name, args, guessed: read.guessed, ...read.completeness })], end };
}

function isKnown(name: string, tools: readonly DeclaredTool[]): boolean {
  return tools.some((tool) => tool.name === name);
}

function readJsonCalls(text: string, at: number, tools: readonly DeclaredTool[]): ReadCalls | undefined {
  if (!/["'{[]/.test(text[at] ?? "")) return undefined;
  const read = readValue(text, at, tools);
  if (!read) return undefined;
  const { truncated, unclosed } = read.completeness;
  const calls = callsIn(read.value, tools);
  if (calls && read.state !== "broken") {
    const marked = calls.map((call) => ({ ...call, guessed: read.guessed, truncated, unclosed }));
    return { calls: marked, end: read.end };
  }
  if (!truncated && read.state !== "broken") return undefined;
  // Of a broken value it must be plain that it was a call.
  const name = truncated || hasArguments(read.value) ? nameIn(read.value) : undefined;
  return name === undefined
    ? undefined
    : { calls: [rawCall({ name, args: undefined, truncated })], end: text.length };
}

function hasArguments(value: unknown): boolean {
  return isRecord(value) && ARGUMENT_KEYS.some((key) => key in value);
}

/** The name in what was read of a value that breaks off. */
function nameIn(value: unknown): string | undefined {
  const last: unknown = Array.isArray(value) ? value.at(-1) : value;
  if (!isRecord(last)) return undefined;
  return NAME_KEYS.map((key) => last[key]).find((name) => typeof name === "string");
}

function readValue(text: string, at: number, tools: readonly DeclaredTool[]) {
  const limit = nextMark(text, at);
  const read = readJson(text, at, { limit: limit ?? text.length, isKey: keyTest(tools) });
  return read && { ...read, completeness: completeness(read, text, limit !== undefined) };
}

function keyTest(tools: readonly DeclaredTool[]): (key: string) => boolean {
  const keys = new Set<string>([...NAME_KEYS, ...ARGUMENT_KEYS, ...META_KEYS]);
  for (const tool of tools) for (const name of tool.parameters.keys()) keys.add(name);
  return (key) => keys.has(key);
}

/** `call:name{key:value}`, with quotes of its own kind or with none; then a value ends at the next declared key. */
function readBraces(text: string, at: number, tools: readonly DeclaredTool[]): ReadCalls | undefined {
  const opening = matchAt(BRACES, text, at);
  const name = opening?.[1];
  if (!opening || name === undefined) return undefined;
  const limit = nextMark(text, at + opening[0].length) ?? text.length;
  const keys = new Set(tools.flatMap((tool) => [...tool.parameters.keys()]));
  const args = new Map<string, unknown>();
  const truncated = { calls: [rawCall({ name, args: undefined, truncated: true })], end: text.length };
  let guessed = false;
  let pos = at + opening[0].length;
  for (;;) {
    const close = matchAt(BRACES_END, text, pos);
    if (close) {
      const call = rawCall({ name, args: Object.fromEntries(args), guessed });
      return { calls: [call], end: pos + close[0].length };
    }
    const found = matchAt(BRACES_KEY, text, pos);
    const key = found?.[1];
    if (!found || key === undefined || args.has(key)) return pos >= limit ? truncated : undefined;
    pos += found[0].length;
    if (/[<"'[{]/.test(text[pos] ?? "")) {
      const read = readLenient(text, pos, { limit: text.length });
      if (!read || read.state === "broken") return undefined;
      if (read.state !== "closed") return truncated;
      args.set(key, read.value);
      pos = read.end;
    } else {
      const end = endOfBareValue(text, pos, limit, keys);
      if (end === undefined) return truncated;
      const value = text.slice(pos, end).trim();
      if (value.split("{").length !== value.split("}").length) return undefined;
      args.set(key, value);
      guessed = true;
      pos = end;
    }
  }
}

function endOfBareValue(
  text: string,
  at: number,
  limit: number,
  keys: ReadonlySet<string>,
): number | undefined {
  const nextKey = /,\s{0,9}([A-Za-z_]\w{0,63})\s{0,9}:/g;
  nextKey.lastIndex = at;
  for (let match = nextKey.exec(text); match && match.index < limit; match = nextKey.exec(text)) {
    if (keys.has(match[1] ?? "")) return match.index;
  }
  const close = text.lastIndexOf("}", limit - 1);
  return close >= at ? close : undefined;
}
