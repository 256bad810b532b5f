import type { AgentEvent } from "./agent-events.js";

type Phase = Extract<AgentEvent, { type: "model-progress" }>["phase"];

/** Milliseconds between two signs of life while a phase lasts. */
const TICK_MS = 1000;

/** Tells at each change of phase, and once a second, how long the model has been at it. */
export function startProgress(
  step: number,
  onEvent: (event: AgentEvent) => void,
): { enter(phase: Phase): void; stop(): void } {
  const startedAt = performance.now();
  let current: Phase = "reading";
  const tell = () => {
    const elapsedMs = Math.round(performance.now() - startedAt);
    onEvent({ type: "model-progress", step, phase: current, elapsedMs });
  };
  const timer = setInterval(tell, TICK_MS);
  tell();
  return {
    enter(phase) {
      if (phase === current) return;
      current = phase;
      tell();
    },
    stop() {
      clearInterval(timer);
    },
  };
}
