import type { ChatMessage, ChatRequest } from "./chat-request.js";
import { joinPrompt, promptLength, renderPrompt } from "./render-prompt.js";
import type { RenderedPrompt } from "./render-prompt.js";
import { fail } from "./reply.js";
import type { HttpReply } from "./reply.js";
import type { RunnerBehaviour } from "./scripted-models.js";

export interface FittedPrompt {
  tokens: string[];
  /** Messages that the server left out. */
  droppedMessages: number;
  /** Half of the window was cut away, system message and tools included. */
  cut: boolean;
}

const DEFAULT_KEEP = 4;

/**
 * What the server does with a prompt that may be too long, silently unless it refuses: first the oldest messages
 * go, then on the rendered path the tokens between the first few and the tail.
 */
export function fitPrompt(
  request: ChatRequest,
  window: number,
  behaviour: RunnerBehaviour,
): FittedPrompt | HttpReply {
  const { path = "rendered" } = behaviour;
  const whole = renderPrompt(request, path === "rendered");
  const truncates = request.truncate !== false;
  const prompt = truncates ? withoutOldest(whole, window) : whole;
  if (behaviour.needsUserMessage === true && !prompt.messages.some(({ message }) => isUserQuery(message))) {
    return fail(500, "no user query found in messages");
  }
  const tokens = joinPrompt(prompt);
  const droppedMessages = whole.messages.length - prompt.messages.length;
  if (tokens.length > window && path === "rendered") {
    if (request.shift === false) return fail(400, PROMPT_TOO_LONG);
    if (truncates) {
      const keep = numKeep(request.options);
      return { tokens: cutToHalf(tokens, window, keep), droppedMessages, cut: true };
    }
  }
  // The process below wants room for one token of the reply at least.
  if (tokens.length >= window) return exceedsContext(tokens.length, window);
  return { tokens, droppedMessages, cut: false };
}

/** Tokens at the start that outlast a cut and a context shift. */
export function numKeep(options: ChatRequest["options"]): number {
  const asked = options?.["num_keep"];
  return typeof asked === "number" && asked >= 0 ? asked : DEFAULT_KEEP;
}

/** System messages stay, and the last message does. */
function withoutOldest(prompt: RenderedPrompt, window: number): RenderedPrompt {
  let length = promptLength(prompt);
  const last = prompt.messages.length - 1;
  const messages = prompt.messages.filter(({ message, tokens }, index) => {
    if (length <= window || index === last || message.role === "system") return true;
    length -= tokens.length;
    return false;
  });
  return { ...prompt, messages };
}

function cutToHalf(tokens: string[], window: number, keep: number): string[] {
  const target = window - Math.floor((window - keep) / 2);
  return [...tokens.slice(0, keep), ...tokens.slice(keep - target)];
}

function isUserQuery({ role, content }: ChatMessage): boolean {
  return role === "user" && content.trim() !== "";
}

const PROMPT_TOO_LONG =
  "the prompt is longer than the context length currently available to the model; shorten the prompt, " +
  "adjust the context length in settings, or use a model with a longer context length";

/** The server passes on the answer of llama.cpp as it is: JSON in a string. */
function exceedsContext(promptTokens: number, window: number): HttpReply {
  const error = {
    code: 400,
    message: `request (${promptTokens} tokens) exceeds the available context size (${window} tokens), try increasing it`,
    type: "exceed_context_size_error",
    n_prompt_tokens: promptTokens,
    n_ctx: window,
  };
  return fail(400, JSON.stringify({ error }));
}
