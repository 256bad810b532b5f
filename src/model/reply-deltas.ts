import type { CallProtocol } from "./call-protocol.js";
import { createCallStream } from "./call-recovery/call-stream.js";
import type { DeclaredTool } from "./call-recovery/declared-tools.js";
import type { RecoveredCall } from "./call-recovery/gates.js";
import type { RecoveredReply } from "./call-recovery/recover-calls.js";
import { recoverCalls } from "./call-recovery/recover-calls.js";
import type { ChatChunk } from "./ollama-client.js";
import { createThinkFilter } from "./think-filter.js";

type ServerCall = NonNullable<NonNullable<ChatChunk["message"]>["tool_calls"]>[number];

/** A piece of a reply. */
export type Delta =
  { kind: "text" | "thinking"; text: string } | { kind: "calls"; calls: readonly ServerCall[] };

/** What became of calls that arrived as text; empty if there were none. */
export type Recovery = Pick<RecoveredReply, "form" | "problem" | "detail">;

export interface ReplyDeltas {
  /** The pieces of what one read brought, those of one kind in one: a fast stream costs per read, not per token. */
  take(group: readonly ChatChunk[]): Delta[];
  /** What was held back until the end. */
  end(): Delta[];
  /** Known at the end. */
  readonly recovery: Recovery;
  /** Behind calls in text the model has begun to invent their results: what follows is of no use. */
  readonly isPastCalls: boolean;
}

const RESULT_MARK = "<tool_response>";
/** A reply that holds the mark more often is about it. */
const MOST_RESULT_MARKS = 8;

/**
 * Reads one reply: thinking that the server left in the text is parted from it, and calls to `tools` that came as text
 * become calls. What may turn out to be part of one is held back until it is known. Without tools nothing is.
 *
 * @param protocol `text`: the model was told to write its calls so, and none is looked for in its thinking
 */
export function createReplyDeltas(
  tools: readonly DeclaredTool[] = [],
  protocol: CallProtocol = "native",
): ReplyDeltas {
  const filter = createThinkFilter();
  const stream = {
    text: createCallStream(tools, "reply"),
    thinking: createCallStream(protocol === "text" ? [] : tools, "thinking"),
  };
  const nativeCalls: RecoveredCall[] = [];
  let doneReason = "";
  let isPastCalls = false;
  let tail = "";
  let resultMarks = 0;
  let recovery: Recovery = {};

  const filtered = (part: { thinking: string; text: string }): Delta[] => {
    const thinking = part.thinking === "" ? "" : stream.thinking.write(part.thinking);
    const text = part.text === "" ? "" : stream.text.write(part.text);
    // Once there is an answer, thinking is no call.
    const rest = text.trim() === "" ? "" : stream.thinking.flush();
    return [...delta("thinking", thinking + rest), ...delta("text", text)];
  };

  /** Whether this text completes the mark of a result behind calls that are whole. */
  const endsCalls = (text: string): boolean => {
    tail = (tail + text).slice(-(RESULT_MARK.length + text.length));
    if (!tail.includes(RESULT_MARK) || ++resultMarks > MOST_RESULT_MARKS) return false;
    tail = "";
    const said = { content: stream.text.whole, thinking: "", doneReason: "" };
    return recoverCalls(said, tools, protocol).calls.length > 0;
  };

  return {
    take(group) {
      const deltas: Delta[] = [];
      const add = (delta: Delta) => {
        const last = deltas.at(-1);
        if (delta.kind !== "calls" && last?.kind === delta.kind) last.text += delta.text;
        else deltas.push(delta);
      };
      for (const { message, done_reason } of group) {
        if (message?.thinking) filtered({ thinking: message.thinking, text: "" }).forEach(add);
        if (message?.content) {
          filtered(filter.write(message.content)).forEach(add);
          isPastCalls ||= protocol === "text" && endsCalls(message.content);
        }
        if (message?.tool_calls && message.tool_calls.length > 0) {
          nativeCalls.push(...message.tool_calls.map(asCall));
          add({ kind: "calls", calls: message.tool_calls });
        }
        doneReason = done_reason ?? doneReason;
      }
      return deltas;
    },
    end() {
      const last = filtered(filter.end());
      const said = { content: stream.text.whole, thinking: stream.thinking.whole, doneReason, nativeCalls };
      const { calls, text, thinking, ...found } = recoverCalls(said, tools, protocol);
      recovery = found;
      const recovered = calls.map(({ name, args }) => ({ function: { name, arguments: args } }));
      return [
        ...last,
        ...delta("thinking", stream.thinking.end(thinking)),
        ...delta("text", stream.text.end(text)),
        ...(recovered.length > 0 ? [{ kind: "calls" as const, calls: recovered }] : []),
      ];
    },
    get recovery() {
      return recovery;
    },
    get isPastCalls() {
      return isPastCalls;
    },
  };
}

function asCall(call: ServerCall): RecoveredCall {
  return { name: call.function?.name ?? "", args: (call.function?.arguments ?? {}) as RecoveredCall["args"] };
}

function delta(kind: "text" | "thinking", text: string): Delta[] {
  return text === "" ? [] : [{ kind, text }];
}
