import type { BaseMessage } from "@langchain/core/messages";
import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { thinkingFields, thinkingOf } from "../model/thinking.js";
import type { KeptMessage, SessionRecord } from "../sessions/records.js";

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
  let messages: KeptMessage[] = [];
  for (const record of records) {
    if (record.type === "compaction") messages = [...record.messages];
    if (record.type === "retried") messages.pop();
    if (record.type === "nudge" || record.type === "steering")
      messages.push({ role: "user", text: record.text });
    if (record.type === "user") messages.push(...missingReply(messages), { role: "user", text: record.text });
    if (record.type !== "assistant") continue;
    const { thinking, calls } = record;
    messages.push({
      role: "assistant",
      text: replyText(record),
      ...(thinking !== undefined && { thinking }),
      calls,
    });
    for (const { id, name } of calls) {
      const end = finished.get(id);
      messages.push({
        role: "tool",
        id,
        name,
        ok: end?.status === "ok",
        text: end?.output ?? ANSWER_OF_UNFINISHED[started.has(id) ? "started" : "notStarted"],
      });
    }
  }
  return [...messages, ...missingReply(messages)].map(toMessage);
}

/** What a reply says in the conversation; one that is not whole says so. */
export function replyText(record: SessionRecord | undefined): string {
  if (record?.type !== "assistant") return "";
  const { text, cut } = record;
  return cut === undefined ? text : `${text}\n[${cut}]`.trimStart();
}

/** Chat templates want a reply before the next user message; a crash, or a limit that was talked over, leaves none. */
function missingReply(messages: readonly KeptMessage[]): KeptMessage[] {
  const last = messages.at(-1);
  if (last === undefined || last.role === "assistant") return [];
  return [{ role: "assistant", text: "[no reply: interrupted]", calls: [] }];
}

/** A conversation in the form in which a compaction is recorded. */
export function keptMessages(messages: readonly BaseMessage[]): KeptMessage[] {
  return messages.map((message): KeptMessage => {
    if (ToolMessage.isInstance(message)) {
      const { tool_call_id: id, name = "", status, text } = message;
      return { role: "tool", id, name, ok: status !== "error", text };
    }
    if (!AIMessage.isInstance(message)) return { role: "user", text: message.text };
    const thinking = thinkingOf(message);
    return {
      role: "assistant",
      text: message.text,
      ...(thinking !== "" && { thinking }),
      calls: (message.tool_calls ?? []).map(({ id = "", name, args }) => ({ id, name, args })),
    };
  });
}

function toMessage(kept: KeptMessage): BaseMessage {
  switch (kept.role) {
    case "user":
      return new HumanMessage(kept.text);
    case "assistant":
      return new AIMessage({
        content: kept.text,
        tool_calls: kept.calls.map((call) => ({ ...call, type: "tool_call" as const })),
        ...(kept.thinking === undefined ? {} : thinkingFields(kept.thinking)),
      });
    case "tool":
      return new ToolMessage({
        tool_call_id: kept.id,
        name: kept.name,
        status: kept.ok ? "success" : "error",
        content: kept.text,
      });
  }
}
