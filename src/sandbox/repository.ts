import { accessSync, constants, existsSync, lstatSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isWithin } from "./private-folders.js";

/** The git repository of a workspace. */
export interface Repository {
  /** The folder with `.git`: the workspace or one above it. */
  root: string;
  /** What git writes to: the git folder, and for a linked worktree the shared one and then its own. Real paths. */
  gitFolders: readonly string[];
}

/** Names in a git folder that make git run programs or look elsewhere for its configuration. */
export const STEERING_NAMES: readonly string[] = [
  "config",
  "config.worktree",
  "commondir",
  "gitdir",
  "hooks",
  "modules",
  "worktrees",
];

/**
 * Looks from the workspace upward. To be called before any command has run: a `.git` file could name any folder, so
 * it is followed only if that folder in turn names this worktree.
 * @param mayBeShown false ends the search, e.g. at the home folder
 */
export function findRepository(
  workspaceRoot: string,
  mayBeShown: (folder: string) => boolean,
): Repository | undefined {
  for (let root = workspaceRoot; mayBeShown(root) && root !== dirname(root); root = dirname(root)) {
    const git = join(root, ".git");
    const kind = kindOf(git);
    if (kind === "directory" && existsSync(join(git, "HEAD"))) return { root, gitFolders: [git] };
    if (kind === "file") return { root, gitFolders: foldersNamedBy(git, root) };
  }
  return undefined;
}

/** What must stay as it is in a git folder. A missing hooks folder counts as well if it could be made. */
export function steeringPaths(gitFolder: string): { existing: string[]; missingHooks: string | undefined } {
  const existing = STEERING_NAMES.map((name) => join(gitFolder, name)).filter(
    (path) => kindOf(path) !== "none",
  );
  const hooks = join(gitFolder, "hooks");
  const hooksCouldBeMade =
    !existsSync(hooks) && existing.includes(join(gitFolder, "config")) && isWritable(gitFolder);
  return { existing, missingHooks: hooksCouldBeMade ? hooks : undefined };
}

/** A link is "none": it could lead anywhere, and what it leads to must not be mounted. */
export function kindOf(path: string): "file" | "directory" | "none" {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory()) return "directory";
  return stats?.isFile() ? "file" : "none";
}

function foldersNamedBy(pointer: string, root: string): string[] {
  try {
    const named = /^gitdir: (.+)/.exec(readFileSync(pointer, "utf8"))?.[1];
    if (named === undefined) return [];
    const own = realpathSync(resolve(root, named));
    return worktreeFolders(own, pointer) ?? submoduleFolders(own, root) ?? [];
  } catch {
    // It leads nowhere, or to what this user cannot read: git fails there, inside the sandbox as outside.
    return [];
  }
}

function worktreeFolders(own: string, pointer: string): string[] | undefined {
  if (kindOf(join(own, "commondir")) !== "file") return undefined;
  const shared = realpathSync(resolve(own, firstLine(join(own, "commondir"))));
  const namesBack = realpathSync(resolve(own, firstLine(join(own, "gitdir")))) === pointer;
  return namesBack && isWithin(own, join(shared, "worktrees")) ? [shared, own] : undefined;
}

function submoduleFolders(own: string, root: string): string[] | undefined {
  const worktree = /^\s*worktree\s*=\s*(.+?)\s*$/m.exec(readFileSync(join(own, "config"), "utf8"))?.[1];
  return worktree !== undefined && realpathSync(resolve(own, worktree)) === root ? [own] : undefined;
}

function firstLine(path: string): string {
  return readFileSync(path, "utf8").split("\n")[0] ?? "";
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
