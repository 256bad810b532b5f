import { parameterNamed } from "./aliases.js";
import type { DeclaredTool } from "./declared-tools.js";
import { completeness, readJson } from "./lenient-json.js";
import { matchAt } from "./match-at.js";
import type { RawCall, ReadCalls } from "./raw-call.js";
import { rawCall } from "./raw-call.js";

/** One way to write a call as elements: the call's own tag, its parameters, and how both are closed. */
interface Dialect {
  form: string;
  /** Group 1 is the tool. */
  open: RegExp;
  /** Group 1 is the parameter; what follows the match is its value. */
  parameter: (tool: string) => RegExp;
  parameterClose: (parameter: string) => string;
  close: (tool: string) => string[];
}

const ELEMENTS: Dialect = {
  form: "function-xml",
  open: /<(?:antml:)?(?:function|invoke)(?:=|\s+name=)["']?([\w.:/-]{1,100})["']?\s*>/y,
  parameter: () => /\s*<(?:antml:)?parameter(?:=|\s+name=)["']?([\w-]{1,64})["']?(?:\s[^<>\n]{0,99})?>/y,
  parameterClose: () => "parameter",
  close: () => ["function", "invoke", "tool_call", "tool_calls", "function_calls"],
};
const TOOL_ELEMENTS: Dialect = {
  form: "tool-xml",
  open: /<([A-Za-z_][\w-]{0,99})>/y,
  parameter: (tool) => new RegExp(`\\s*<(?!${tool}>)([A-Za-z_][\\w-]{0,63})>`, "y"),
  parameterClose: (parameter) => parameter,
  close: (tool) => [tool],
};
const KEY_VALUE: Dialect = {
  form: "arg-key",
  open: /([A-Za-z_][\w.-]{0,99})\s{0,9}(?=<arg_key>)/y,
  parameter: () => /\s*<arg_key>\s{0,9}([\w-]{1,64})\s{0,9}<\/arg_key>\s{0,9}<arg_value>/y,
  parameterClose: () => "arg_value",
  close: () => ["tool_call", "tool_calls"],
};

const CLOSING = /\s*<\/(?:antml:)?([\w-]{1,100})>/y;
const SPACE = /\s*/y;
const MAX_PARAMETERS = 32;

export const readElements = (text: string, at: number) => readMarkup(ELEMENTS, text, at);
export const readKeyValues = (text: string, at: number) => readMarkup(KEY_VALUE, text, at);

/** `<read_file><path>a</path></read_file>`, only with names that are declared exactly. */
export function readToolElements(
  text: string,
  at: number,
  tools: readonly DeclaredTool[],
): ReadCalls | undefined {
  const name = matchAt(TOOL_ELEMENTS.open, text, at)?.[1];
  const tool = tools.find((declared) => declared.name === name);
  return tool && readMarkup(TOOL_ELEMENTS, text, at, (key) => parameterNamed(key, tool) !== undefined);
}

/**
 * Values are raw text: nothing in them is unescaped, and a closing tag counts only where the call can go on or end
 * after it. What is not closed to the end breaks off.
 */
function readMarkup(
  dialect: Dialect,
  text: string,
  at: number,
  isParameter: (key: string) => boolean = () => true,
): ReadCalls | undefined {
  const opening = matchAt(dialect.open, text, at);
  const name = opening?.[1];
  if (!opening || name === undefined) return undefined;
  const start = at + opening[0].length;
  const closes = dialect.close(name);
  const parameterPattern = dialect.parameter(name);
  const parameterAt = (place: number) => {
    const found = matchAt(parameterPattern, text, place);
    const key = found?.[1];
    return found && key !== undefined && isParameter(key)
      ? { key, valueAt: place + found[0].length }
      : undefined;
  };
  const done = (end: number, call: Partial<RawCall>): ReadCalls => ({
    calls: [rawCall({ name, args: Object.fromEntries(args), guessed, ...call })],
    end,
    form: dialect.form,
  });
  const args = new Map<string, unknown>();
  let guessed = false;

  const bodyAt = skipSpace(text, start);
  if (text[bodyAt] === "{") {
    const limit = closingAt(text, bodyAt, closes);
    const read = readJson(text, bodyAt, { limit: limit ?? text.length });
    if (!read || read.state === "broken") return undefined;
    const end = read.end + (closing(text, read.end, closes) ?? 0);
    return done(end, {
      args: read.value,
      guessed: read.guessed,
      ...completeness(read, text, limit !== undefined),
    });
  }

  let pos = start;
  for (let next = parameterAt(pos); next; next = parameterAt(pos)) {
    const { key, valueAt } = next;
    if (args.has(key) || args.size >= MAX_PARAMETERS) return undefined;
    const value = endOfValue(text, valueAt, dialect.parameterClose(key), closes, parameterAt);
    if (!value) return done(text.length, { truncated: true });
    guessed ||= !value.isClosed;
    args.set(key, valueOf(text.slice(valueAt, value.end), value.isClosed));
    pos = value.next;
  }
  const close = closing(text, pos, closes);
  if (close !== undefined) return done(pos + close, {});
  if (skipSpace(text, pos) < text.length) return args.size > 0 ? done(pos, { unclosed: true }) : undefined;
  if (args.size > 0) return done(text.length, { unclosed: true });
  return dialect === ELEMENTS ? done(text.length, { truncated: true }) : undefined;
}

function valueOf(raw: string, isClosed: boolean): string {
  const isBlock = isClosed && /^\r?\n/.test(raw);
  return isBlock ? raw.replace(/^\r?\n/, "").replace(/\r?\n$/, "") : raw.trim();
}

/** The first closing tag after which the call goes on or ends; if it is missing, the next parameter or the call's end. */
function endOfValue(
  text: string,
  at: number,
  name: string,
  outer: readonly string[],
  parameterAt: (place: number) => object | undefined,
): { end: number; next: number; isClosed: boolean } | undefined {
  let outerClose: number | undefined;
  for (let open = text.indexOf("<", at); open !== -1; open = text.indexOf("<", open + 1)) {
    const tag = matchAt(CLOSING, text, open);
    if (tag?.[1] === name) {
      const next = open + tag[0].length;
      const canGoOn =
        parameterAt(next) !== undefined ||
        closing(text, next, outer) !== undefined ||
        skipSpace(text, next) >= text.length;
      if (canGoOn) return { end: open, next, isClosed: true };
    } else if (tag && name === "parameter" && tag[1] === outer[0]) {
      outerClose ??= open;
    } else if (name === "parameter" && text[open - 1] === "\n" && parameterAt(open) !== undefined) {
      return { end: open, next: open, isClosed: false };
    }
  }
  return outerClose === undefined ? undefined : { end: outerClose, next: outerClose, isClosed: false };
}

/** Length of a closing tag of one of these names, with the space before it. */
function closing(text: string, at: number, names: readonly string[]): number | undefined {
  const tag = matchAt(CLOSING, text, at);
  return tag && names.includes(tag[1] ?? "") ? tag[0].length : undefined;
}

function closingAt(text: string, at: number, names: readonly string[]): number | undefined {
  const places = names.map((name) => text.indexOf(`</${name}>`, at)).filter((place) => place !== -1);
  return places.length > 0 ? Math.min(...places) : undefined;
}

function skipSpace(text: string, at: number): number {
  return at + (matchAt(SPACE, text, at)?.[0].length ?? 0);
}
