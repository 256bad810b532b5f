import { z } from "zod";
import type { AgentEvent } from "../../src/agent/agent-events.js";
import type { ChatRequest } from "../../src/demo/chat-request.js";
import { call, fail, say } from "../../src/demo/reply.js";
import type { Reply } from "../../src/demo/reply.js";
import { defineTool } from "../../src/tools/tool.js";
import type { TestAgent } from "./setup.js";

export const WORDS = "The parser loses the last line. ";
export const nativeRefusal = (needed: number, window: number) =>
  fail(
    400,
    JSON.stringify({
      error: {
        code: 400,
        message: `request (${needed} tokens) exceeds the available context size (${window} tokens), try increasing it`,
        type: "exceed_context_size_error",
        n_prompt_tokens: needed,
        n_ctx: window,
      },
    }),
  );
export const RENDERED_REFUSAL = fail(
  400,
  "the prompt is longer than the context length currently available to the model; shorten the prompt, adjust the context length in settings, or use a model with a longer context length",
);

export const asksForSummary = ({ messages }: ChatRequest) =>
  messages.at(-1)?.content.includes("Write a summary") === true;

/** The replies in order, and a summary for each request for one. */
export function scripted(replies: readonly Reply[], summary: () => Reply = () => say("The work goes on.")) {
  let index = 0;
  return (request: ChatRequest) =>
    asksForSummary(request) ? summary() : (replies[index++] ?? fail(500, "no reply left"));
}

/** A tool that gives so many characters of text. */
export const bulky = (chars = 5_000) =>
  defineTool({
    name: "get_text",
    description: "Gives a text.",
    schema: z.object({ part: z.int() }),
    effect: "read",
    touches: () => [],
    run: ({ part }) =>
      Promise.resolve({
        status: "ok",
        output: `part ${part}: ${WORDS.repeat(Math.ceil(chars / WORDS.length))}`,
      }),
  });
export const getText = (part: number) => call("get_text", { part });
export const rounds = (count: number, first = 0) =>
  Array.from({ length: count }, (_, index) => getText(first + index));

export const ofType = <Type extends AgentEvent["type"]>({ events }: TestAgent, type: Type) =>
  events.filter((event): event is Extract<AgentEvent, { type: Type }> => event.type === type);
export const notices = (agent: TestAgent) => ofType(agent, "notice").map(({ code }) => code);
export const mainBodies = ({ server }: TestAgent) =>
  server.chatBodies().filter((body) => !asksForSummary(body));
