import { EDITS_RULE } from "./access.js";
import type { Access, PermissionMode, ResolvedPath, Verdict, VerdictKind } from "./access.js";
import { isSecretPath, writeProtection } from "./protected-paths.js";
import type { PathRefusal } from "./workspace-paths.js";

/** Everything that a path is judged by; gathered before, so that judging is a pure function. */
export interface PathFacts {
  kind: Exclude<Access["kind"], "run">;
  mode: PermissionMode;
  /** The user gave EDITS_RULE as an answer. */
  editsAllowed: boolean;
  resolved: ResolvedPath | PathRefusal;
  /** The text names something under /proc. */
  underProc: boolean;
}

interface PathStep {
  when: (path: ResolvedPath, facts: PathFacts) => boolean;
  verdict: VerdictKind;
  by: Verdict["by"];
  because: (path: ResolvedPath) => string;
  /** What an "always" answer keeps, if this step decides. */
  rememberAs?: string[];
}

const writes = (facts: PathFacts): boolean => facts.kind === "write";
const isSecret = (path: ResolvedPath): boolean => [path.real, path.display, path.written].some(isSecretPath);

/** Asked of the real path as well as of the written one, since a link may carry a harmless name. */
function protection(path: ResolvedPath): "deny" | "ask" | undefined {
  const found = [path.display, path.written].map(writeProtection);
  return found.find((level) => level === "deny") ?? found.find((level) => level === "ask");
}

/** The order of judging; the first step that applies decides, the later ones add their reasons to it. */
const PATH_STEPS: readonly PathStep[] = [
  {
    when: (_, facts) => facts.underProc,
    verdict: "deny",
    by: "rule",
    because: (path) => `"${path.written}" is under /proc, which exposes other files and the environment`,
  },
  {
    when: (path, facts) => writes(facts) && !path.inside,
    verdict: "deny",
    by: "rule",
    because: (path) => `"${path.written}" leads outside the workspace, where nothing is written`,
  },
  {
    when: (path, facts) => writes(facts) && protection(path) === "deny",
    verdict: "deny",
    by: "rule",
    because: (path) => `"${path.display}" decides what may run here, so it is never written by the agent`,
  },
  {
    when: (_, facts) => writes(facts) && facts.mode === "plan",
    verdict: "deny",
    by: "mode",
    because: () => 'the mode "plan" changes no files',
  },
  {
    when: (_, facts) => facts.mode === "bypass",
    verdict: "allow",
    by: "mode",
    because: () => 'the mode "bypass" asks nothing',
  },
  {
    when: (path, facts) => writes(facts) && protection(path) === "ask",
    verdict: "ask",
    by: "rule",
    because: (path) => `"${path.display}" has a protected name (it steers tools or holds secrets)`,
  },
  {
    when: (path) => !path.inside,
    verdict: "ask",
    by: "rule",
    because: (path) => `"${path.written}" leads outside the workspace`,
  },
  {
    when: isSecret,
    verdict: "ask",
    by: "rule",
    because: (path) => `"${path.display}" is a usual place of keys or passwords`,
  },
  {
    when: (_, facts) => writes(facts) && facts.mode === "accept-edits",
    verdict: "allow",
    by: "mode",
    because: () => 'the mode "accept-edits" lets files inside the workspace be changed',
  },
  {
    when: (_, facts) => writes(facts) && facts.editsAllowed,
    verdict: "allow",
    by: "rule",
    because: () => "you allowed edits in this workspace",
  },
  {
    when: (_, facts) => writes(facts),
    verdict: "ask",
    by: "rule",
    because: () => "files are changed only after a question",
    rememberAs: [EDITS_RULE],
  },
  { when: () => true, verdict: "allow", by: "rule", because: () => "reading inside the workspace is free" },
];

/** Judges reading, listing or writing one path. */
export function judgePath(facts: PathFacts): Verdict {
  const path = facts.resolved;
  if ("refused" in path) {
    return { verdict: "deny", by: "rule", because: [path.refused], commands: [], rememberAs: [] };
  }
  const steps = PATH_STEPS.filter((step) => step.when(path, facts));
  const [first] = steps;
  if (first === undefined) throw new Error("the last step applies to every path");
  const same = steps.filter((step) => step.verdict === first.verdict);
  return {
    verdict: first.verdict,
    by: first.by,
    because: same.map((step) => step.because(path)),
    commands: [],
    rememberAs: first.rememberAs ?? [],
    ...(first.verdict === "deny" ? {} : { path }),
  };
}
