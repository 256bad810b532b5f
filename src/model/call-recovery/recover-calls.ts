import { createThinkFilter } from "../think-filter.js";
import { readCalls } from "./call-shapes.js";
import type { DeclaredTool } from "./declared-tools.js";
import type { CallProblem, Evidence, RecoveredCall } from "./gates.js";
import { judge } from "./gates.js";
import { readFencedCalls } from "./fenced-calls.js";
import type { CallProtocol } from "../call-protocol.js";
import { restoreCallMarks } from "../text-protocol/call-marks.js";
import { isMadeCall } from "./lead-in.js";
import { HEAD_CHARS, mayBeCall } from "./may-be-call.js";
import { openingMarks, withoutLeadingMarks, withoutTrailingMarks } from "./marks.js";
import type { Opening } from "./opening-scanner.js";
import { createOpeningScanner } from "./opening-scanner.js";
import { PROTOCOL_FORM } from "./protocol-calls.js";
import type { RawCall } from "./raw-call.js";
import { shownCall } from "./shown-call.js";

export interface NewReply {
  content: string;
  thinking: string;
  /** Ollama's `done_reason`. */
  doneReason: string;
  /** Calls that the server recognised; then text is only freed of their echoes. */
  nativeCalls?: readonly RecoveredCall[];
}

export interface RecoveredReply {
  calls: RecoveredCall[];
  /** What is left to show. */
  text: string;
  thinking: string;
  /** How the calls were written, or the call with the problem: `hermes`, `function-xml`, `json`, `fenced-json` … */
  form?: string;
  problem?: CallProblem["problem"];
  /** See `CallProblem`. */
  detail?: string;
}

/** A reply that mentions calls more often than this is about them; it makes none. */
const MAX_MENTIONS = 16;
const NEXT_TAG = /<(\/)?(?:parameter|function|invoke|tool_call|arg_value|arg_key|call)\b/;
const THINKING_TAG = /<(\/)?think(?:ing)?>/;

interface Found {
  at: number;
  form: string;
  calls: RecoveredCall[];
  problem?: CallProblem;
  /** The call is closed by a mark of its own, and nothing comes after it. */
  isLastWord: boolean;
}

/**
 * Finds the tool calls that a model wrote as text. Pure. In doubt it finds none: a call that is made by mistake does
 * more harm than one that is missed. Takes time in proportion to the length of the reply.
 *
 * @param protocol `text`: the model was told to write its calls so. Then none is looked for in its thinking.
 */
export function recoverCalls(
  reply: NewReply,
  tools: readonly DeclaredTool[],
  protocol: CallProtocol = "native",
): RecoveredReply {
  if (tools.length === 0) return { calls: [], text: reply.content, thinking: reply.thinking };
  const filter = createThinkFilter();
  const parts = [filter.write(reply.content), filter.end()];
  const thinking = reply.thinking + parts.map((part) => part.thinking).join("");
  const text = withoutLeadingMarks(parts.map((part) => part.text).join(""));
  const native = reply.nativeCalls ?? [];
  const nothing = { calls: [], text: withoutTrailingMarks(text), thinking };

  const found = find(text, { scope: "reply", protocol, doneReason: reply.doneReason, tools });
  if (native.length > 0) {
    const isEcho =
      found !== undefined && found.calls.length > 0 && found.calls.every((call) => isAmong(call, native));
    return isEcho ? { ...nothing, text: before(text, found.at) } : nothing;
  }
  if (found) {
    const { calls, ...rest } = outcome(found);
    const meant = protocol === "text" ? calls.map(withCallMarks) : calls;
    return { calls: meant, ...rest, text: before(text, found.at), thinking };
  }
  if (protocol === "text") {
    const shown = shownCall(text, tools);
    return shown ? { ...nothing, form: PROTOCOL_FORM, ...shown } : nothing;
  }
  if (nothing.text.trim() !== "") return nothing;

  const inThinking = find(thinking, { scope: "thinking", protocol, doneReason: reply.doneReason, tools });
  if (!inThinking?.isLastWord || inThinking.problem) return nothing;
  return { ...outcome(inThinking), text: "", thinking: before(thinking, inThinking.at) };
}

function outcome({ calls, form, problem }: Found) {
  return { calls, form, ...(problem && { problem: problem.problem, detail: problem.detail }) };
}

function withCallMarks({ name, args }: RecoveredCall): RecoveredCall {
  const entries = Object.entries(args).map(
    ([key, value]) => [key, typeof value === "string" ? restoreCallMarks(value) : value] as const,
  );
  return { name, args: Object.fromEntries(entries) };
}

function before(text: string, at: number): string {
  return withoutTrailingMarks(text.slice(0, at)).trimEnd();
}

interface Search {
  scope: "reply" | "thinking";
  protocol: CallProtocol;
  doneReason: string;
  tools: readonly DeclaredTool[];
}

function find(text: string, { scope, protocol, doneReason, tools }: Search): Found | undefined {
  const scanner = createOpeningScanner(openingMarks(tools), scope);
  scanner.push(text);
  let mentions = 0;
  for (let opening = scanner.next(true); opening && mentions < MAX_MENTIONS; opening = scanner.next(true)) {
    // A reply that streams has let this go by then.
    if (!mayBeCall(text.slice(opening.at, opening.at + HEAD_CHARS), opening.kind, tools)) continue;
    const read = readAt(text, opening, tools, protocol);
    if (read !== "mention") return read && judged(read, opening, doneReason, tools);
    mentions++;
  }
  return undefined;
}

interface ReadOpening {
  calls: RawCall[];
  form: string;
  evidence: Evidence;
  isLastWord: boolean;
}

/** What is written at an opening: calls; a mere mention of what could open one; or undefined, a call that is only shown. */
function readAt(
  text: string,
  opening: Opening,
  tools: readonly DeclaredTool[],
  protocol: CallProtocol,
): ReadOpening | "mention" | undefined {
  const { at, kind } = opening;
  if (kind === "fence") {
    const read = readFencedCalls(text, at, tools);
    return read ? { ...read, evidence: "fenced", isLastWord: false } : "mention";
  }
  const read = readCalls(text, at, tools);
  if (!read) return "mention";
  const rest = withoutTrailingMarks(text.slice(read.end)).trim();
  const form = read.form ?? opening.form;
  if (kind !== "mark") {
    return rest === "" ? { calls: read.calls, form, evidence: "whole", isLastWord: false } : "mention";
  }
  // Templates may begin the reply within the thinking, so that only its end is marked.
  if (protocol === "text" && THINKING_TAG.exec(rest)?.[1] !== undefined) return "mention";
  const isAsTold = protocol === "text" && form === PROTOCOL_FORM;
  if (!isMadeCall(text, at, read.end, isAsTold)) return undefined;
  const evidence = isAsTold ? "as-told" : "tagged";
  const isLastWord = read.isMarkedOff && rest === "";
  // A closing tag without its opening one: the value before was taken to end too early.
  if (NEXT_TAG.exec(rest)?.[1] === undefined) return { calls: read.calls, form, evidence, isLastWord };
  const unreadable = read.calls.map((call) => ({ ...call, args: undefined }));
  return isAsTold ? { calls: unreadable, form, evidence, isLastWord } : undefined;
}

function judged(
  { calls, form, evidence, isLastWord }: ReadOpening,
  { at }: Opening,
  doneReason: string,
  tools: readonly DeclaredTool[],
): Found | undefined {
  const isCut = doneReason === "length";
  const verdicts = calls.map((call) =>
    judge({ ...call, truncated: call.truncated || (isCut && call.unclosed) }, tools, evidence),
  );
  if (verdicts.includes(undefined)) return undefined;
  const problem = verdicts.find((verdict) => verdict !== undefined && "problem" in verdict);
  if (problem) return { at, form, calls: [], problem, isLastWord };
  const recovered = verdicts.filter((verdict) => verdict !== undefined && "name" in verdict);
  return { at, form, calls: recovered, isLastWord };
}

function isAmong(call: RecoveredCall, calls: readonly RecoveredCall[]): boolean {
  const key = canonical(call);
  return calls.some((other) => canonical(other) === key);
}

function canonical({ name, args }: RecoveredCall): string {
  return JSON.stringify([name, Object.entries(args).sort(([a], [b]) => (a < b ? -1 : 1))]);
}
