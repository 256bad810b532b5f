import type { BaseMessage } from "@langchain/core/messages";
import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import type { MessageImage } from "./shown-images.js";
import { imageOf } from "./shown-images.js";
import { thinkingOf } from "./thinking.js";

/** A message as Ollama's `/api/chat` takes it. */
export interface WireMessage {
  role: "system" | "user" | "assistant" | "tool";
  content: string;
  thinking?: string;
  tool_calls?: { id: string; function: { name: string; arguments: Record<string, unknown> } }[];
  tool_name?: string;
  tool_call_id?: string;
  /** Base64. */
  images?: string[];
}

/**
 * The conversation for the server. Thinking goes back only within the turn that it belongs to: the models that need
 * it need it there, and templates drop it afterwards anyway. The images of results follow behind them in a message of
 * the user, since not every template shows those of a tool.
 */
export function toWireMessages(
  messages: readonly BaseMessage[],
  sendsImages: (mediaType: string) => boolean = () => true,
): WireMessage[] {
  const turnStart = messages.findLastIndex((message) => HumanMessage.isInstance(message));
  const wire: WireMessage[] = [];
  let images: MessageImage[] = [];
  for (const [index, message] of messages.entries()) {
    const own = toWireMessage(message, index > turnStart);
    if (own.role === "user") wire.push(withImages(own, images));
    else if (own.role === "tool" || images.length === 0) wire.push(own);
    else wire.push(withImages(undefined, images), own);
    if (own.role !== "tool") images = [];
    const image = imageOf(message);
    if (image !== undefined && sendsImages(image.mediaType)) images.push(image);
  }
  return images.length === 0 ? wire : [...wire, withImages(undefined, images)];
}

/** What the user says, with the images before it; nobody speaks twice in a row. */
function withImages(said: WireMessage | undefined, images: readonly MessageImage[]): WireMessage {
  if (said !== undefined && images.length === 0) return said;
  const names = images.map(({ name }) => name).join(", ");
  const note = `[${images.length === 1 ? "The image" : "The images"} read above: ${names}]`;
  return {
    role: "user",
    content: said === undefined ? note : `${note}\n\n${said.content}`,
    images: images.map(({ data }) => data),
  };
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
