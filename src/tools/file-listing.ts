import { lstat, readdir, readFile } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import ignore from "ignore";
import type { Ignore } from "ignore";
import { runHelper } from "../processes/run-helper.js";
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
const GIT_TIMEOUT_MS = 20_000;

/**
 * Lists what is below a folder by git's ignore rules: as git itself sees it, or by the .gitignore files where git
 * is missing or the folder is in no repository. A folder that is itself ignored is listed without rules.
 */
export async function listTree(folder: string, options: ListingOptions): Promise<TreeListing> {
  const { ignored, inRepository, rules } = await ignoreState(folder, options);
  if (ignored) return walk(folder, undefined, options.signal);
  return (inRepository ? await listByGit(folder, options) : undefined) ?? walk(folder, rules, options.signal);
}

export interface IgnoreState {
  /** The rules exclude the path itself. */
  ignored: boolean;
  inRepository: boolean;
  /** The .gitignore files above the path, for a folder that git does not know. */
  rules: Rules[];
}

export async function ignoreState(path: string, { root, env, signal }: ListingOptions): Promise<IgnoreState> {
  const heavy = relative(root, path)
    .split(sep)
    .some((name) => HEAVY_FOLDERS.includes(name));
  const git = (folder: string, args: string[]): Promise<string[] | undefined> =>
    runGit(folder, args, env, signal);
  const isFolder = (await lstat(path)).isDirectory();
  const prefix = await git(isFolder ? path : dirname(path), ["rev-parse", "--show-prefix"]);
  if (prefix !== undefined) {
    // The root of a repository is ruled by none, even if another repository round it ignores it.
    const isRepositoryRoot = isFolder && prefix.join("").trim() === "";
    const listed = isRepositoryRoot
      ? []
      : await git(dirname(path), ["check-ignore", "--", `./${basename(path)}`]);
    return { ignored: heavy || (listed ?? []).length > 0, inRepository: true, rules: [] };
  }
  const rules = await rulesAbove(path, root);
  return {
    ignored: heavy || rules === "ignored",
    inRepository: false,
    rules: rules === "ignored" ? [] : rules,
  };
}

async function listByGit(folder: string, { env, signal }: ListingOptions): Promise<TreeListing | undefined> {
  const heavy = HEAVY_FOLDERS.map((name) => `--exclude=${name}`);
  const rules = ["--exclude-standard", ...heavy];
  const [entries, skipped] = await Promise.all([
    runGit(folder, ["ls-files", "-z", "-t", "--cached", "--others", "--deleted", ...rules], env, signal),
    runGit(folder, ["ls-files", "-z", "--others", "--ignored", "--directory", ...rules], env, signal),
  ]);
  if (entries === undefined || skipped === undefined) return undefined;
  const present = new Set<string>();
  const absent = new Set<string>();
  for (const entry of entries) {
    const [tag, path] = [entry[0], entry.slice(2)];
    // R: deleted from the disk. S: left out by a sparse checkout.
    if (tag === "R" || tag === "S") absent.add(path);
    else if (!path.split("/").some((name) => HEAVY_FOLDERS.includes(name))) present.add(path);
  }
  const files = [...present].filter((path) => !absent.has(path)).sort(comparePaths);
  return {
    files: files.slice(0, MAX_FILES),
    skipped: skipped.sort(comparePaths),
    unreadable: [],
    truncated: files.length > MAX_FILES,
  };
}

/**
 * A repository comes from anywhere, and looking at it must run nothing that it names: no monitor program, no bare
 * repository planted in a folder, and (in the environment below) no transport that fetches missing objects.
 */
const GIT_SETTINGS = ["core.fsmonitor=false", "core.untrackedCache=false", "safe.bareRepository=explicit"];

/** The NUL-separated output of a read-only git command; undefined if git fails or is missing. */
async function runGit(
  cwd: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<string[] | undefined> {
  const chunks: Buffer[] = [];
  try {
    const { code } = await runHelper({
      argv: ["git", ...GIT_SETTINGS.flatMap((setting) => ["-c", setting]), ...args],
      cwd,
      env: gitEnvironment(env),
      signal,
      timeoutMs: GIT_TIMEOUT_MS,
      onStdout: (chunk) => {
        chunks.push(chunk);
        return true;
      },
    });
    // check-ignore ends with 1 if nothing is ignored.
    if (code !== 0 && code !== 1) return undefined;
  } catch (error) {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "EACCES") return undefined;
    throw error;
  }
  return Buffer.concat(chunks)
    .toString("utf8")
    .split("\0")
    .filter((entry) => entry !== "");
}

/** Without variables that point git at another repository or make it run something. */
function gitEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !name.startsWith("GIT_"));
  return {
    ...Object.fromEntries(kept),
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: "none",
  };
}

/** The rules of one .gitignore, for paths below its folder. */
interface Rules {
  folder: string;
  matcher: Ignore;
}

/** The .gitignore files from the root down to above the path, unless they exclude it. */
async function rulesAbove(path: string, root: string): Promise<Rules[] | "ignored"> {
  const names = path === root || !path.startsWith(root + sep) ? [] : relative(root, path).split(sep);
  const rules: Rules[] = [];
  let at = root;
  for (const name of names) {
    const own = await rulesOf(at);
    if (own !== undefined) rules.push(own);
    at = join(at, name);
    if (matches(rules, at, true)) return "ignored";
  }
  return rules;
}

async function rulesOf(folder: string): Promise<Rules | undefined> {
  try {
    const text = await readFile(join(folder, ".gitignore"), "utf8");
    return { folder, matcher: ignore().add(text) };
  } catch {
    // None, or none that can be read: no rules.
    return undefined;
  }
}

/** Walks without following links; `inherited` undefined means that nothing is ignored but heavy folders. */
async function walk(root: string, inherited: Rules[] | undefined, signal: AbortSignal): Promise<TreeListing> {
  const listing: TreeListing = { files: [], skipped: [], unreadable: [], truncated: false };

  async function visit(folder: string, above: Rules[] | undefined): Promise<void> {
    signal.throwIfAborted();
    const own = above === undefined ? undefined : await rulesOf(folder);
    const rules = own === undefined ? above : [...(above ?? []), own];
    let entries;
    try {
      entries = await readdir(folder, { withFileTypes: true });
    } catch (error) {
      if (errorCode(error) !== "EACCES" && errorCode(error) !== "EPERM") throw error;
      listing.unreadable.push(toSlashes(relative(root, folder)) || ".");
      return;
    }
    for (const entry of entries) {
      if (listing.files.length >= MAX_FILES) {
        listing.truncated = true;
        return;
      }
      const path = join(folder, entry.name);
      const shown = toSlashes(relative(root, path));
      const isFolder = entry.isDirectory();
      const heavy = isFolder && HEAVY_FOLDERS.includes(entry.name);
      if (heavy || (rules !== undefined && matches(rules, path, isFolder))) {
        if (entry.name !== ".git") listing.skipped.push(isFolder ? `${shown}/` : shown);
      } else if (isFolder) {
        await visit(path, rules);
      } else if (entry.isFile() || entry.isSymbolicLink()) {
        listing.files.push(shown);
      }
    }
  }

  await visit(root, inherited);
  listing.files.sort(comparePaths);
  listing.skipped.sort(comparePaths);
  return listing;
}

/** The deepest .gitignore that says anything about the path decides. */
function matches(rules: readonly Rules[], path: string, isFolder: boolean): boolean {
  for (const { folder, matcher } of rules.toReversed()) {
    const inside = toSlashes(relative(folder, path));
    const result = matcher.test(isFolder ? `${inside}/` : inside);
    if (result.ignored || result.unignored) return result.ignored;
  }
  return false;
}

function toSlashes(path: string): string {
  return sep === "/" ? path : path.replaceAll(sep, "/");
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
