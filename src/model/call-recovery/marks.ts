import { namesOf } from "./aliases.js";
import type { DeclaredTool } from "./declared-tools.js";
import { matchAt } from "./match-at.js";

/** Text with which a call may begin, and where: in any place, at the beginning of a line, or of the whole reply. */
interface Opening {
  mark: string;
  form: string;
}

const ANYWHERE: readonly Opening[] = [
  { mark: "<tool_call>", form: "hermes" },
  { mark: "<tool_calls>", form: "hermes" },
  { mark: "<tools>", form: "hermes" },
  { mark: "<tool_use>", form: "hermes" },
  { mark: "<function_call>", form: "hermes" },
  { mark: "<functioncall>", form: "hermes" },
  { mark: "<function_calls>", form: "function-calls" },
  { mark: "<function=", form: "function-xml" },
  { mark: "<function name=", form: "function-xml" },
  { mark: "<invoke name=", form: "function-xml" },
  { mark: "<call ", form: "text-protocol" },
  { mark: "<call:", form: "text-protocol" },
  { mark: "<call=", form: "text-protocol" },
  { mark: "<call>", form: "text-protocol" },
  { mark: "<|python_tag|>", form: "llama" },
  { mark: "[TOOL_CALLS]", form: "mistral" },
  { mark: "<｜tool▁calls▁begin｜>", form: "deepseek" },
  { mark: "<｜tool▁call▁begin｜>", form: "deepseek" },
  { mark: "<|tool_calls_begin|>", form: "deepseek" },
  { mark: "<|tool_call_begin|>", form: "deepseek" },
  { mark: "<|tool_calls_section_begin|>", form: "kimi" },
  { mark: "<start_function_call>", form: "gemma" },
  { mark: "<|tool_call>", form: "gemma" },
  { mark: "<|tool_call|>", form: "granite" },
  { mark: "<|tool_call_start|>", form: "lfm" },
  { mark: "<|START_ACTION|>", form: "cohere" },
  { mark: "<|channel|>commentary to=", form: "harmony" },
  { mark: "<|start|>assistant to=", form: "harmony" },
  { mark: "assistantcommentary to=functions.", form: "harmony" },
  { mark: "<|start|>assistant<|channel|>commentary to=", form: "harmony" },
];
const LINE_START: readonly Opening[] = [
  { mark: "functools[", form: "phi" },
  { mark: "call:", form: "gemma" },
  { mark: "commentary to=functions.", form: "harmony" },
  { mark: "Action:", form: "react" },
];

/** What a template puts around a reply; dropped where it stands at the reply's beginning or end. */
export const SENTINELS: readonly string[] = [
  "<|im_end|>",
  "<|im_start|>",
  "<|eot_id|>",
  "<|eom_id|>",
  "<|end_of_text|>",
  "<|endoftext|>",
  "<|end|>",
  "<|call|>",
  "<|return|>",
  "<|END_RESPONSE|>",
  "<|END_OF_TURN_TOKEN|>",
  "<｜end▁of▁sentence｜>",
  "<end_of_turn>",
  "<turn|>",
  "<eos>",
  "</s>",
];
const LEADING =
  /(?:<\|im_start\|>|<\|start\|>|<\|start_header_id\|>)assistant(?! to=)(?:<\|end_header_id\|>)?(?:<\|message\|>)?|<\|channel\|>(?:final|commentary)<\|message\|>|<\|message\|>|<start_of_turn>model|<\|assistant\|>|<\|START_RESPONSE\|>|<\|begin_of_text\|>|<bos>|<s>/y;

const WORDS = "call|tool_calls?|tools|tool_use|function_calls?|functioncall|function|invoke";
/** The marks before, between and behind calls, one at a time. */
const BEFORE = new RegExp(
  `\\s+|[,;]|<(?:antml:)?(?:${WORDS})>|<\\|(?:python_tag|tool_calls?|tool_call_start|START_ACTION|tool_calls_section_begin)\\|>|<\\|tool_call>|<start_function_call>|\\[TOOL_CALLS\\]|<[|｜]tool[▁_]calls?[▁_]begin[|｜]>|<\\|start\\|>assistant|<\\|channel\\|>commentary|(?:assistant)?commentary(?= to=)|to=(?=\\w)|functools(?=\\[)|Action:`,
  "y",
);
const CLOSING = `</(?:antml:)?(?:${WORDS})>|<tool_call\\|>|<\\|/tool_calls?\\|>|<end_function_call>|<[|｜]tool[▁_]calls?[▁_]end[|｜]>|<\\|(?:tool_call_end|END_ACTION|tool_calls_section_end)\\|>|\\[/TOOL_CALLS\\]`;
const AFTER = new RegExp(`[\\s}\\]]+|${CLOSING}|${SENTINELS.map(escaped).join("|")}`, "y");
/** Marks that no argument holds, as far as a value that is not proper JSON goes. */
const BORDER = new RegExp(
  `${CLOSING}|<(?:tool_response|tool_result|function_results?)>|<\\|(?:im_end|im_start|eot_id|eom_id|call|end|start)\\|>|\\nObservation:`,
  "g",
);

export interface Marks {
  anywhere: readonly Opening[];
  lineStart: readonly Opening[];
  /** Only where the reply begins. */
  replyStart: readonly Opening[];
}

export function openingMarks(tools: readonly DeclaredTool[]): Marks {
  const names = tools.map((tool) => tool.name);
  return {
    anywhere: [...ANYWHERE, ...names.map((name) => ({ mark: `<${name}>`, form: "tool-xml" }))],
    lineStart: [...LINE_START, ...names.map((name) => ({ mark: `${name}[ARGS]`, form: "mistral" }))],
    replyStart: [
      ...tools.flatMap(namesOf).map((name) => ({ mark: `${name}(`, form: "python" })),
      { mark: '"{', form: "json" },
    ],
  };
}

/** The end of the marks from here on: those before a call, or also those that close one. */
export function skipMarks(text: string, at: number, side: "before" | "after"): number {
  let pos = at;
  for (;;) {
    const mark = (side === "after" ? matchAt(AFTER, text, pos) : undefined) ?? matchAt(BEFORE, text, pos);
    if (!mark) return pos;
    pos += mark[0].length;
  }
}

/** Where the next mark stands that ends a call. */
export function nextMark(text: string, at: number): number | undefined {
  BORDER.lastIndex = at;
  return BORDER.exec(text)?.index;
}

/** The text without what the template put before it. */
export function withoutLeadingMarks(text: string): string {
  let pos = 0;
  for (;;) {
    const space = text.length - text.slice(pos).trimStart().length;
    const mark = matchAt(LEADING, text, space);
    if (!mark) return pos === 0 ? text : text.slice(pos).trimStart();
    pos = space + mark[0].length;
  }
}

export function withoutTrailingMarks(text: string): string {
  let end = text.length;
  for (;;) {
    const solid = text.slice(0, end).trimEnd();
    const mark = SENTINELS.find((sentinel) => solid.endsWith(sentinel));
    if (mark === undefined) return text.slice(0, end);
    end = solid.length - mark.length;
  }
}

export function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
