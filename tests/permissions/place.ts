import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Verdict } from "../../src/permissions/access.js";
import { createPolicy } from "../../src/permissions/policy.js";
import type { PolicyOptions } from "../../src/permissions/policy.js";

/** A temporary folder with a workspace (a git repository), a home and a folder outside, all real paths. */
export interface TestPlace {
  base: string;
  workspaceRoot: string;
  homeDir: string;
  outside: string;
  remove(): void;
}

export function makePlace(): TestPlace {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "permissions-")));
  const [workspaceRoot, homeDir, outside] = ["ws", "home", "outside"].map((name) => join(base, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [workspaceRoot, homeDir, outside]) mkdirSync(folder);
  execFileSync("git", ["init", "--quiet", workspaceRoot]);
  return {
    base,
    workspaceRoot,
    homeDir,
    outside,
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
}

export function policyOptions(place: TestPlace, changes: Partial<PolicyOptions> = {}): PolicyOptions {
  return {
    workspaceRoot: place.workspaceRoot,
    homeDir: place.homeDir,
    mode: "default",
    allowed: [],
    denied: [],
    readOnlyDefaultsActive: false,
    pathVariable: "/usr/local/bin:/usr/bin:/bin",
    shellFound: true,
    platform: "linux",
    ...changes,
  };
}

/** Judges one command line with these rules and no others. */
export function judgeLine(
  place: TestPlace,
  command: string,
  allowed: readonly string[],
  changes: Partial<PolicyOptions> = {},
): Promise<Verdict> {
  const rules = allowed.map((text) => ({ text, origin: "test" }));
  return createPolicy(policyOptions(place, { allowed: rules, ...changes })).judge({ kind: "run", command });
}
