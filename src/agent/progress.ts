import { estimateTokens } from "../context/token-estimate.js";
import type { AgentEvent } from "./agent-events.js";

type Progress = Extract<AgentEvent, { type: "model-progress" }>;
type Phase = Progress["phase"];

/** Milliseconds between two signs of life while a phase lasts. */
const TICK_MS = 1000;
/** Milliseconds of writing before its speed says anything. */
const NOTABLE_MS = 2000;

/**
 * Tells at each change of phase, and once a second, how long the model has been at it and what it has written. While
 * it is silent, `isLoaded` tells whether it reads the prompt or is still being loaded.
 */
export function startProgress(
  step: number,
  onEvent: (event: AgentEvent) => void,
  isLoaded: () => Promise<boolean>,
): { enter(phase: Phase, text: string): void; stop(): void } {
  const startedAt = performance.now();
  let current: Phase = "reading";
  let loaded = false;
  let ended = false;
  /** Of the reply so far; `text` is not counted yet. */
  const written = { tokens: 0, text: "", since: 0 };

  function figures(): Pick<Progress, "tokens" | "tokensPerSecond"> {
    written.tokens += estimateTokens(written.text);
    written.text = "";
    const lasted = performance.now() - written.since;
    return {
      ...(written.tokens > 0 && { tokens: Math.round(written.tokens) }),
      ...(written.tokens > 0 && lasted > NOTABLE_MS && { tokensPerSecond: (1000 * written.tokens) / lasted }),
    };
  }

  const tell = () => {
    const elapsedMs = Math.round(performance.now() - startedAt);
    onEvent({ type: "model-progress", step, phase: current, elapsedMs, ...figures() });
  };
  const isSilent = () => !ended && (current === "reading" || current === "loading");
  const tick = async () => {
    if (isSilent()) {
      loaded ||= await isLoaded();
      // Meanwhile it may have begun to speak.
      if (isSilent()) current = loaded ? "reading" : "loading";
    }
    if (!ended) tell();
  };
  const timer = setInterval(() => void tick(), TICK_MS);
  tell();
  return {
    enter(phase, text) {
      if (written.since === 0) written.since = performance.now();
      written.text += text;
      if (phase === current) return;
      current = phase;
      tell();
    },
    stop() {
      ended = true;
      clearInterval(timer);
    },
  };
}
