import type { BaseMessage } from "@langchain/core/messages";

/** Where LangChain's Ollama package keeps the thinking of a message, and where its stream events carry it. */
const KEY = "reasoning_content";

export function thinkingFields(text: string): { additional_kwargs: Record<string, string> } {
  return { additional_kwargs: { [KEY]: text } };
}

/** Empty if there is none. */
export function thinkingOf(message: BaseMessage): string {
  const thinking: unknown = message.additional_kwargs[KEY];
  return typeof thinking === "string" ? thinking : "";
}
