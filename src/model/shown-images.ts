import type { BaseMessage } from "@langchain/core/messages";
import type { HumanMessage } from "@langchain/core/messages";

/** An image that goes to the model with a message. */
export interface MessageImage {
  mediaType: string;
  /** Base64. */
  data: string;
  /** What it is called in the conversation. */
  name: string;
  /** What it takes of the context window, by estimate. */
  tokens: number;
}

/** The content of a message: a text, and an image behind it if there is one. */
export function contentWith(text: string, image: MessageImage | undefined): HumanMessage["content"] {
  if (image === undefined) return text;
  const { mediaType, data, name, tokens } = image;
  return [
    { type: "text", text },
    { type: "image", mimeType: mediaType, data, metadata: { name, tokens } },
  ];
}

export function imageOf(message: BaseMessage): MessageImage | undefined {
  if (typeof message.content === "string") return undefined;
  for (const block of message.content) {
    const { type, mimeType, data, metadata } = block as Record<string, unknown>;
    if (type !== "image" || typeof mimeType !== "string" || typeof data !== "string") continue;
    const { name, tokens } = (metadata ?? {}) as { name?: string; tokens?: number };
    return { mediaType: mimeType, data, name: name ?? "image", tokens: tokens ?? 0 };
  }
  return undefined;
}
