import type { BaseMessage } from "@langchain/core/messages";
import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { thinkingFields } from "../model/thinking.js";
import type { SessionRecord } from "../sessions/records.js";

/** What the model is told of a call whose result is not known. */
const ANSWER_OF_UNFINISHED = {
  started: "Interrupted: the call was started and may have taken effect. Check before doing it again.",
  notStarted: "Not run: the user interrupted before this call.",
};

/**
 * The conversation that records tell: every call has an answer and every user message a reply, whatever happened in
 * between, so that the next request is valid for any chat template.
 */
export function conversationFrom(records: readonly SessionRecord[]): BaseMessage[] {
  const finished = new Map(
    records.flatMap((record) => (record.type === "call-finished" ? [[record.id, record] as const] : [])),
  );
  const started = new Set(records.flatMap((record) => (record.type === "call-started" ? [record.id] : [])));
  const messages: BaseMessage[] = [];
  for (const record of records) {
    if (record.type === "user") messages.push(...missingReply(messages), new HumanMessage(record.text));
    if (record.type !== "assistant") continue;
    messages.push(
      new AIMessage({
        content: record.cut === undefined ? record.text : `${record.text}\n[${record.cut}]`.trimStart(),
        tool_calls: record.calls.map((call) => ({ ...call, type: "tool_call" as const })),
        ...(record.thinking === undefined ? {} : thinkingFields(record.thinking)),
      }),
    );
    for (const call of record.calls) {
      const end = finished.get(call.id);
      messages.push(
        new ToolMessage({
          tool_call_id: call.id,
          name: call.name,
          status: end?.status === "ok" ? "success" : "error",
          content: end?.output ?? ANSWER_OF_UNFINISHED[started.has(call.id) ? "started" : "notStarted"],
        }),
      );
    }
  }
  return [...messages, ...missingReply(messages)];
}

/** Chat templates want a reply before the next user message; a crash, or a limit that was talked over, leaves none. */
function missingReply(messages: readonly BaseMessage[]): BaseMessage[] {
  const last = messages.at(-1);
  return last === undefined || AIMessage.isInstance(last) ? [] : [new AIMessage("[no reply: interrupted]")];
}
