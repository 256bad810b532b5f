import type { DeclaredTool } from "./declared-tools.js";
import { readFencedCalls } from "./fenced-calls.js";
import type { CallProblem } from "./gates.js";
import { judge } from "./gates.js";
import { speaksOfExample } from "./lead-in.js";
import { withoutTrailingMarks } from "./marks.js";
import { PROTOCOL_FORM } from "./protocol-calls.js";

/** How far before the fence its introduction is looked for. */
const LOOK_BACK_CHARS = 400;

/**
 * The call in the form of the text protocol with which a reply ends, in a code fence behind too much prose to be taken
 * for made. The model is asked rather than the call run; undefined if there is none, or if it is called an example.
 */
export function shownCall(text: string, tools: readonly DeclaredTool[]): CallProblem | undefined {
  const whole = withoutTrailingMarks(text).trimEnd();
  const border = /\n(`{3,99}|~{3,99})$/.exec(whole.slice(-101))?.[1];
  if (border === undefined) return undefined;
  const at = whole.lastIndexOf(`\n${border}`, whole.length - border.length - 2) + 1;
  if (at === 0 || speaksOfExample(whole.slice(Math.max(0, at - LOOK_BACK_CHARS), at))) return undefined;
  const read = readFencedCalls(whole, at, tools);
  if (read?.form !== `fenced-${PROTOCOL_FORM}`) return undefined;
  const verdicts = read.calls.map((call) => judge(call, tools, "fenced"));
  const [first] = verdicts;
  const areCalls = verdicts.every((verdict) => verdict !== undefined && "name" in verdict);
  return areCalls && first !== undefined && "name" in first
    ? { problem: "shown", detail: first.name }
    : undefined;
}
