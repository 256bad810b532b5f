import { accessSync, constants, realpathSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { isWithin, privateFolders } from "./private-folders.js";
import { describeFailure, tryProgram } from "./probe.js";
import type { ProbeEnd } from "./probe.js";
import { findRepository, kindOf, steeringPaths } from "./repository.js";
import type { NoSandbox, Sandbox, SandboxOptions, SandboxRequest } from "./sandbox.js";
import { shownPaths } from "./toolchains.js";

/** Since bubblewrap 0.8; keeps a plain user from gaining capabilities in a namespace inside the sandbox. */
const NO_NESTED_NAMESPACES = "--disable-userns";

/** Finds bubblewrap and tries it with the mounts of this workspace. */
export async function startBubblewrap(options: SandboxOptions): Promise<Sandbox | NoSandbox> {
  const program = findProgram(options);
  if (program === undefined) {
    return {
      active: false,
      code: "missing",
      text: "no sandbox: bubblewrap is not installed",
      remedy: "apt install bubblewrap (or the package of that name in your distribution)",
    };
  }
  const mounts = createMounts(options);
  const wrapWith =
    (isolation: readonly string[]): Sandbox["wrap"] =>
    (argv, request) => [
      program,
      ...isolation,
      ...(request.network ? ["--share-net"] : []),
      ...mounts(),
      ...["--chdir", request.cwd, "--cap-drop", "ALL", "--", ...argv],
    ];
  const isolation = ["--unshare-all", "--unshare-user", "--die-with-parent", "--new-session"];
  const newest = wrapWith([...isolation, NO_NESTED_NAMESPACES]);
  const older = wrapWith(isolation);

  let wrap = newest;
  let end = await tryIn(newest, options);
  if (end.kind === "failed" && /--disable-userns|max_user_namespaces/.test(end.error)) {
    wrap = older;
    end = await tryIn(older, options);
  }
  if (end.kind !== "worked") return describeFailure("bubblewrap", end);
  return {
    state: {
      active: true,
      code: "bubblewrap",
      text: "sandbox: bubblewrap; commands write only inside the workspace and have no network unless you allow it",
    },
    wrap,
  };
}

/** Tries to write as well: root without its powers cannot write to the folder of somebody else. */
function tryIn(wrap: Sandbox["wrap"], { workspaceRoot, env }: SandboxOptions): Promise<ProbeEnd> {
  const request: SandboxRequest = { cwd: workspaceRoot, network: false };
  const script = isWritable(workspaceRoot)
    ? '[ -w . ] || { echo "$PWD: not writable inside, it belongs to another user" >&2; exit 1; }'
    : ":";
  return tryProgram(wrap(["/bin/sh", "-c", script], request), { cwd: workspaceRoot, env });
}

/**
 * The mounts, in order: everything read-only; the private folders empty; what has to be shown of them; the workspace;
 * its git folders. A folder that is a mount cannot be renamed away, so each git folder is mounted onto itself; without
 * that, moving it and making another one would go round the read-only mounts in it.
 */
function createMounts(options: SandboxOptions): () => string[] {
  const { workspaceRoot, homeDir, temporaryFolder, env } = options;
  const hidden = privateFolders({ homeDir, temporaryFolder }).filter(
    (path) => !isWithin(path, workspaceRoot),
  );
  const holdsHidden = (folder: string): boolean => hidden.some((path) => isWithin(path, folder));
  const repository = findRepository(workspaceRoot, (folder) => !holdsHidden(folder));
  const fixed = [
    ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
    ...hidden.flatMap((path) => ["--tmpfs", path]),
    // "try": it may be gone later in the session.
    ...shownPaths({ homeDir, workspaceRoot, env, hidden }).flatMap((path) => ["--ro-bind-try", path, path]),
    ...(repository === undefined ? [] : readOnly(repository.root)),
    ...writable(workspaceRoot),
    ...["--setenv", "TMPDIR", "/tmp", "--unsetenv", "XDG_RUNTIME_DIR"],
  ];
  const ownGit = join(workspaceRoot, ".git");
  const gitFolders = [...new Set([...(repository?.gitFolders ?? []), ownGit])];

  return () => [
    ...fixed,
    ...gitFolders.filter((path) => kindOf(path) === "directory").flatMap(gitMounts),
    ...(kindOf(ownGit) === "file" ? readOnly(ownGit) : []),
    ...[join(workspaceRoot, ".mini-cc.json")].filter((path) => kindOf(path) !== "none").flatMap(readOnly),
  ];
}

function gitMounts(folder: string): string[] {
  const { existing, missingHooks } = steeringPaths(folder);
  return [
    ...writable(folder),
    ...existing.flatMap(readOnly),
    // Leaves an empty hooks folder behind, which is what `git init` makes.
    ...(missingHooks === undefined ? [] : ["--tmpfs", missingHooks, "--remount-ro", missingHooks]),
  ];
}

const readOnly = (path: string): string[] => ["--ro-bind", path, path];
const writable = (path: string): string[] => ["--bind", path, path];

/** The first `bwrap` on PATH that does not come from the workspace. */
function findProgram({ env, workspaceRoot }: SandboxOptions): string | undefined {
  return (env["PATH"] ?? "")
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .map((folder) => join(folder, "bwrap"))
    .find((path) => isExecutable(path) && !isWithin(realpathSync(path), workspaceRoot));
}

function isExecutable(path: string): boolean {
  return allows(path, constants.X_OK);
}

function isWritable(path: string): boolean {
  return allows(path, constants.W_OK);
}

function allows(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}
