import { setTimeout as sleep } from "node:timers/promises";
import type { ChatRequest } from "./chat-request.js";
import { fitPrompt, numKeep } from "./fit-prompt.js";
import type { LoadedRunner } from "./model-runners.js";
import { replyTokens } from "./render-prompt.js";
import { chunksOf } from "./reply.js";
import type { MessageReply, Reply } from "./reply.js";
import type { RunnerBehaviour } from "./scripted-models.js";

/** What the model did with one prompt. */
export interface PromptFigures {
  /** Tokens of the prompt after all that was dropped and cut. */
  promptTokens: number;
  /** Of these, how many were in the cache. */
  cachedTokens: number;
  /** And how many were read; less than the rest if the client left before. */
  readTokens: number;
  droppedMessages: number;
  cut: boolean;
  /** Tokens. */
  contextLength: number;
}

const DEFAULT_PROMPT_MS = 2;

/**
 * Fits and reads the prompt, then lets the model speak within its window and `num_predict`. The answer is the
 * server's refusal or the model's reply with counts and durations, as far as the script does not give them.
 * Rejects if the client leaves meanwhile; what was read by then stays in the cache.
 */
export async function runRequest(
  request: ChatRequest,
  { runner, loadMs }: LoadedRunner,
  behaviour: RunnerBehaviour,
  gone: AbortSignal,
  onPrompt: (figures: PromptFigures) => void,
  reply: () => Reply | Promise<Reply>,
): Promise<Reply> {
  const { contextLength } = runner;
  const fitted = fitPrompt(request, contextLength, behaviour);
  if ("status" in fitted) return fitted;
  const { tokens, droppedMessages, cut } = fitted;
  const cachedTokens = reusable(runner.cache, tokens, behaviour);
  const promptTokens = tokens.length;
  const figures = { promptTokens, cachedTokens, readTokens: 0, droppedMessages, cut, contextLength };
  onPrompt(figures);
  try {
    figures.readTokens = promptTokens - cachedTokens;
    await readFor(figures, behaviour.realPromptMsPerToken ?? 0, gone);
  } finally {
    runner.cache = tokens.slice(0, cachedTokens + figures.readTokens);
  }

  const said = await reply();
  if ("status" in said || "pieces" in said) return said;
  const shifts = request.shift !== false;
  const room = contextLength - promptTokens;
  const spoken = atMost(said, Math.min(shifts ? Infinity : room, numPredict(request)));
  runner.cache =
    shifts && chunksOf(spoken).count > room
      ? tokens.slice(0, numKeep(request.options))
      : [...tokens, ...replyTokens(asMessage(spoken))];
  return {
    promptTokens,
    promptMs: figures.readTokens * (behaviour.promptMsPerToken ?? DEFAULT_PROMPT_MS),
    loadMs,
    ...spoken,
  };
}

/** Tokens of the prompt that need not be read again; the last one always is, since it starts the reply. */
function reusable(cache: readonly string[], prompt: readonly string[], behaviour: RunnerBehaviour): number {
  const most = Math.min(cache.length, prompt.length - 1);
  let same = 0;
  while (same < most && cache[same] === prompt[same]) same += 1;
  return behaviour.appendOnly === true && same < cache.length ? 0 : same;
}

async function readFor(figures: PromptFigures, msPerToken: number, gone: AbortSignal): Promise<void> {
  const started = performance.now();
  const unread = figures.readTokens;
  try {
    if (msPerToken > 0) await sleep(unread * msPerToken, undefined, { signal: gone });
  } catch (error) {
    figures.readTokens = Math.min(unread, Math.floor((performance.now() - started) / msPerToken));
    throw error;
  }
}

function numPredict({ options }: ChatRequest): number {
  const asked = options?.["num_predict"];
  return typeof asked === "number" && asked > 0 ? asked : Infinity;
}

/** The reply up to so many tokens; what is cut off ends for want of length. */
function atMost(reply: MessageReply, tokens: number): MessageReply {
  const { thinking, text, toolCalls, count } = chunksOf(reply);
  if (count <= tokens) return reply;
  const forText = Math.max(0, tokens - thinking.length);
  return {
    ...reply,
    thinking: thinking.slice(0, tokens),
    text: text.slice(0, forText),
    toolCalls: toolCalls.slice(0, Math.max(0, forText - text.length)),
    outputTokens: tokens,
    doneReason: "length",
  };
}

function asMessage(reply: MessageReply) {
  const { thinking, text, toolCalls } = chunksOf(reply);
  return {
    role: "assistant",
    content: text.join(""),
    thinking: thinking.join(""),
    tool_calls: toolCalls.map((called) => ({ function: called })),
  };
}
