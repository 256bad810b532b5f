import type { AgentEvent } from "../../agent/agent-events.js";
import type { Messages } from "../messages/catalogue.js";

type ModelStart = Extract<AgentEvent, { type: "model-start" }>;
type ModelProgress = Extract<AgentEvent, { type: "model-progress" }>;

/** What the model is at, in words; `start` is the beginning of the same request. */
export function phaseWords(
  event: ModelProgress,
  start: ModelStart | undefined,
  { progress }: Messages,
): string {
  const { phase, tokens = 0, tokensPerSecond } = event;
  if (phase === "reading" && start?.promptTokens !== undefined) {
    const { promptTokens, newTokens } = start;
    return progress.readingTokens(promptTokens, newTokens === promptTokens ? undefined : newTokens);
  }
  if (phase === "writing" && tokens > 0) return progress.writingTokens(tokens, tokensPerSecond);
  return progress[phase];
}
