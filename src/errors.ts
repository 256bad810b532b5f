/** Exit codes of every command; the README lists them for scripts. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  noModel: 3,
  denied: 4,
  limit: 5,
  cancelled: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export interface UserErrorOptions {
  /** Stable kebab-case identifier for scripts, e.g. `config-invalid`. */
  code: string;
  /** The next step: what the user can type or change. */
  hint: string;
  exitCode?: ExitCode;
  cause?: unknown;
}

/** A failure that the user can understand and act on; anything else that is thrown is a bug and shows its stack. */
export class UserError extends Error {
  readonly code: string;
  readonly hint: string;
  readonly exitCode: ExitCode;

  constructor(message: string, options: UserErrorOptions) {
    super(message, { cause: options.cause });
    this.name = "UserError";
    this.code = options.code;
    this.hint = options.hint;
    this.exitCode = options.exitCode ?? EXIT.failed;
  }
}

/** The text of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
