import type { DeclaredTool } from "./declared-tools.js";
import type { RecoveredCall } from "./gates.js";
import { judge } from "./gates.js";
import { isRecord } from "./json-calls.js";
import { readJson } from "./lenient-json.js";
import { rawCall } from "./raw-call.js";
import { recoverCalls } from "./recover-calls.js";

/** How a server reports a call that it could not parse, with what the model wrote. */
const RAW_CALL = /error parsing tool call: raw='([^]*)', err=/;
/** Brackets that close nothing, which is the commonest slip. */
const STRAY_BRACKETS = /^[\s}\]]*$/;

/**
 * The call in a server's complaint that it could not parse one, by the rules for calls in text. Some models write the
 * arguments alone, and the complaint then names no tool: it is guessed only where one tool alone can take them and it
 * only reads. Undefined in any doubt.
 */
export function callInError(
  text: string,
  tools: readonly DeclaredTool[],
  readingTools: ReadonlySet<string>,
): RecoveredCall | undefined {
  const raw = withoutStrayBrackets(RAW_CALL.exec(text)?.[1]?.trim() ?? "");
  if (raw === "") return undefined;
  const { calls, problem } = recoverCalls({ content: raw, thinking: "", doneReason: "stop" }, tools);
  const [call] = calls;
  if (call) return calls.length === 1 ? call : undefined;
  return problem === undefined ? readWith(raw, tools, readingTools) : undefined;
}

function withoutStrayBrackets(raw: string): string {
  const read = readJson(raw, 0, { limit: raw.length });
  const isWhole = read?.state === "closed" && STRAY_BRACKETS.test(raw.slice(read.end));
  return isWhole ? raw.slice(0, read.end) : raw;
}

function readWith(
  raw: string,
  tools: readonly DeclaredTool[],
  readingTools: ReadonlySet<string>,
): RecoveredCall | undefined {
  const read = readJson(raw, 0, { limit: raw.length });
  if (read?.state !== "closed" || read.guessed || read.end !== raw.length) return undefined;
  const args = read.value;
  if (!isRecord(args)) return undefined;
  const keys = Object.keys(args);
  const able = tools.filter(
    ({ parameters, required }) =>
      keys.every((key) => parameters.has(key)) && required.every((key) => keys.includes(key)),
  );
  const [tool] = able;
  if (tool === undefined || able.length > 1 || !readingTools.has(tool.name)) return undefined;
  const judged = judge(rawCall({ name: tool.name, args }), tools, "whole");
  return judged && "name" in judged ? judged : undefined;
}
