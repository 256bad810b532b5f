import type { AgentEvent, TurnEnd } from "../../../src/agent/agent-events.js";
import type { Progress } from "../../../src/cli/render/progress.js";

/** An output stream that keeps what was written. */
export function createRecorder(columns = 80): {
  write(text: string): boolean;
  text(): string;
  columns: number;
} {
  let written = "";
  return {
    columns,
    write(text) {
      written += text;
      return true;
    },
    text: () => written,
  };
}

/** A progress line that notes in `shown` what it was told to show, and undefined where it had to yield. */
export function createProgressRecorder(): Progress & { shown: (string | undefined)[] } {
  const shown: (string | undefined)[] = [];
  return {
    shown,
    show: (what) => shown.push(what),
    hide: () => shown.push(undefined),
    pause: () => undefined,
    resume: () => undefined,
  };
}

export const session: AgentEvent = {
  type: "session",
  id: "s1",
  model: "qwen2.5",
  cwd: "/project",
  contextWindow: 16384,
  version: "0.1.0",
};

export function turnEnd(fields: Partial<TurnEnd> = {}): TurnEnd {
  return {
    type: "turn-end",
    outcome: "done",
    text: "",
    usage: { promptTokens: 1200, outputTokens: 34, steps: 1 },
    changedFiles: [],
    commands: [],
    denied: [],
    ...fields,
  };
}

export function modelEnd(step = 1): AgentEvent {
  return {
    type: "model-end",
    step,
    usage: { promptTokens: 1, outputTokens: 1 },
    timings: { loadMs: 0, promptMs: 0, outputMs: 0 },
    doneReason: "stop",
  };
}

/** The events of one call from start to end. */
export function toolCall(
  tool: string,
  args: unknown,
  end: Partial<Extract<AgentEvent, { type: "tool-end" }>> = {},
  between: AgentEvent[] = [],
): AgentEvent[] {
  return [
    { type: "tool-start", id: "c1", tool, args },
    ...between,
    { type: "tool-end", id: "c1", tool, status: "ok", output: "", durationMs: 5, ...end },
  ];
}

export function denial(by: "nobody" | "rule" | "user", because: string): AgentEvent {
  return { type: "permission", id: "c1", verdict: "deny", by, because };
}
