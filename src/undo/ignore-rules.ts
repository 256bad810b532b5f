import { readFileSync } from "node:fs";
import ignore from "ignore";
import type { Ignore } from "ignore";
import { writeProtection } from "../permissions/protected-paths.js";
import { HEAVY_FOLDERS } from "../tools/file-listing.js";

/** The rules for what lies below one folder; the deepest that says anything about a path decides. */
export interface IgnoreRules {
  above: IgnoreRules | undefined;
  /** Of the folder of the .gitignore, relative to where paths begin, with "/" at its end unless it is empty. */
  prefix: string;
  /** The text of the .gitignore. */
  text: string;
  matcher: Ignore;
}

/** Rules of earlier looks, by the path of the file: a matcher remembers what it has matched. */
export type KnownRules = Map<string, IgnoreRules>;

/** The rules of a .gitignore added to those above it; `above` alone if there is none that can be read. */
export function addRules(
  known: KnownRules,
  above: IgnoreRules | undefined,
  path: string | Buffer,
  prefix: string,
): IgnoreRules | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    // None, a folder, or not ours to read: no rules, as with git.
    return above;
  }
  const key = path.toString();
  const same = known.get(key);
  if (same?.text === text && same.above === above) return same;
  const ignorecase = process.platform !== "linux";
  const matcher = ignore({ ignorecase, allowRelativePaths: true }).add(text);
  const rules = { above, prefix, text, matcher };
  known.set(key, rules);
  return rules;
}

/** @param path with "/" between names, from where the prefixes begin */
export function isIgnored(rules: IgnoreRules | undefined, path: string, isFolder: boolean): boolean {
  for (let level = rules; level !== undefined; level = level.above) {
    const below = path.slice(level.prefix.length);
    const { ignored, unignored } = level.matcher.test(isFolder ? `${below}/` : below);
    if (ignored || unignored) return ignored;
  }
  return false;
}

const NEVER_COVERED = new Set(HEAVY_FOLDERS);
/** The names that `writeProtection` could deny: all begin so, or have characters that some file systems fold. */
const MAY_BE_PROTECTED = /^[.g]|[^\x20-\x7e]/i;

/** Repositories' own files, installed packages, caches, and what the agent may never write. */
export function isNeverCovered(name: string): boolean {
  return NEVER_COVERED.has(name) || (MAY_BE_PROTECTED.test(name) && writeProtection(name) === "deny");
}
