import { toolNamed } from "./aliases.js";
import type { DeclaredTool } from "./declared-tools.js";
import { fitArguments } from "./fit-arguments.js";
import { isRecord } from "./json-calls.js";
import type { RawCall } from "./raw-call.js";

export interface RecoveredCall {
  name: string;
  args: Record<string, unknown>;
}

/** Why a call that the model meant to make is not made. */
export interface CallProblem {
  problem: "truncated" | "missing_args" | "unknown_tool" | "shown";
  /** The tool's name; for `missing_args` also what is missing: `write_file: content`. */
  detail: string;
}

/**
 * How plainly the text says that it is a call: in the form in which the model was told to make calls, in other marks
 * made for them, the whole message, or a code fence at its end.
 */
export type Evidence = "as-told" | "tagged" | "whole" | "fenced";

const TOOL_NAME = /^[A-Za-z_][\w.:/-]{0,99}$/;
/** As tools are named rather than things. */
const COMPOUND_NAME = /^[a-z]+(?:_[a-z0-9]+)+$|^[a-z]+(?:[A-Z][a-z0-9]+)+$/;
/** Names and values that stand for others. */
const PLACEHOLDER_NAME = /^(?:example|your|some)[_-]|^(?:function|tool)?[_-]?name$/i;
const PLACEHOLDER =
  /^(?:<[^<>\n]*>|\.{3}|…|\{\{?[^{}\n]*\}?\}|\[[A-Z_ ]+\])$|(?:^|\/)path\/to(?:\/|$)|^<?your[ _-]/i;
/** In text of any kind, where angle brackets may be meant. */
const TEXT_PLACEHOLDER =
  /^(?:<(?:your|the|some|new|old|file|text|value|string|search|content|pattern)\b[^<>\n]*>|\.{3}|…)$/i;
const BULKY_TEXT = new Set(["content", "old_text", "new_text"]);
const FREE_TEXT = new Set([...BULKY_TEXT, "pattern"]);

/** Decides over one call; undefined if the text is not one. Refuses where in doubt: a wrong call does harm. */
export function judge(
  call: RawCall,
  tools: readonly DeclaredTool[],
  evidence: Evidence,
): RecoveredCall | CallProblem | undefined {
  const tool = toolNamed(call.name, tools);
  if (!tool)
    return isMeantAsCall(call, evidence) ? { problem: "unknown_tool", detail: call.name } : undefined;
  if (call.truncated) return { problem: "truncated", detail: tool.name };

  const unreadable: CallProblem = { problem: "missing_args", detail: tool.name };
  if (isSchema(call.args)) return undefined;
  const fitted = fitArguments(call.args, tool);
  if (!fitted) return evidence === "fenced" ? undefined : unreadable;
  const { args, declared, unknown, missing } = fitted;
  if (isSchema(args) || Object.entries(args).some(isPlaceholder)) {
    return evidence === "as-told" ? unreadable : undefined;
  }
  if (call.shape === "flat" && unknown.length > 0) return undefined;
  if (!isMarked(evidence) && call.extra.length > 0) return undefined;
  if (call.guessed && unknown.length > 0) return unreadable;
  if (Object.entries(args).some(([name, value]) => holdsBorder(name, value, call.guessed))) return unreadable;

  const isBare = call.shape === "explicit" && Object.keys(args).length === 0;
  if (declared === 0 && !isBare && !isMarked(evidence)) return undefined;
  if (missing.length > 0) return { problem: "missing_args", detail: `${tool.name}: ${missing.join(", ")}` };
  if (declared === 0 && !isBare) return unreadable;
  return { name: tool.name, args };
}

function isMeantAsCall(call: RawCall, evidence: Evidence): boolean {
  if (
    evidence === "fenced" ||
    !TOOL_NAME.test(call.name) ||
    PLACEHOLDER_NAME.test(call.name) ||
    isSchema(call.args)
  )
    return false;
  if (isRecord(call.args) && Object.entries(call.args).some(isPlaceholder)) return false;
  if (isMarked(evidence)) return true;
  return (
    COMPOUND_NAME.test(call.name) &&
    call.shape === "explicit" &&
    call.extra.length === 0 &&
    !call.truncated &&
    isRecord(call.args)
  );
}

function isMarked(evidence: Evidence): boolean {
  return evidence === "tagged" || evidence === "as-told";
}

/** The description of arguments where arguments should be. */
function isSchema(args: unknown): boolean {
  if (!isRecord(args)) return false;
  if (isRecord(args["properties"]) && ("type" in args || "required" in args)) return true;
  const values = Object.values(args);
  return (
    values.length > 0 &&
    values.every((value) => isRecord(value) && typeof value["type"] === "string" && !("value" in value))
  );
}

/** A short value with the border of another in it: its end was taken to be too late. */
function holdsBorder(name: string, value: unknown, guessed: boolean): boolean {
  if (typeof value !== "string" || BULKY_TEXT.has(name)) return false;
  return /\n\s*<\/?(?:parameter|function|arg_)/.test(value) || (guessed && /["']\s*:|\n/.test(value));
}

function isPlaceholder([name, value]: [string, unknown]): boolean {
  if (typeof value !== "string") return false;
  return FREE_TEXT.has(name) ? TEXT_PLACEHOLDER.test(value.trim()) : PLACEHOLDER.test(value.trim());
}
