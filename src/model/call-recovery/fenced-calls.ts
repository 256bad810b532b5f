import { readCalls } from "./call-shapes.js";
import type { DeclaredTool } from "./declared-tools.js";
import { withoutTrailingMarks } from "./marks.js";
import type { RawCall } from "./raw-call.js";

/** The labels of a code fence in which calls come; code in a language is code. */
const CALL_LABELS = new Set(["", "json", "xml", "tool_code", "tool_call"]);
const BORDER = /^([`~]+)[ \t]*(\S*)/;

/** Whether calls may be in the fence that this line opens. */
export function isCallFence(line: string): boolean {
  return CALL_LABELS.has((BORDER.exec(line)?.[2] ?? "").toLowerCase());
}

/** The calls in the fence that opens here, if it is the end of the reply and holds nothing else. */
export function readFencedCalls(
  text: string,
  at: number,
  tools: readonly DeclaredTool[],
): { calls: RawCall[]; form: string } | undefined {
  const whole = withoutTrailingMarks(text).trimEnd();
  const lineEnd = whole.indexOf("\n", at);
  const line = whole.slice(at, lineEnd);
  const border = BORDER.exec(line)?.[1] ?? "";
  if (lineEnd === -1 || !isCallFence(line)) return undefined;
  const rest = whole.slice(lineEnd);
  const close = new RegExp(`\\n[ \\t]*${border}${border[0] ?? ""}*[ \\t]*(?=\\n|$)`).exec(rest);
  if (close && close.index + close[0].length < rest.length) return undefined;
  const body = rest.slice(0, close?.index).trim();
  const read = readCalls(body, 0, tools);
  if (!read || read.end < body.length) return undefined;
  const calls = read.calls.map((call) => ({ ...call, unclosed: call.unclosed || !close }));
  return { calls, form: `fenced-${read.form ?? "json"}` };
}
