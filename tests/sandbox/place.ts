import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { environmentForCommands } from "../../src/permissions/command-environment.js";
import { startProcess } from "../../src/processes/run-process.js";
import type { ProcessEnd } from "../../src/processes/run-process.js";
import { createSandbox } from "../../src/sandbox/sandbox.js";
import type { Sandbox, SandboxOptions } from "../../src/sandbox/sandbox.js";

/** Temporary folders, all real paths: a workspace (a git repository with a commit), a home folder and one beside them. */
export interface SandboxPlace {
  base: string;
  workspaceRoot: string;
  homeDir: string;
  outside: string;
  env: Record<string, string>;
  remove: () => void;
}

/** Programs of the system and the node that runs the tests. */
const PROGRAMS = `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`;

export interface PlaceOptions {
  /** Folder that everything is made in. */
  under?: string;
  /** Relative to `base`. */
  workspace?: string;
}

export function makePlace({ under = tmpdir(), workspace = "workspace" }: PlaceOptions = {}): SandboxPlace {
  const base = realpathSync(mkdtempSync(join(under, "sandbox-")));
  const homeDir = join(base, "home");
  const outside = join(base, "outside");
  const workspaceRoot = join(base, workspace);
  for (const folder of [homeDir, outside, workspaceRoot]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(homeDir, ".gitconfig"), "[user]\n\tname = Tester\n\temail = tester@example.org\n");
  const place = {
    base,
    workspaceRoot,
    homeDir,
    outside,
    env: environmentForCommands({ HOME: homeDir, LANG: "C.UTF-8", PATH: PROGRAMS }),
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
  initRepository(place, workspaceRoot);
  return place;
}

export function initRepository(place: SandboxPlace, folder: string): void {
  mkdirSync(folder, { recursive: true });
  git(place, folder, "init", "--quiet");
  git(place, folder, "commit", "--quiet", "--allow-empty", "-m", "first");
}

export function git(place: SandboxPlace, cwd: string, ...args: string[]): string {
  return execFileSync("git", args, { cwd, env: place.env, encoding: "utf8" });
}

export function sandboxOptions(place: SandboxPlace, changes: Partial<SandboxOptions> = {}): SandboxOptions {
  const { workspaceRoot, homeDir, env } = place;
  return {
    setting: "auto",
    workspaceRoot,
    homeDir,
    platform: "linux",
    env,
    temporaryFolder: tmpdir(),
    ...changes,
  };
}

/** Why escape tests cannot run here, if they cannot; part of the names of skipped tests. */
export async function sandboxIsMissing(): Promise<string | undefined> {
  if (process.platform !== "linux") return `bubblewrap needs Linux, not ${process.platform}`;
  const place = makePlace();
  const { state } = await createSandbox(sandboxOptions(place));
  place.remove();
  return state.active ? undefined : state.text;
}

/** Somebody who runs commands: a program line in front of the sandbox. */
export interface TestUser {
  title: string;
  prefix: readonly string[];
  isRoot: boolean;
}

const NOBODY = 65534;

/** Whoever runs the tests and, if that is root, a plain user too. */
export function testUsers(): TestUser[] {
  const isRoot = process.getuid?.() === 0;
  const self = { title: isRoot ? "root" : "a plain user", prefix: [], isRoot };
  const setpriv = ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"];
  return isRoot ? [self, { title: "a plain user", prefix: setpriv, isRoot: false }] : [self];
}

/** Hands the whole place over, after the sandbox was made. */
export function giveTo(user: TestUser, place: SandboxPlace): void {
  if (user.prefix.length > 0) execFileSync("chown", ["-R", `${NOBODY}:${NOBODY}`, place.base]);
}

export interface RunOptions {
  network?: boolean;
  cwd?: string;
  user?: TestUser;
}

/** Runs a line of bash as the agent would. */
export async function run(
  place: SandboxPlace,
  sandbox: Pick<Sandbox, "wrap">,
  command: string,
  { network = false, cwd = place.workspaceRoot, user }: RunOptions = {},
): Promise<{ end: ProcessEnd; output: string }> {
  const argv = sandbox.wrap(["/bin/bash", "--noprofile", "--norc", "-p", "-c", command], { cwd, network });
  const started = startProcess(
    {
      argv: [...(user?.prefix ?? []), ...argv],
      cwd,
      env: place.env,
      maxOutputBytes: 10_000_000,
      timeoutMs: 30_000,
    },
    "sandbox-test",
  );
  const end = await started.finished;
  const { head, tail } = started.takeOutput();
  return { end, output: Buffer.concat([head, tail]).toString() };
}

/** What there is without a sandbox; shows that an attempt would succeed. */
export const unconfined: Pick<Sandbox, "wrap"> = { wrap: (argv) => argv };
