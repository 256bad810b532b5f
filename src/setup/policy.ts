import { realpath } from "node:fs/promises";
import { keepRules, readKeptRules } from "../config/kept-rules.js";
import type { LoadedConfig } from "../config/load-config.js";
import type { ConfigRule } from "../config/overrides.js";
import { EDITS_RULE } from "../permissions/access.js";
import type { Policy } from "../permissions/access.js";
import type { Rule, RuleWarning } from "../permissions/command-rules.js";
import { parseRules } from "../permissions/command-rules.js";
import { createPolicy } from "../permissions/policy.js";
import type { Shell } from "../processes/shell.js";
import { findShell } from "../processes/shell.js";

export interface PolicyPlace {
  loaded: LoadedConfig;
  workspaceRoot: string;
  env: Readonly<Record<string, string | undefined>>;
  homeDir: string | undefined;
  platform: NodeJS.Platform;
}

export interface PolicySetup {
  policy: Policy;
  shell: Shell;
  /** Real path; one that does not exist if there is none. */
  homeDir: string;
  allowed: readonly Rule[];
  denied: readonly Rule[];
  warnings: readonly RuleWarning[];
  /** Keeps the rules of an "always" answer, in the user's state if they are for the project. */
  keep: (rules: readonly string[], keep: "session" | "project") => Promise<void>;
}

/** The policy that configuration and kept rules make; the same for a turn and for `permissions check`. */
export async function setUpPolicy({
  loaded,
  workspaceRoot,
  env,
  homeDir,
  platform,
}: PolicyPlace): Promise<PolicySetup> {
  const stateFolder = loaded.folders.state;
  const kept = (await readKeptRules(stateFolder, workspaceRoot)).map(toRule);
  const keptCommands = kept.filter(({ text }) => text !== EDITS_RULE);
  const commands = [...loaded.rules.allow.map(toRule), ...keptCommands];
  const denied = loaded.rules.deny.map(toRule);
  const pathVariable = env["PATH"] ?? "";
  const shell = findShell(pathVariable);
  const home = await realHome(homeDir);
  const policy = createPolicy({
    workspaceRoot,
    homeDir: home,
    mode: loaded.config.permissionMode,
    allowed: commands,
    denied,
    editsAllowed: kept.length > keptCommands.length,
    readOnlyDefaultsActive: loaded.readOnlyDefaultsActive,
    pathVariable,
    shellFound: shell.isBash,
    platform,
  });
  return {
    policy,
    shell,
    homeDir: home,
    allowed: [...loaded.rules.allow.map(toRule), ...kept],
    denied,
    warnings: [...parseRules(commands, "allow").warnings, ...parseRules(denied, "deny").warnings],
    async keep(rules, keep) {
      if (keep === "project") await keepRules(stateFolder, workspaceRoot, rules);
      for (const rule of rules) policy.allowForSession(rule);
    },
  };
}

function toRule({ text, origin }: ConfigRule): Rule {
  return { text, origin: origin.source };
}

/** A home that is unknown or missing is no place that a command could name. */
async function realHome(homeDir: string | undefined): Promise<string> {
  const home = homeDir ?? "/nonexistent";
  return realpath(home).catch(() => home);
}
