import type { Verdict } from "../permissions/access.js";

/** The one question that comes up from the agent. */
export interface ApprovalRequest {
  callId: string;
  tool: string;
  /** The command line or the path, as it will be used. */
  subject: string;
  verdict: Verdict;
  /** Unified diff of what would be written. */
  diff?: string;
  /** What is remarkable about the change, in one line. */
  warning?: string;
  /** How a command would be confined, in one line. */
  confinement?: string;
}

export type ApprovalAnswer =
  | { answer: "once" }
  /** `keep`: for the rest of the session, or for this project from now on. */
  | { answer: "always"; keep: "session" | "project" }
  /** `reason` is passed on to the model. */
  | { answer: "no"; reason?: string };

/**
 * Asks whoever sits in front of the program. Rejects with the signal's reason if the turn is cancelled while the
 * question stands. Reads run together, so several questions may come up at once; they are put one after the other.
 * There is no such function when nobody can be asked; the call is then denied.
 */
export type Approve = (request: ApprovalRequest, signal: AbortSignal) => Promise<ApprovalAnswer>;
