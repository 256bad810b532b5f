import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { isWithin } from "./private-folders.js";
import { describeFailure, tryProgram } from "./probe.js";
import { findRepository, STEERING_NAMES } from "./repository.js";
import type { NoSandbox, Sandbox, SandboxOptions } from "./sandbox.js";
import { shownPaths } from "./toolchains.js";

/** Part of every macOS; a program of this name elsewhere is not trusted. */
const PROGRAM = "/usr/bin/sandbox-exec";

/** Finds the seatbelt of macOS and tries it with the profile of this workspace. */
export async function startSeatbelt(options: SandboxOptions): Promise<Sandbox | NoSandbox> {
  if (!existsSync(PROGRAM)) {
    return {
      active: false,
      code: "missing",
      text: `no sandbox: ${PROGRAM} is not there`,
      remedy: "it is a part of macOS; repair the system",
    };
  }
  const place = profilePlace(options);
  const wrap: Sandbox["wrap"] = (argv, { network }) => [
    ...[PROGRAM, "-p", seatbeltProfile(place, network)],
    ...argv,
  ];
  const { workspaceRoot: cwd, env } = options;
  const end = await tryProgram(wrap(["/usr/bin/true"], { cwd, network: false }), { cwd, env });
  if (end.kind !== "worked") return describeFailure("sandbox-exec", end);
  return {
    state: {
      active: true,
      code: "seatbelt",
      text: "sandbox: seatbelt; commands write only inside the workspace and have no network unless you allow it",
    },
    wrap,
  };
}

/** Real paths. */
export interface ProfilePlace {
  workspaceRoot: string;
  homeDir: string;
  temporaryFolder: string;
  /** The folder with `.git`. */
  repositoryRoot: string;
  gitFolders: readonly string[];
  /** Readable although they are in the home folder. */
  toolchains: readonly string[];
}

function profilePlace({ workspaceRoot, homeDir, temporaryFolder, env }: SandboxOptions): ProfilePlace {
  const repository = findRepository(workspaceRoot, (folder) => !isWithin(homeDir, folder));
  const shown = shownPaths({ homeDir, workspaceRoot, env, hidden: [homeDir] });
  return {
    workspaceRoot,
    homeDir,
    temporaryFolder,
    repositoryRoot: repository?.root ?? workspaceRoot,
    gitFolders: repository?.gitFolders ?? [join(workspaceRoot, ".git")],
    toolchains: shown.flatMap((path) => [path, realpathSync(path)]),
  };
}

/** Services that programs look up merely to start. */
const SERVICES = [
  "com.apple.system.logger",
  "com.apple.system.notification_center",
  "com.apple.system.opendirectoryd.libinfo",
];

/** For names and certificates. */
const NETWORK_SERVICES = [
  "com.apple.SecurityServer",
  "com.apple.SystemConfiguration.configd",
  "com.apple.trustd.agent",
];

/**
 * A profile in the language of `sandbox-exec`; of the rules that fit, the last one holds. Paths need not exist, so
 * what is missing cannot be made either. In the home folder names stay visible, or programs could not resolve paths.
 */
export function seatbeltProfile(place: ProfilePlace, network: boolean): string {
  const { workspaceRoot, homeDir, temporaryFolder, repositoryRoot, gitFolders, toolchains } = place;
  const git = join(repositoryRoot, ".git");
  return [
    "(version 1)",
    "(deny default)",
    "(allow process-exec process-fork)",
    "(allow process-info* signal (target same-sandbox))",
    "(allow sysctl-read ipc-posix-sem pseudo-tty)",
    `(allow mach-lookup ${SERVICES.map(service).join(" ")})`,
    "(allow file-read*)",
    `(deny file-read-data ${subpath(homeDir)})`,
    `(allow file-read-data ${[...toolchains, repositoryRoot, ...gitFolders, workspaceRoot].map(subpath).join(" ")})`,
    `(allow file-write* ${[temporaryFolder, workspaceRoot].map(subpath).join(" ")})`,
    `(allow file-write* file-ioctl ${["/dev/null", "/dev/ptmx", "/dev/tty"].map(literal).join(" ")})`,
    `(deny file-write* ${[git, join(workspaceRoot, ".mini-cc.json")].map(subpath).join(" ")})`,
    // A worktree's own folder comes after the shared one, whose `worktrees` it lies in.
    ...gitFolders.flatMap((folder) => [
      `(allow file-write* ${subpath(folder)})`,
      `(deny file-write* ${STEERING_NAMES.map((name) => subpath(join(folder, name))).join(" ")})`,
    ]),
    `(deny file-write-unlink ${[...gitFolders, workspaceRoot].map(literal).join(" ")})`,
    ...(network
      ? ["(allow network* system-socket)", `(allow mach-lookup ${NETWORK_SERVICES.map(service).join(" ")})`]
      : ["(deny network*)"]),
  ].join("\n");
}

const service = (name: string): string => `(global-name ${quoted(name)})`;
const subpath = (path: string): string => `(subpath ${quoted(path)})`;
const literal = (path: string): string => `(literal ${quoted(path)})`;

function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, "\\$&")}"`;
}
