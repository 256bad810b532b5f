import { readFileSync } from "node:fs";
import { writeProtection } from "../permissions/protected-paths.js";
import { HEAVY_FOLDERS } from "../tools/file-listing.js";
import { lastWord, parseIgnorePatterns } from "../tools/ignore-pattern.js";
import type { IgnorePattern } from "../tools/ignore-pattern.js";
import { FOLDS_CASE } from "../tools/ignore-rules.js";

/** The rules for what lies below one folder; the deepest that says anything about a path decides. */
export interface IgnoreRules {
  above: IgnoreRules | undefined;
  /** Of the folder of the .gitignore, relative to where paths begin, with "/" at its end unless it is empty. */
  prefix: string;
  /** The text of the .gitignore. */
  text: string;
  patterns: readonly IgnorePattern[];
  /** What it has said of paths so far; folders end in "/". */
  said: Map<string, ReturnType<typeof lastWord>>;
}

/** Rules of earlier looks, by the path of the file: they remember what they have said. */
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
  const patterns = parseIgnorePatterns(text.replace(/^\uFEFF/, ""), FOLDS_CASE);
  const rules = { above, prefix, text, patterns, said: new Map<string, ReturnType<typeof lastWord>>() };
  known.set(key, rules);
  return rules;
}

/** @param path with "/" between names, from where the prefixes begin */
export function isIgnored(rules: IgnoreRules | undefined, path: string, isFolder: boolean): boolean {
  for (let level = rules; level !== undefined; level = level.above) {
    const word = wordOf(level, path.slice(level.prefix.length), isFolder);
    if (word !== undefined) return word === "ignored";
  }
  return false;
}

function wordOf(
  { patterns, said }: IgnoreRules,
  path: string,
  isFolder: boolean,
): ReturnType<typeof lastWord> {
  const key = isFolder ? `${path}/` : path;
  if (!said.has(key)) said.set(key, lastWord(patterns, path, isFolder));
  return said.get(key);
}

const NEVER_COVERED = new Set(HEAVY_FOLDERS);
/** The names that `writeProtection` could deny: all begin so, or have characters that some file systems fold. */
const MAY_BE_PROTECTED = /^[.g]|[^\x20-\x7e]/i;

/** Repositories' own files, installed packages, caches, and what the agent may never write. */
export function isNeverCovered(name: string): boolean {
  return NEVER_COVERED.has(name) || (MAY_BE_PROTECTED.test(name) && writeProtection(name) === "deny");
}
