import type { ChatMessage, ChatRequest } from "./chat-request.js";
import { tokenise } from "./tokenise.js";

/** A prompt in tokens, in the parts of which the server may leave out some. */
export interface RenderedPrompt {
  /** One for each message. */
  messages: { message: ChatMessage; tokens: string[] }[];
  /** The tool schemas, which stand behind the system messages at the start. */
  tools: string[];
}

/** A message whose calls need not be in order. */
type Spoken = Omit<ChatMessage, "tool_calls"> & {
  tool_calls?: readonly { function: { name: string; arguments: unknown } }[];
};

/** The reply begins behind these. */
const REPLY_START = tokenise("<|im_start|>assistant\n");
const MESSAGE_END = "<|im_end|>";

/**
 * The conversation as a ChatML template with `<tool_call>` tags renders it. As in such templates, the thinking of
 * turns before the last user message is left out, and what `think` asks for does not show in the prompt.
 *
 * @param withThinking false as on the server's native path, which passes no thinking on.
 */
export function renderPrompt(request: ChatRequest, withThinking: boolean): RenderedPrompt {
  const lastUser = request.messages.findLastIndex(({ role }) => role === "user");
  const tools = (request.tools ?? []).map((tool) => JSON.stringify(tool)).join("\n");
  return {
    messages: request.messages.map((message, index) => ({
      message,
      tokens: [
        ...tokenise(`<|im_start|>${message.role}\n`),
        ...tokenise(messageText(message, withThinking && index > lastUser)),
        ...tokenise(`${MESSAGE_END}\n`),
      ],
    })),
    tools: tools === "" ? [] : tokenise(`<tools>\n${tools}\n</tools>${MESSAGE_END}\n`),
  };
}

/** The whole prompt, to the point where the reply begins. */
export function joinPrompt({ messages, tools }: RenderedPrompt): string[] {
  const firstTalk = messages.findIndex(({ message }) => message.role !== "system");
  const systemCount = firstTalk === -1 ? messages.length : firstTalk;
  return [
    ...messages.slice(0, systemCount).flatMap(({ tokens }) => tokens),
    ...tools,
    ...messages.slice(systemCount).flatMap(({ tokens }) => tokens),
    ...REPLY_START,
  ];
}

/** The length of `joinPrompt` in tokens. */
export function promptLength({ messages, tools }: RenderedPrompt): number {
  return messages.reduce((sum, { tokens }) => sum + tokens.length, tools.length + REPLY_START.length);
}

/** What the model's own reply leaves in the cache: what the template makes of it later if it comes back unchanged. */
export function replyTokens(reply: Spoken): string[] {
  return [...tokenise(messageText(reply, true)), MESSAGE_END];
}

function messageText(message: Spoken, withThinking: boolean): string {
  const { role, content, thinking = "", tool_calls = [] } = message;
  if (role === "tool") return `<tool_response>\n${content}\n</tool_response>`;
  if (role !== "assistant") return content;
  return [
    ...(withThinking && thinking !== "" ? [`<think>\n${thinking}\n</think>\n`] : []),
    withThinking ? content : content.replace(/^\s*<think>[^]*?<\/think>\s*/u, ""),
    ...tool_calls.map(({ function: called }) => {
      const written = JSON.stringify({ name: called.name, arguments: called.arguments });
      return `\n<tool_call>\n${written}\n</tool_call>`;
    }),
  ].join("");
}
