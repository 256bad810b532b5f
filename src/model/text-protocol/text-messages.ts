import type { BaseMessage } from "@langchain/core/messages";
import { AIMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { imageOf } from "../shown-images.js";
import type { WireMessage } from "../wire-messages.js";
import { showCallMarks } from "./call-marks.js";
import { toolText } from "./tool-text.js";
import { writtenCall } from "./written-call.js";

/**
 * The conversation for a model that is told of its tools in words: the system text says how to call them, calls are text
 * of the assistant, and their results are the user's. Nobody speaks twice in a row, which some templates refuse.
 * Thinking is left out, since templates keep or drop it by the user's messages, and results are such here.
 *
 * @param tools empty for a request that offers none
 */
export function toTextMessages(
  messages: readonly BaseMessage[],
  tools: readonly unknown[],
  sendsImages: (mediaType: string) => boolean = () => true,
): WireMessage[] {
  const wire: WireMessage[] = [];
  const add = (role: "user" | "assistant", content: string) => {
    const last = wire.at(-1);
    if (last?.role === role) last.content += `\n\n${content}`;
    else wire.push({ role, content });
  };
  for (const message of messages) {
    if (SystemMessage.isInstance(message)) {
      const parts = [message.text, ...(tools.length > 0 ? [toolText(tools)] : [])];
      wire.push({ role: "system", content: parts.join("\n\n") });
    } else if (ToolMessage.isInstance(message)) {
      add("user", writtenResult(message));
      const [image, last] = [imageOf(message), wire.at(-1)];
      if (image && last && sendsImages(image.mediaType)) last.images = [...(last.images ?? []), image.data];
    } else if (AIMessage.isInstance(message)) {
      const calls = (message.tool_calls ?? []).map(writtenCall);
      add("assistant", [message.text.trimEnd(), calls.join("\n")].filter((part) => part !== "").join("\n\n"));
    } else {
      add("user", message.text);
    }
  }
  return wire;
}

/** Its own closing mark cannot stand in a result: the gate shows the marks of templates in other brackets. */
function writtenResult({ name, text }: ToolMessage): string {
  const title = name === undefined ? "" : `${name}:\n`;
  return `<tool_response>\n${title}${showCallMarks(text)}\n</tool_response>`;
}
