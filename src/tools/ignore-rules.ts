import { lstat, readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, relative, sep } from "node:path";
import { lastWord, parseIgnorePatterns } from "./ignore-pattern.js";
import type { IgnorePattern } from "./ignore-pattern.js";

/** The rules of one file, for paths below a folder. */
export interface Rules {
  folder: string;
  patterns: IgnorePattern[];
}

/** As git is set up by default on these systems, whose file systems do not tell "A" from "a". */
export const FOLDS_CASE = process.platform === "darwin" || process.platform === "win32";

/** The rules of a folder's own .gitignore, if it has one. */
export async function rulesOf(folder: string): Promise<Rules | undefined> {
  return readRules(folder, join(folder, ".gitignore"));
}

/** The rules that a repository has beside its .gitignore files, the weakest first: the user's, and its own. */
export async function rulesOfRepository(folder: string, env: NodeJS.ProcessEnv): Promise<Rules[]> {
  const home = env["HOME"] ?? homedir();
  const settings = env["XDG_CONFIG_HOME"] || join(home, ".config");
  const files = [join(settings, "git", "ignore"), join(folder, ".git", "info", "exclude")];
  const rules = await Promise.all(files.map((file) => readRules(folder, file)));
  return rules.filter((found) => found !== undefined);
}

async function readRules(folder: string, file: string): Promise<Rules | undefined> {
  try {
    const text = (await readFile(file, "utf8")).replace(/^\uFEFF/, "");
    return { folder, patterns: parseIgnorePatterns(text, FOLDS_CASE) };
  } catch {
    // None, or none that can be read: no rules.
    return undefined;
  }
}

/** All rules from the root of the repository (or from `root`, outside of any) down to above the path, unless they exclude it. */
export async function rulesAbove(
  path: string,
  root: string,
  env: NodeJS.ProcessEnv,
): Promise<Rules[] | "ignored"> {
  const repository = await repositoryOf(dirname(path));
  const top = repository ?? root;
  const rules = repository === undefined ? [] : await rulesOfRepository(repository, env);
  if (path === top || !path.startsWith(top.endsWith(sep) ? top : top + sep)) return rules;
  let at = top;
  for (const name of relative(top, path).split(sep)) {
    const own = await rulesOf(at);
    if (own !== undefined) rules.push(own);
    at = join(at, name);
    if (excludes(rules, at, true)) return "ignored";
  }
  return rules;
}

/** The folder with a ".git" in it that the folder belongs to. */
async function repositoryOf(folder: string): Promise<string | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    try {
      await lstat(join(at, ".git"));
      return at;
    } catch {
      if (dirname(at) === at) return undefined;
    }
  }
}

/** The last rules that say anything about the path decide: those of the deepest .gitignore. Its folders are not looked at. */
export function excludes(rules: readonly Rules[], path: string, isFolder: boolean): boolean {
  for (const { folder, patterns } of rules.toReversed()) {
    const word = lastWord(patterns, toSlashes(relative(folder, path)), isFolder);
    if (word !== undefined) return word === "ignored";
  }
  return false;
}

export function toSlashes(path: string): string {
  return sep === "/" ? path : path.replaceAll(sep, "/");
}
