import { readLenient } from "./lenient-json.js";
import { matchAt } from "./match-at.js";
import type { RawCall, ReadCalls } from "./raw-call.js";
import { rawCall } from "./raw-call.js";

const CALL = /(?:print\()?([A-Za-z_][\w.]{0,99})\(/y;
const KEYWORD = /\s*([A-Za-z_]\w{0,63})\s{0,9}=(?!=)\s*/y;
const COMMA = /\s*,/y;
const CLOSE = /\s*,?\s{0,99}\)/y;
const LIST_END = /\s*\]/y;
const SPACE = /\s*/y;

/** `name(key="value")`, alone, in `print(…)`, or several in a list. */
export function readPythonCalls(text: string, at: number): ReadCalls | undefined {
  const isList = text[at] === "[";
  let pos = isList ? at + 1 : at;
  const calls: RawCall[] = [];
  for (;;) {
    pos += matchAt(SPACE, text, pos)?.[0].length ?? 0;
    const read = readCall(text, pos);
    if (!read) return undefined;
    calls.push(read.call);
    pos = read.end;
    if (read.call.truncated || !isList) return { calls, end: pos, form: "python" };
    const end = matchAt(LIST_END, text, pos);
    if (end) return { calls, end: pos + end[0].length, form: "python" };
    const comma = matchAt(COMMA, text, pos);
    if (!comma) return undefined;
    pos += comma[0].length;
  }
}

function readCall(text: string, at: number): { call: RawCall; end: number } | undefined {
  const opening = matchAt(CALL, text, at);
  if (!opening) return undefined;
  const name = (opening[1] ?? "").replace(/\.call$/, "");
  const args = new Map<string, unknown>();
  let pos = at + opening[0].length;
  const truncated = () => ({ call: rawCall({ name, args: undefined, truncated: true }), end: text.length });
  for (;;) {
    const close = matchAt(CLOSE, text, pos);
    if (close) {
      pos += close[0].length;
      if (opening[0].startsWith("print(")) pos += matchAt(CLOSE, text, pos)?.[0].length ?? 0;
      return { call: rawCall({ name, args: Object.fromEntries(args) }), end: pos };
    }
    if (args.size > 0) {
      const comma = matchAt(COMMA, text, pos);
      if (comma) pos += comma[0].length;
      else return isEnd(text, pos) ? truncated() : undefined;
    }
    const keyword = matchAt(KEYWORD, text, pos);
    const key = keyword?.[1];
    if (!keyword || key === undefined) return isEnd(text, pos) ? truncated() : undefined;
    if (args.has(key)) return undefined;
    pos += keyword[0].length;
    const read = readLenient(text, pos, { limit: text.length, python: true });
    if (!read || read.state === "broken") return isEnd(text, pos) ? truncated() : undefined;
    if (read.state !== "closed") return truncated();
    args.set(key, read.value);
    pos = read.end;
  }
}

function isEnd(text: string, at: number): boolean {
  return at + (matchAt(SPACE, text, at)?.[0].length ?? 0) >= text.length;
}
