import { randomUUID } from "node:crypto";
import type { Dirent } from "node:fs";
import { lstat, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makePrivateFolder } from "../../config/private-folder.js";
import { messageOf } from "../../errors.js";
import { environmentForCommands } from "../../permissions/command-environment.js";
import { parseRules } from "../../permissions/command-rules.js";
import { setUpPolicy } from "../../setup/policy.js";
import type { PolicySetup } from "../../setup/policy.js";
import { beyondLimits } from "../../sessions/retention.js";
import { allSessionFiles } from "../../sessions/session-files.js";
import { retentionLimits } from "../../setup/retention.js";
import { runHelper } from "../../processes/run-helper.js";
import { createSandbox } from "../../sandbox/sandbox.js";
import { bundledRipgrep } from "../../tools/bundled-ripgrep.js";
import type { Messages } from "../messages/catalogue.js";
import { byteText, originText } from "./model-words.js";
import type { Start } from "../start.js";
import { homeFolder } from "../start.js";

/** What a check found. "skipped": it could not be looked at, and the check that says why is another one. */
export interface Finding {
  status: "ok" | "warning" | "fault" | "skipped";
  found: string;
  /** What the user can do about it. */
  remedy?: string | undefined;
}

export interface Check {
  id: keyof Messages["doctor"]["labels"];
  /** May reject; the caller makes a fault of that. */
  run: () => Promise<Finding[]>;
}

/** Node's oldest release that is supported, as in package.json. */
const OLDEST_NODE = 20;
/** Bytes of saved sessions and debug records from which the user is reminded of them. */
const MUCH_STATE = 1e9;
/** A program that tells its version takes no longer. */
const PROGRAM_LIMIT_MS = 5_000;

export const ok = (found: string): Finding => ({ status: "ok", found });
export const warning = (found: string, remedy?: string): Finding => ({ status: "warning", found, remedy });
export const fault = (found: string, remedy?: string): Finding => ({ status: "fault", found, remedy });
export const skipped = (found: string): Finding => ({ status: "skipped", found });

/** The checks of what commands run in and of the configuration in force. */
export function configuredChecks(begun: Start, signal: AbortSignal): Check[] {
  const { loaded, messages } = begun;
  const { findings, remedies } = messages.doctor;
  const policy = setUpPolicy({
    ...begun,
    env: process.env,
    homeDir: homeFolder(),
    platform: process.platform,
  });
  // Each check that awaits it tells the failure; none need be first.
  policy.catch(() => undefined);

  return [
    {
      id: "sandbox",
      async run() {
        const { state } = await createSandbox({
          // "required" would throw what the state says as well.
          setting: loaded.config.sandbox === "off" ? "off" : "auto",
          workspaceRoot: begun.workspaceRoot,
          homeDir: (await policy).homeDir,
          platform: process.platform,
          env: environmentForCommands(process.env),
          temporaryFolder: tmpdir(),
        });
        if (state.active) return [ok(state.text)];
        const isRequired = loaded.config.sandbox === "required";
        return [(isRequired ? fault : warning)(state.text, state.remedy)];
      },
    },
    {
      id: "bash",
      async run() {
        const { shell } = await policy;
        return [shell.isBash ? ok(shell.argv[0] ?? "") : warning(findings.noBash, remedies.bash)];
      },
    },
    {
      id: "config",
      run: () => Promise.resolve(configFindings(begun)),
    },
    {
      id: "rules",
      run: async () => ruleFindings(await policy, messages),
    },
    {
      id: "state",
      async run() {
        const folder = loaded.folders.state;
        const problem = await writeProblem(folder);
        if (problem !== undefined) return [fault(findings.notWritable(folder, problem), remedies.state)];
        const { bytes, files } = await usageOf(folder, signal);
        const found = findings.state(folder, byteText(bytes), files);
        return [bytes > MUCH_STATE ? warning(found, remedies.muchState) : ok(found)];
      },
    },
    {
      id: "sessions",
      async run() {
        const { keepDays, maxMegabytes } = loaded.config.sessions;
        const files = await allSessionFiles(join(loaded.folders.state, "sessions"));
        const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
        const outlived = beyondLimits(files, retentionLimits(loaded.config.sessions), new Date()).length;
        const found = findings.sessions(files.length, byteText(bytes), keepDays, maxMegabytes);
        return [
          outlived > 0
            ? warning(messages.joining.clauses([found, findings.outlived(outlived)]), remedies.outlived)
            : ok(found),
        ];
      },
    },
  ];
}

/** The checks that need no configuration. */
export function machineChecks(messages: Messages, signal: AbortSignal): Check[] {
  const { findings, remedies } = messages.doctor;
  return [
    {
      id: "git",
      async run() {
        const version = await firstLineOf(["git", "--version"], signal);
        return [version === undefined ? warning(findings.noGit, remedies.git) : ok(version)];
      },
    },
    {
      id: "ripgrep",
      async run() {
        const bundled = await bundledRipgrep();
        for (const program of bundled === undefined ? ["rg"] : [bundled, "rg"]) {
          const version = await firstLineOf([program, "--version"], signal);
          if (version !== undefined) return [ok(`${version} (${program})`)];
        }
        return [warning(findings.noRipgrep, remedies.ripgrep)];
      },
    },
    {
      id: "node",
      run() {
        const { node } = process.versions;
        const isOld = Number.parseInt(node, 10) < OLDEST_NODE;
        const found = `Node ${node}`;
        return Promise.resolve([isOld ? fault(found, remedies.node(OLDEST_NODE)) : ok(found)]);
      },
    },
  ];
}

function configFindings({ loaded, messages }: Start): Finding[] {
  const { filesRead, warnings, projectFile, origins, config } = loaded;
  const { findings, remedies } = messages.doctor;
  return [
    ok(filesRead.length === 0 ? messages.config.noFiles : findings.filesRead(filesRead)),
    ...warnings.map(({ text }) => warning(text)),
    ...(projectFile && !projectFile.trusted && projectFile.widens.length > 0
      ? [warning(messages.config.untrusted(projectFile.path), remedies.trust)]
      : []),
    ...(config.permissionMode === "bypass"
      ? [warning(messages.chat.bypass, remedies.bypass(originText(origins["permissionMode"], messages)))]
      : []),
  ];
}

/** A ban that has no effect is a fault: who wrote it relies on it. */
function ruleFindings({ allowed, denied, warnings }: PolicySetup, messages: Messages): Finding[] {
  const { findings, remedies } = messages.doctor;
  const bans = parseRules(denied, "deny").warnings;
  const others = warnings.filter((entry) => !bans.some((ban) => isSameRule(ban, entry)));
  return [
    ...bans.map(({ text, origin, problem }) =>
      fault(findings.ignoredBan(text, origin, problem), remedies.ignoredBan),
    ),
    ...others.map(({ text, origin, problem, kind }) =>
      kind === "ignored"
        ? warning(findings.ignoredRule(text, origin, problem), remedies.rule)
        : warning(findings.broadRule(text, origin, problem), remedies.broadRule),
    ),
    ...(warnings.length === 0 ? [ok(findings.rules(allowed.length, denied.length))] : []),
  ];
}

function isSameRule(a: { text: string; origin: string; kind: string }, b: typeof a): boolean {
  return a.text === b.text && a.origin === b.origin && a.kind === b.kind;
}

/** Why nothing can be written into the folder; writing alone tells also of a full disk. */
async function writeProblem(folder: string): Promise<string | undefined> {
  const path = join(folder, `doctor-${randomUUID()}`);
  try {
    makePrivateFolder(folder);
    await writeFile(path, "mini-cc doctor\n", { mode: 0o600, flag: "wx" });
    return undefined;
  } catch (error) {
    return messageOf(error);
  } finally {
    await rm(path, { force: true }).catch(() => undefined); // What could not be written is told.
  }
}

async function usageOf(folder: string, signal: AbortSignal): Promise<{ bytes: number; files: number }> {
  const entries: Dirent[] = await readdir(folder, { withFileTypes: true, recursive: true });
  let bytes = 0;
  let files = 0;
  for (const entry of entries.filter((candidate) => candidate.isFile())) {
    signal.throwIfAborted();
    // Another mini-cc may have removed it meanwhile.
    const found = await lstat(join(entry.parentPath, entry.name)).catch(() => undefined);
    if (found === undefined) continue;
    bytes += found.size;
    files += 1;
  }
  return { bytes, files };
}

/** Undefined if the program cannot be run. */
async function firstLineOf(
  argv: readonly [string, ...string[]],
  signal: AbortSignal,
): Promise<string | undefined> {
  let text = "";
  try {
    const end = await runHelper({
      argv,
      cwd: tmpdir(),
      env: environmentForCommands(process.env),
      signal,
      timeoutMs: PROGRAM_LIMIT_MS,
      onStdout(chunk) {
        text += chunk.toString("utf8");
        return true;
      },
    });
    return end.code === 0 ? text.split("\n")[0]?.trim() : undefined;
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}
