/** Bounds of one turn; reaching one ends it with a last request for words, or at once where the time is up. */
export interface TurnLimits {
  /** Requests to the model. */
  maxSteps: number;
  toolCalls: number;
  /** Wall time, without that of questions to the user. */
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
interface TurnUse extends Omit<TurnLimits, "maxSteps" | "minutes"> {
  steps: number;
}

/** The limit that is reached, of those that are looked at between two steps; undefined if none is. */
export function reachedLimit(limits: TurnLimits, used: TurnUse): TurnLimit | undefined {
  const reached: [boolean, string, string][] = [
    [used.steps >= limits.maxSteps, "limit-steps", counted(limits.maxSteps, "step")],
    [used.toolCalls >= limits.toolCalls, "limit-tool-calls", counted(limits.toolCalls, "tool call")],
    [used.tokens >= limits.tokens, "limit-tokens", counted(limits.tokens, "token")],
  ];
  const [, code, what] = reached.find(([isReached]) => isReached) ?? [];
  return code === undefined || what === undefined ? undefined : limitOf(code, what);
}

export function timeLimit(minutes: number): TurnLimit {
  return limitOf("limit-minutes", counted(minutes, "minute"));
}

function limitOf(code: string, what: string): TurnLimit {
  return { code, reason: `the limit of ${what} for this turn is reached` };
}

function counted(count: number, what: string): string {
  return `${count.toLocaleString("en-US")} ${what}${count === 1 ? "" : "s"}`;
}

/** Turns that may be no longer than this end before a warning would help. */
const LEAST_WARNED_STEPS = 40;

/** At the middle of a long turn, how much of it is used; undefined at every other step. */
export function halfWay({ maxSteps }: TurnLimits, steps: number): string | undefined {
  return maxSteps >= LEAST_WARNED_STEPS && steps === Math.floor(maxSteps / 2)
    ? `${steps} of ${maxSteps} steps of this turn are used (maxSteps)`
    : undefined;
}
