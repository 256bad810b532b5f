import { parameterNamed, toolNamed } from "./aliases.js";
import type { DeclaredTool } from "./declared-tools.js";
import { completeness, readJson } from "./lenient-json.js";
import { isLongText, longValue, plainValue, rawText } from "./protocol-values.js";
import { matchAt } from "./match-at.js";
import type { RawCall, ReadCalls } from "./raw-call.js";
import { rawCall } from "./raw-call.js";
import { endOfRaw, skipIndent, skipSpace } from "./raw-value.js";

/** As `model-end` names it. */
export const PROTOCOL_FORM = "text-protocol";

/** Group 1 is the tool, group 2 what else stands in the tag, group 3 closes it at once. */
const OPEN =
  /<call(?:[ \t]{0,9}[:=][ \t]{0,9}|\s{1,9}(?:(?:tool|name|function)\s{0,9}=\s{0,9})?)["']?([A-Za-z_][\w.:/-]{0,99}?)["']?((?:\s{1,9}[A-Za-z_][\w-]{0,63}\s{0,9}=\s{0,9}(?:"[^"\n]{0,2000}"|'[^'\n]{0,2000}'))*)\s{0,9}(\/?)>/y;
const ATTRIBUTE = /([A-Za-z_][\w-]{0,63})\s{0,9}=\s{0,9}(?:"([^"\n]*)"|'([^'\n]*)')/g;
/** Also the tags that other forms close a call with. */
const CLOSE = /<\/(?:call|tool|tool_call|tool_use|function|function_call|invoke)\b[^<>\n]{0,100}>/y;
/** An argument as an element. Group 1 is the element if that is not the argument's name, which is group 2. */
const ELEMENT =
  /<(?:(arg|argument|parameter|param)(?:=|\s{1,9}(?:name\s{0,9}=\s{0,9})?)["']?)?([A-Za-z_][\w-]{0,63})["']?\s{0,9}>/y;
/** An argument as a line. Group 1 is its name. */
const LINE = /(?:[-*][ \t]{1,3})?["'`]?([A-Za-z_][\w-]{0,63})["'`]?[ \t]{0,9}:(?!\/\/|:)[ \t]?/y;
/** The only argument, without its name. */
const BARE = /[ \t]*\r?\n?[ \t]*([^\s<{][^\n<]{0,2000}?)\s{0,99}(?=<\/call\b)/y;
const EXTRA_CLOSE = /\s*<\/([\w-]{1,100})>/y;
/** Closing tags too many that are passed over behind a value. */
const MOST_EXTRA = 3;
const MAX_ARGUMENTS = 32;

interface Argument {
  name: string;
  valueAt: number;
  /** Of its tags; undefined if it is a line. */
  tag?: string;
}

/**
 * A call as the text protocol writes it: a tag with the tool, arguments of one line as `name: value`, longer ones as raw
 * text between tags. Nothing is unescaped. What is not closed to its end breaks off.
 */
export function readProtocolCalls(
  text: string,
  at: number,
  tools: readonly DeclaredTool[],
): ReadCalls | undefined {
  const opening = matchAt(OPEN, text, at);
  if (!opening) return undefined;
  const [head, name = "", attributes = "", closesAtOnce = ""] = opening;
  const tool = toolNamed(name, tools);
  const args = new Map<string, unknown>();
  for (const [, key = "", double, single] of attributes.matchAll(ATTRIBUTE)) {
    args.set(key, double ?? single ?? "");
  }
  let guessed = false;
  const done = (end: number, call: Partial<RawCall> = {}): ReadCalls => ({
    calls: [rawCall({ name, args: Object.fromEntries(args), guessed, ...call })],
    end,
    form: PROTOCOL_FORM,
  });

  const start = at + head.length;
  if (closesAtOnce !== "") return done(start);
  if (!tool) return done(endOfCall(text, start));
  const body = skipSpace(text, start);
  if (text[body] === "{" && args.size === 0) return readJsonBody(text, body, tool, done);
  const bare = args.size === 0 ? matchAt(BARE, text, start) : undefined;
  const [sole, ...others] = tool.required;
  if (bare?.[1] !== undefined && sole !== undefined && others.length === 0 && !argumentAt(text, body)) {
    args.set(sole, plainValue(bare[1], sole));
    return done(endOfCall(text, start));
  }

  const isNext = (argument: Argument | undefined) => {
    const parameter = argument && parameterNamed(argument.name, tool);
    return (
      parameter !== undefined && ![...args.keys()].some((key) => parameterNamed(key, tool) === parameter)
    );
  };
  let pos = start;
  for (;;) {
    const isOwnLine = /\n/.test(text.slice(pos, skipSpace(text, pos)));
    pos = skipSpace(text, pos);
    const close = closeAt(text, pos, tool);
    // Where a closing mark is missing, the call may have been meant to go on.
    if (close > 0) return done(pos + close, { unclosed: guessed });
    const argument = argumentAt(text, pos);
    if (pos >= text.length)
      return done(text.length, args.size > 0 ? { unclosed: true } : { truncated: true });
    if (!argument || (argument.tag === undefined && !isOwnLine && !isNext(argument))) {
      return args.size > 0 ? done(pos, { unclosed: true }) : undefined;
    }
    const { name: key, tag, valueAt } = argument;
    if (args.has(key) || args.size >= MAX_ARGUMENTS) return done(endOfCall(text, pos), { args: undefined });
    args.set(key, "");
    const isBorder = (place: number) => closeAt(text, place, tool) > 0 || isNext(argumentAt(text, place));
    if (tag === undefined) {
      const line = lineValue(text, valueAt, isLongText(parameterNamed(key, tool) ?? key), isBorder);
      if (line === undefined) return done(text.length, { truncated: true });
      args.set(key, line.isLong ? longValue(line.value, key) : plainValue(line.value, key));
      pos = line.next;
      continue;
    }
    const goesOn = (place: number) => canGoOn(text, place, isBorder);
    const value = endOfRaw(text, valueAt, { tag, goesOn, isBorder });
    if (value === undefined) return done(text.length, { truncated: true });
    if (value === "unclear") return done(endOfCall(text, pos), { args: undefined });
    guessed ||= !value.isClosed;
    args.set(key, rawText(text.slice(valueAt, value.end), parameterNamed(key, tool) ?? key));
    pos = passExtra(text, value.next, isBorder);
  }
}

function argumentAt(text: string, at: number): Argument | undefined {
  const element = matchAt(ELEMENT, text, at);
  const line = element ? undefined : matchAt(LINE, text, at);
  const name = element?.[2] ?? line?.[1];
  const length = (element ?? line)?.[0].length ?? 0;
  if (name === undefined) return undefined;
  return { name, valueAt: at + length, ...(element && { tag: element[1] ?? name }) };
}

/** Length of a tag that closes the call; 0 if there is none. */
function closeAt(text: string, at: number, tool: DeclaredTool): number {
  const own = `</${tool.name}>`;
  return matchAt(CLOSE, text, at)?.[0].length ?? (text.startsWith(own, at) ? own.length : 0);
}

function endOfCall(text: string, at: number): number {
  const close = text.indexOf("</call>", at);
  return close === -1 ? text.length : close + "</call>".length;
}

/** Whether the text is over here, or the call goes on or ends, if need be behind a few closing tags too many. */
function canGoOn(text: string, at: number, isBorder: (place: number) => boolean): boolean {
  const place = skipSpace(text, passExtra(text, at, isBorder));
  return place >= text.length || isBorder(place);
}

function passExtra(text: string, at: number, isBorder: (place: number) => boolean): number {
  let pos = at;
  for (let extra = 0; extra < MOST_EXTRA && !isBorder(skipSpace(text, pos)); extra++) {
    const tag = matchAt(EXTRA_CLOSE, text, pos);
    if (!tag) break;
    pos += tag[0].length;
  }
  return isBorder(skipSpace(text, pos)) ? pos : at;
}

/** What stands behind the name on its line, and for a long text the lines up to the next argument or the call's end. */
function lineValue(
  text: string,
  at: number,
  mayBeLong: boolean,
  isBorder: (place: number) => boolean,
): { value: string; next: number; isLong: boolean } | undefined {
  const lineEnd = indexOr(text, "\n", at);
  const close = text.indexOf("</call>", at);
  if (close !== -1 && close < lineEnd) return { value: text.slice(at, close), next: close, isLong: false };
  const first = text.slice(at, lineEnd);
  if (!mayBeLong) {
    if (first.trim() !== "" || lineEnd >= text.length) return { value: first, next: lineEnd, isLong: false };
    const place = skipSpace(text, lineEnd);
    const end = isBorder(place) ? place : indexOr(text, "\n", place);
    return { value: text.slice(place, end), next: end, isLong: false };
  }
  for (let line = lineEnd + 1; line <= text.length; line = indexOr(text, "\n", line) + 1) {
    if (!isBorder(skipIndent(text, line))) continue;
    const value = text.slice(at, line);
    const isLong = first.trim() === "" || value.trim().includes("\n");
    return { value: isLong ? value : first, next: line, isLong };
  }
  // Without its end only one line is known to be whole.
  const isOneLine = text.slice(lineEnd).trim() === "" && first.trim() !== "";
  return isOneLine ? { value: first, next: text.length, isLong: false } : undefined;
}

function readJsonBody(
  text: string,
  at: number,
  tool: DeclaredTool,
  done: (end: number, call: Partial<RawCall>) => ReadCalls,
): ReadCalls {
  const limit = text.indexOf("</call>", at);
  const isKey = (key: string) => tool.parameters.has(key);
  const read = readJson(text, at, { limit: limit === -1 ? text.length : limit, isKey });
  if (!read || read.state === "broken") return done(endOfCall(text, at), { args: undefined });
  const place = skipSpace(text, read.end);
  return done(place + closeAt(text, place, tool), {
    args: read.value,
    guessed: read.guessed,
    ...completeness(read, text, limit !== -1),
  });
}

function indexOr(text: string, part: string, at: number): number {
  const found = text.indexOf(part, at);
  return found === -1 ? text.length : found;
}
