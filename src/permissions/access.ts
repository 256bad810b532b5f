/** What a tool call would touch. The tool states it, only the policy judges it. */
export type Access =
  | { kind: "read" | "list" | "write"; /** As the model wrote it. */ path: string }
  | { kind: "run"; command: string };

export type PermissionMode = "default" | "accept-edits" | "plan" | "bypass";

export type VerdictKind = "allow" | "ask" | "deny";

/** A path after every link was followed; the path that was judged is the path that is opened. */
export interface ResolvedPath {
  /** As the model wrote it. */
  written: string;
  /** Absolute, links followed as far as the path exists. */
  real: string;
  /** Relative to the workspace root with "/" between names ("." for the root), or absolute when outside. */
  display: string;
  inside: boolean;
  kind: "file" | "directory" | "missing";
}

/** The rule that lets files inside the workspace be changed unasked, protected names excepted; no command looks so. */
export const EDITS_RULE = "(edits in this workspace)";

/** One simple command of a line, as the policy saw it. */
export interface JudgedCommand {
  text: string;
  verdict: VerdictKind;
  because: string;
}

export interface Verdict {
  verdict: VerdictKind;
  /** "rule": a rule, built in or configured; "mode": the permission mode decided. */
  by: "rule" | "mode";
  /** All reasons, the most important first; never empty. Whole clauses in plain English. */
  because: string[];
  /** For a command line: its simple commands. */
  commands: JudgedCommand[];
  /** The rules that an "always" answer would keep, shown before it is given; empty if nothing may be kept. */
  rememberAs: string[];
  /** The built-in read-only list alone would allow the command line. */
  readsOnly?: boolean;
  /** For a path that was not refused: what to open. */
  path?: ResolvedPath;
}

/** The seam between the gate and everything under permissions/. */
export interface Policy {
  readonly mode: PermissionMode;
  /** From now on. */
  setMode(mode: PermissionMode): void;
  /** What `allowForSession` has added, as it was given. */
  readonly keptForSession: readonly string[];
  judge(access: Access): Promise<Verdict>;
  /** Adds a rule of `rememberAs` for the rest of this process. */
  allowForSession(rule: string): void;
}
