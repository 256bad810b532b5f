import type { BaseMessage } from "@langchain/core/messages";
import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { thinkingOf } from "./thinking.js";

/** A message as Ollama's `/api/chat` takes it. */
export interface WireMessage {
  role: "system" | "user" | "assistant" | "tool";
  content: string;
  thinking?: string;
  tool_calls?: { id: string; function: { name: string; arguments: Record<string, unknown> } }[];
  tool_name?: string;
  tool_call_id?: string;
}

/**
 * The conversation for the server. Thinking goes back only within the turn that it belongs to: the models that need
 * it need it there, and templates drop it afterwards anyway.
 */
export function toWireMessages(messages: readonly BaseMessage[]): WireMessage[] {
  const turnStart = messages.findLastIndex((message) => HumanMessage.isInstance(message));
  return messages.map((message, index) => toWireMessage(message, index > turnStart));
}

function toWireMessage(message: BaseMessage, currentTurn: boolean): WireMessage {
  if (AIMessage.isInstance(message)) return assistantMessage(message, currentTurn);
  if (ToolMessage.isInstance(message)) return toolMessage(message);
  return { role: SystemMessage.isInstance(message) ? "system" : "user", content: message.text };
}

function assistantMessage(message: AIMessage, currentTurn: boolean): WireMessage {
  const thinking = currentTurn ? thinkingOf(message) : "";
  const calls = message.tool_calls ?? [];
  return {
    role: "assistant",
    content: message.text,
    ...(thinking === "" ? {} : { thinking }),
    ...(calls.length === 0
      ? {}
      : {
          tool_calls: calls.map((call) => ({
            id: call.id ?? "",
            function: { name: call.name, arguments: call.args },
          })),
        }),
  };
}

function toolMessage(message: ToolMessage): WireMessage {
  return {
    role: "tool",
    content: message.text,
    ...(message.name === undefined ? {} : { tool_name: message.name }),
    tool_call_id: message.tool_call_id,
  };
}
