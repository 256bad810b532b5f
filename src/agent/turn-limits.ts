/** Bounds of one turn; reaching one ends it with a last request for words. */
export interface TurnLimits {
  /** Requests to the model. */
  maxSteps: number;
  toolCalls: number;
  minutes: number;
  /** Prompt and output tokens of all requests together. */
  tokens: number;
}

/** Why a turn ends before the model had finished. */
export interface TurnLimit {
  code: string;
  /** A clause, for the model and for the user. */
  reason: string;
}

/** What a turn has used until now, in the units of its limits. */
interface TurnUse extends Omit<TurnLimits, "maxSteps"> {
  steps: number;
}

/** The limit that is reached; undefined if none is. */
export function reachedLimit(limits: TurnLimits, used: TurnUse): TurnLimit | undefined {
  const reached: [boolean, string, string][] = [
    [used.steps >= limits.maxSteps, "limit-steps", `${limits.maxSteps} steps`],
    [used.toolCalls >= limits.toolCalls, "limit-tool-calls", `${limits.toolCalls} tool calls`],
    [used.minutes >= limits.minutes, "limit-minutes", `${limits.minutes} minutes`],
    [used.tokens >= limits.tokens, "limit-tokens", `${limits.tokens} tokens`],
  ];
  const [, code, what] = reached.find(([isReached]) => isReached) ?? [];
  if (code === undefined || what === undefined) return undefined;
  return { code, reason: `the limit of ${what} for this turn is reached` };
}
