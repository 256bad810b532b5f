import type { BaseMessage } from "@langchain/core/messages";
import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { contentWith, imageOf } from "../model/shown-images.js";
import { thinkingFields, thinkingOf } from "../model/thinking.js";
import type { KeptMessage, SessionRecord } from "../sessions/records.js";

/** What the model is told of a call whose result is not known. */
export const ANSWER_OF_UNFINISHED = {
  change: "Interrupted: the call was started and may have taken effect. Check before doing it again.",
  read: "Interrupted before the result came. Call it again if you still need it.",
  notStarted: "Not run: interrupted before this call.",
} as const;

const NO_REPLY: KeptMessage = { role: "assistant", text: "[no reply: interrupted]", calls: [] };
const NO_PROMPT: KeptMessage = { role: "user", text: "[a message is missing here]" };

/** The calls of a reply, until something else follows. */
interface OpenCalls {
  calls: Extract<SessionRecord, { type: "assistant" }>["calls"];
  started: Map<string, "read" | "change">;
  finished: Map<string, Extract<SessionRecord, { type: "call-finished" }>>;
}

/**
 * The conversation that records tell: every call has an answer, every user message a reply, and nobody speaks twice
 * in a row, whatever happened in between and whichever records are missing, so that the next request is valid for any
 * chat template. Ids of calls are unique only among the messages that one request held, so results belong to the
 * newest reply.
 */
export function conversationFrom(records: readonly SessionRecord[]): BaseMessage[] {
  let messages: KeptMessage[] = [];
  let open: OpenCalls | undefined;
  /** Those that a "retried" takes back. */
  const retractable = new Set<KeptMessage | undefined>();

  function answerCalls(): void {
    for (const { id, name } of open?.calls ?? []) {
      const end = open?.finished.get(id);
      const unfinished = ANSWER_OF_UNFINISHED[open?.started.get(id) ?? "notStarted"];
      const text = end?.output ?? unfinished;
      const image = end?.image && { image: end.image };
      messages.push({ role: "tool", id, name, ok: end?.status === "ok", text, ...image });
    }
    open = undefined;
  }

  function add(message: KeptMessage): void {
    answerCalls();
    const last = messages.at(-1)?.role;
    if (message.role === "user" && last === "user") messages.push(NO_REPLY);
    if (message.role === "assistant" && (last === undefined || last === "assistant"))
      messages.push(NO_PROMPT);
    messages.push(message);
  }

  for (const record of records) {
    switch (record.type) {
      case "user":
      case "nudge":
        answerCalls();
        if (messages.at(-1)?.role === "tool") messages.push(NO_REPLY);
        add({ role: "user", text: record.type === "user" ? promptText(record) : record.text });
        break;
      case "steering":
        add({ role: "user", text: record.text });
        break;
      case "assistant": {
        const { thinking, calls } = record;
        const reply: KeptMessage = {
          role: "assistant",
          text: replyText(record),
          ...(thinking !== undefined && { thinking }),
          calls,
        };
        add(reply);
        if (calls.length === 0) retractable.add(reply);
        open = { calls, started: new Map(), finished: new Map() };
        break;
      }
      case "retried":
        if (retractable.has(messages.at(-1))) messages.pop();
        break;
      case "call-started":
        open?.started.set(record.id, record.effect);
        break;
      case "call-finished":
        open?.finished.set(record.id, record);
        break;
      case "compaction":
        messages = [...record.messages];
        open = undefined;
        break;
      case "session":
      case "resumed":
      case "model":
      case "title":
      case "notes":
      case "protocol":
      case "call-prepared":
      case "permission":
      case "background-ended":
      case "notice":
      case "snapshot":
      case "changes":
      case "restored":
      case "turn-end":
        break;
    }
  }
  answerCalls();
  if (!["assistant", undefined].includes(messages.at(-1)?.role)) messages.push(NO_REPLY);
  return messages.map(toMessage);
}

/** What a reply says in the conversation; one that is not whole says so. */
export function replyText(record: SessionRecord | undefined): string {
  if (record?.type !== "assistant") return "";
  const { text, cut } = record;
  return cut === undefined ? text : `${text}\n[${cut}]`.trimStart();
}

/** A prompt as the model gets it: the user's words, and what it is told besides. */
export function promptText({ text, note }: { text: string; note?: string | undefined }): string {
  return note === undefined ? text : `${text}\n\n[${note}]`;
}

/** A conversation in the form in which a compaction is recorded. */
export function keptMessages(messages: readonly BaseMessage[]): KeptMessage[] {
  return messages.map((message): KeptMessage => {
    if (ToolMessage.isInstance(message)) {
      const { tool_call_id: id, name = "", status, text } = message;
      const image = imageOf(message);
      return { role: "tool", id, name, ok: status !== "error", text, ...(image && { image }) };
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
      return toToolMessage(kept);
  }
}

export function toToolMessage(kept: Omit<Extract<KeptMessage, { role: "tool" }>, "role">): ToolMessage {
  return new ToolMessage({
    tool_call_id: kept.id,
    name: kept.name,
    status: kept.ok ? "success" : "error",
    content: contentWith(kept.text, kept.image),
  });
}

/** The media types of the images among the results that no reply has followed yet. */
export function newImageTypes(messages: readonly BaseMessage[]): string[] {
  const answered = messages.findLastIndex((message) => AIMessage.isInstance(message));
  return messages.slice(answered + 1).flatMap((message) => imageOf(message)?.mediaType ?? []);
}
