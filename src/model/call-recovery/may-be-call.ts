import { parameterNamed, toolNamed } from "./aliases.js";
import type { DeclaredTool } from "./declared-tools.js";
import { isCallFence } from "./fenced-calls.js";
import { ARGUMENT_KEYS, META_KEYS, NAME_KEYS, WRAPPER_KEYS } from "./json-calls.js";
import { skipMarks } from "./marks.js";
import type { Opening } from "./opening-scanner.js";

const KEYS = new Set<string>([...NAME_KEYS, ...ARGUMENT_KEYS, ...META_KEYS, ...WRAPPER_KEYS]);
/** A first key that is all there, and the value after it if it is a string that is. */
const FIRST_KEY = /^\{\s*["']?([A-Za-z][\w-]*)(?:["']?\s*:\s*["']([^"'\\]*)["']|(?=["'\s:]))/;
const ELEMENT = /^<(?:[|｜]|call[\s:=]|(?:antml:)?(?:function|invoke)[=\s])/;
/** A name and what may come between it and its arguments, both as far as they are there. */
const NAMED = /^([A-Za-z_][\w.:/-]{0,99})(?:$|(\()|[[{<]|\s*(?:$|[[{`]|<(?:$|[^/])|A(?:$|c)|j(?:$|s)))/;

/** How much of the text at an opening decides over it. */
export const HEAD_CHARS = 400;

/** Whether a call may begin with this head of the text at an opening: quickly, and never no where more could make it yes. */
export function mayBeCall(head: string, kind: Opening["kind"], tools: readonly DeclaredTool[]): boolean {
  if (kind !== "fence") return mayBeBody(head, kind, tools);
  const lineEnd = head.indexOf("\n");
  if (lineEnd === -1) return true;
  return isCallFence(head.slice(0, lineEnd)) && mayBeBody(head.slice(lineEnd), kind, tools);
}

function mayBeBody(head: string, kind: Opening["kind"], tools: readonly DeclaredTool[]): boolean {
  const body = head.slice(skipMarks(head, 0, "before"));
  switch (body[0]) {
    case undefined:
      return true;
    case "<":
      return (
        !/^<[^>\s]*[>\s]/.test(body) ||
        ELEMENT.test(body) ||
        tools.some(({ name }) => body.startsWith(`<${name}>`))
      );
    case "{":
      return kind === "mark" || mayBeObject(body, kind, tools);
    case "[":
      return /^\[(?:TOOL|\s*$)/.test(body) || mayBeBody(body.slice(1), kind, tools);
    case '"':
    case "'":
      return /^["']\s*(?:$|[{[\\])/.test(body);
    default: {
      const named = NAMED.exec(body);
      if (named?.[2] !== undefined && kind !== "mark") {
        return named[1] === "print" || toolNamed(named[1] ?? "", tools) !== undefined;
      }
      return named !== null;
    }
  }
}

function mayBeObject(body: string, kind: Opening["kind"], tools: readonly DeclaredTool[]): boolean {
  const [, key, value] = FIRST_KEY.exec(body) ?? [];
  if (key === undefined) return true;
  // In a fence it takes a known name to be a call.
  const isName = NAME_KEYS.some((name) => name === key);
  if (kind === "fence" && isName && value !== undefined && !toolNamed(value, tools)) return false;
  return KEYS.has(key) || tools.some((tool) => tool.name === key || parameterNamed(key, tool) !== undefined);
}
