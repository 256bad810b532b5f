import { lstat, readdir } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import { gitEntries, isIgnoredByGit, placeInRepository } from "./git-listing.js";
import type { Rules } from "./ignore-rules.js";
import { excludes, rulesAbove, rulesOf, rulesOfRepository, toSlashes } from "./ignore-rules.js";
import { errorCode } from "./tool-failure.js";

export interface TreeListing {
  /** Paths of files and links below the folder, relative to it, with "/". */
  files: string[];
  /** Ignored or heavy entries that were left out; folders end in "/". */
  skipped: string[];
  /** Folders that could not be read. */
  unreadable: string[];
  /** More files exist than are listed. */
  truncated: boolean;
}

export interface ListingOptions {
  /** The workspace; above it no .gitignore counts unless it belongs to the same repository. */
  root: string;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

/** Never of interest as a whole; listed only when named, or when something below is. */
export const HEAVY_FOLDERS = [
  ".git", ".hg", ".svn", ".jj", "node_modules", "bower_components", ".venv", "__pycache__", ".tox", ".mypy_cache",
  ".pytest_cache", ".gradle", ".terraform",
]; // prettier-ignore

const MAX_FILES = 200_000;

/**
 * Lists what is below a folder by git's ignore rules: as git itself sees it, or by the .gitignore files where git
 * is missing or the folder is in no repository. A folder that is itself ignored is listed without rules.
 */
export async function listTree(folder: string, options: ListingOptions): Promise<TreeListing> {
  const { ignored, inRepository, rules } = await ignoreState(folder, options);
  const listing =
    (inRepository && !ignored ? await listByGit(folder, options) : undefined) ??
    (await walk(folder, ignored ? undefined : rules, options));
  listing.files.sort(comparePaths);
  listing.skipped.sort(comparePaths);
  listing.truncated ||= listing.files.length > MAX_FILES;
  listing.files.length = Math.min(listing.files.length, MAX_FILES);
  return listing;
}

export interface IgnoreState {
  /** The rules exclude the path itself. */
  ignored: boolean;
  inRepository: boolean;
  /** The rules of files above the path, for a folder that git does not know. */
  rules: Rules[];
}

export async function ignoreState(path: string, options: ListingOptions): Promise<IgnoreState> {
  const { root, env } = options;
  const heavy = relative(root, path)
    .split(sep)
    .some((name) => HEAVY_FOLDERS.includes(name));
  const isFolder = (await lstat(path)).isDirectory();
  const place = await placeInRepository(isFolder ? path : dirname(path), options);
  if (place !== undefined) {
    // The root of a repository is ruled by none, even if another repository round it ignores it.
    const isRepositoryRoot = isFolder && place === "";
    const ignored = !isRepositoryRoot && (await isIgnoredByGit(dirname(path), basename(path), options));
    return { ignored: heavy || ignored, inRepository: true, rules: [] };
  }
  const rules = await rulesAbove(path, root, env);
  return {
    ignored: heavy || rules === "ignored",
    inRepository: false,
    rules: rules === "ignored" ? [] : rules,
  };
}

async function listByGit(folder: string, options: ListingOptions): Promise<TreeListing | undefined> {
  const entries = await gitEntries(folder, HEAVY_FOLDERS, options);
  if (entries === undefined) return undefined;
  const isLight = (path: string): boolean => !path.split("/").some((name) => HEAVY_FOLDERS.includes(name));
  const listing: TreeListing = {
    files: entries.files.filter(isLight),
    skipped: entries.ignored,
    unreadable: entries.unreadable,
    truncated: false,
  };
  for (const inner of entries.repositories.filter(isLight)) {
    // A submodule that was not fetched is an empty folder of this repository.
    if ((await placeInRepository(join(folder, inner), options)) !== "") continue;
    const below = await listTree(join(folder, inner), options);
    const full = (paths: readonly string[]): string[] => paths.map((path) => `${inner}/${path}`);
    listing.files = listing.files.concat(full(below.files));
    listing.skipped = listing.skipped.concat(full(below.skipped));
    listing.unreadable.push(...full(below.unreadable));
    listing.truncated ||= below.truncated;
  }
  return listing;
}

/** Walks without following links; `inherited` undefined means that nothing is ignored but heavy folders. */
async function walk(
  root: string,
  inherited: Rules[] | undefined,
  { env, signal }: ListingOptions,
): Promise<TreeListing> {
  const listing: TreeListing = { files: [], skipped: [], unreadable: [], truncated: false };

  async function visit(folder: string, above: Rules[] | undefined): Promise<void> {
    signal.throwIfAborted();
    let entries;
    try {
      entries = await readdir(folder, { withFileTypes: true });
    } catch (error) {
      if (errorCode(error) !== "EACCES" && errorCode(error) !== "EPERM") throw error;
      listing.unreadable.push(toSlashes(relative(root, folder)) || ".");
      return;
    }
    const rules = above && (await rulesIn(folder, above, entries));
    for (const entry of entries) {
      if (listing.files.length >= MAX_FILES) {
        listing.truncated = true;
        return;
      }
      const path = join(folder, entry.name);
      const shown = toSlashes(relative(root, path));
      const isFolder = entry.isDirectory();
      const heavy = isFolder && HEAVY_FOLDERS.includes(entry.name);
      if (heavy || (rules !== undefined && excludes(rules, path, isFolder))) {
        if (entry.name !== ".git") listing.skipped.push(isFolder ? `${shown}/` : shown);
      } else if (isFolder) {
        await visit(path, rules);
      } else if (entry.isFile() || entry.isSymbolicLink()) {
        listing.files.push(shown);
      }
    }
  }

  async function rulesIn(
    folder: string,
    above: Rules[],
    entries: readonly { name: string }[],
  ): Promise<Rules[]> {
    const has = (name: string): boolean => entries.some((entry) => entry.name === name);
    // No rule reaches into another repository.
    const outer = has(".git") ? await rulesOfRepository(folder, env) : above;
    const own = has(".gitignore") ? await rulesOf(folder) : undefined;
    return own === undefined ? outer : [...outer, own];
  }

  await visit(root, inherited);
  return listing;
}

/** Folder by folder: the files of a folder stand together, below those of the folder above it. */
export function comparePaths(a: string, b: string): number {
  const left = a.split("/");
  const right = b.split("/");
  const shared = Math.min(left.length, right.length);
  for (let index = 0; index < shared; index++) {
    const lastLeft = index === left.length - 1;
    const lastRight = index === right.length - 1;
    if (lastLeft !== lastRight) return lastLeft ? -1 : 1;
    const [one = "", other = ""] = [left[index], right[index]];
    if (one !== other) return one < other ? -1 : 1;
  }
  return left.length - right.length;
}

/** A path for a list with one path a line: one with a line break or the like in it is quoted as in JSON. */
export function asOneLine(path: string): string {
  return /[\x00-\x1f\x7f]/.test(path) ? JSON.stringify(path) : path;
}
