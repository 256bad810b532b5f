import type { CommandRun } from "../sessions/records.js";

/** How a turn ended; scripts read it from `turn-end`. */
type TurnOutcome = "done" | "cancelled" | "limit" | "failed";

export type ToolStatus = "ok" | "error" | "denied" | "cancelled" | "unknown";

export interface TurnEnd {
  type: "turn-end";
  outcome: TurnOutcome;
  /** The final answer; what was said until then if the turn did not end by itself. */
  text: string;
  error?: { code: string; message: string; hint?: string };
  usage: { promptTokens: number; outputTokens: number; steps: number };
  changedFiles: string[];
  /** Of one in the background: its state at the end of the turn. */
  commands: CommandRun[];
  denied: { tool: string; because: string }[];
}

export interface SessionStart {
  type: "session";
  id: string;
  model: string;
  cwd: string;
  /** Tokens; 0 while unknown. */
  contextWindow: number;
  version: string;
}

/**
 * Everything that happens in a turn. `session` comes first, `turn-end` last and always; every `tool-start` gets
 * exactly one `tool-end`. New fields may be added; none changes its meaning. Durations are milliseconds.
 */
export type AgentEvent =
  | SessionStart
  | { type: "turn-start"; prompt: string }
  | { type: "model-start"; step: number }
  | {
      type: "model-progress";
      step: number;
      phase: "loading" | "reading" | "thinking" | "writing";
      elapsedMs: number;
    }
  | { type: "thinking-delta" | "text-delta"; text: string }
  | {
      type: "model-end";
      step: number;
      usage: { promptTokens: number; outputTokens: number };
      timings: { loadMs: number; promptMs: number; outputMs: number };
      /** Estimate of the prompt tokens that the server had in its cache. */
      cachedTokens?: number;
      doneReason: string;
      recovered?: string;
    }
  | { type: "tool-start"; id: string; tool: string; args: unknown }
  | {
      type: "permission";
      id: string;
      verdict: "allow" | "deny";
      by: "rule" | "mode" | "user" | "nobody" | "hook";
      because: string;
    }
  | { type: "tool-output"; id: string; text: string }
  | {
      type: "tool-end";
      id: string;
      tool: string;
      status: ToolStatus;
      output: string;
      diff?: string;
      /** Of a command; null if a signal ended it. */
      exitCode?: number | null;
      durationMs: number;
    }
  /** What the user said while the turn ran, now told to the model. */
  | { type: "steering"; text: string }
  | { type: "context-compacted"; tokensBefore: number; tokensAfter: number }
  | { type: "notice"; level: "info" | "warning"; code: string; text: string }
  | TurnEnd;
