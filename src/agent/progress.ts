import type { AgentEvent } from "./agent-events.js";

type Phase = Extract<AgentEvent, { type: "model-progress" }>["phase"];

/** Milliseconds between two signs of life while a phase lasts. */
const TICK_MS = 1000;

/**
 * Tells at each change of phase, and once a second, how long the model has been at it. While it is silent, `isLoaded`
 * tells whether it reads the prompt or is still being loaded.
 */
export function startProgress(
  step: number,
  onEvent: (event: AgentEvent) => void,
  isLoaded: () => Promise<boolean>,
): { enter(phase: Phase): void; stop(): void } {
  const startedAt = performance.now();
  let current: Phase = "reading";
  let loaded = false;
  let ended = false;
  const tell = () => {
    const elapsedMs = Math.round(performance.now() - startedAt);
    onEvent({ type: "model-progress", step, phase: current, elapsedMs });
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
    enter(phase) {
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
