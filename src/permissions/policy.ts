import { messageOf } from "../errors.js";
import { EDITS_RULE } from "./access.js";
import type { Access, PermissionMode, Policy, Verdict } from "./access.js";
import { gatherFacts } from "./command-facts.js";
import { READ_ONLY_RULES, parseRule, parseRules } from "./command-rules.js";
import type { ParsedRule, Rule } from "./command-rules.js";
import { judgePath } from "./path-policy.js";
import { isUnderProc, resolvePath } from "./workspace-paths.js";

export interface PolicyOptions {
  /** Real path. */
  workspaceRoot: string;
  /** Real path, for `~` and `$HOME`. */
  homeDir: string;
  mode: PermissionMode;
  /** Entries that are no usable rule are left out; `parseRules` tells the user about them. */
  allowed: readonly Rule[];
  denied: readonly Rule[];
  /** EDITS_RULE was kept. */
  editsAllowed?: boolean;
  /** Whether the built-in read-only list counts: only while no file names `allowedCommands`. */
  readOnlyDefaultsActive: boolean;
  /** The PATH that commands get. */
  pathVariable: string;
  shellFound: boolean;
  platform: NodeJS.Platform;
}

/** Bytes; Linux passes no longer argument to a program, so bash could not be given a longer line. */
const MOST_BYTES = 128 * 1024 - 1;

/**
 * The policy of one session. `judge` never rejects: what cannot be judged is denied (paths) or asked about (commands).
 */
export function createPolicy(options: PolicyOptions): Policy {
  const { workspaceRoot, homeDir, pathVariable, shellFound, platform } = options;
  let { mode } = options;
  const kept: ParsedRule[] = [];
  const keptForSession: string[] = [];
  let editsAllowed = options.editsAllowed === true;
  const denied = parseRules(options.denied, "deny").rules;
  const configured = [
    ...(options.readOnlyDefaultsActive ? READ_ONLY_RULES : []),
    ...parseRules(options.allowed, "allow").rules,
  ];

  async function judgeAccess(access: Access): Promise<Verdict> {
    if (access.kind !== "run") {
      const { kind, path } = access;
      const resolved = await resolvePath(workspaceRoot, path, platform);
      return judgePath({ kind, mode, editsAllowed, resolved, underProc: isUnderProc(workspaceRoot, path) });
    }
    if (Buffer.byteLength(access.command) > MOST_BYTES) {
      const because = ["the line is longer than bash can be given; put it into a script file"];
      return { verdict: "deny", by: "rule", because, commands: [], rememberAs: [] };
    }
    // The grammar is loaded with the first command; many sessions run none.
    const [{ parseCommandLine }, { factQuestions }, { judgeCommand }] = await Promise.all([
      import("./shell-grammar.js"),
      import("./command-paths.js"),
      import("./command-policy.js"),
    ]);
    const known = { homeDir, workspaceRoot };
    const line = parseCommandLine(access.command);
    const facts = await gatherFacts(factQuestions(line, known), { workspaceRoot, homeDir, pathVariable });
    const allowed = [...configured, ...kept];
    return judgeCommand(access.command, line, facts, { mode, allowed, denied, known, shellFound });
  }

  return {
    get mode() {
      return mode;
    },
    setMode(newMode) {
      mode = newMode;
    },
    keptForSession,
    async judge(access) {
      try {
        return await judgeAccess(access);
      } catch (error) {
        const because = [`it could not be judged (${messageOf(error)})`];
        const verdict = access.kind === "run" && mode !== "plan" ? "ask" : "deny";
        return { verdict, by: "rule", because, commands: [], rememberAs: [] };
      }
    },
    allowForSession(text) {
      if (text === EDITS_RULE) {
        editsAllowed = true;
        keptForSession.push(text);
        return;
      }
      const rule = parseRule({ text, origin: "this session" });
      if ("problem" in rule) throw new Error(`"${text}" is no rule: ${rule.problem}`);
      kept.push(rule);
      keptForSession.push(text);
    },
  };
}
