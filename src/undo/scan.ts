import type { Dirent, Stats } from "node:fs";
import { existsSync, readdirSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { errorCode } from "../tools/tool-failure.js";
import { addRules, isIgnored, isNeverCovered } from "./ignore-rules.js";
import type { IgnoreRules, KnownRules } from "./ignore-rules.js";
import type { ScanLimits } from "./limits.js";
import { MAX_FILE_BYTES } from "./limits.js";
import { createPace } from "./pace.js";
import { pathOf, displayOf, parentOf } from "./path-key.js";
import type { PathKey } from "./path-key.js";
import type { PathState } from "./path-state.js";
import { sameState, stampOf } from "./path-state.js";
import { stateOf, statsOf } from "./read-state.js";
import type { Keep } from "./read-state.js";

/** What lies at a path; `settled`: as long as its stamp is the same, so is its content. */
export type ScannedState = Exclude<PathState, { kind: "absent" }> & { settled?: true };

export type ScannedStates = ReadonlyMap<PathKey, ScannedState>;

/** The workspace at one moment, but for what its ignore rules leave out. */
export interface Scan {
  kind: "whole";
  states: ScannedStates;
  /** Whether the rules of that moment left the path out, or it could not be looked at. */
  leftOut(path: PathKey, isFolder: boolean): boolean;
}

/** The workspace is larger than what can be covered. */
export interface GivenUp {
  kind: "too-large";
  /** A clause. */
  because: string;
  /** What was read until then. */
  states: ScannedStates;
}

export interface ScanOptions {
  /** Real path. */
  root: string;
  /** What an earlier scan found: what was settled and has the same stamp is not read again. */
  known: ScannedStates;
  /** Kept between scans, to be quick. */
  knownRules: KnownRules;
  keep: Keep;
  /** A folder of ours, which may lie in the workspace. */
  ownFolder: string;
  limits: ScanLimits;
  signal?: AbortSignal | undefined;
}

/**
 * Milliseconds for which a file must have been left alone before it was read. File systems note times in steps of up
 * to two seconds, so that a younger file may change without another stamp.
 */
const SETTLE_MS = 2_000;

/**
 * Looks through the workspace and reads what may have changed. Rejects with the signal's reason, and with what `keep`
 * throws.
 */
export async function scanWorkspace(options: ScanOptions): Promise<Scan | GivenUp> {
  const { root, known, keep, limits, signal } = options;
  const pace = createPace(limits.milliseconds, signal);
  const listing = await listWorkspace(options, pace);
  const { states, unread, unreadable, tooLarge } = listing;
  if (tooLarge !== undefined) return { kind: "too-large", because: tooLarge, states };
  for (const [path, stats] of unread) {
    if (await pace()) return { kind: "too-large", because: tooSlow(limits), states };
    const readAt = Date.now();
    const state = stateOf(pathOf(root, path), stats, keep);
    if (state === undefined || state.kind === "absent") continue;
    const earlier = known.get(path);
    if (state.kind !== "file") {
      states.set(path, earlier !== undefined && sameState(earlier, state) ? earlier : state);
      continue;
    }
    const settled = Math.max(stats.mtimeMs, stats.ctimeMs) < readAt - SETTLE_MS;
    states.set(path, settled ? { ...state, settled } : state);
  }
  if (unreadable.size > 0) {
    // What could not be looked at counts as unchanged, not as gone.
    for (const [path, state] of known) if (isBelow(path, unreadable)) states.set(path, state);
  }
  return {
    kind: "whole",
    states,
    leftOut: (path, isFolder) => isBelow(path, unreadable) || isExcluded(path, isFolder, listing),
  };
}

function tooSlow({ milliseconds }: ScanLimits): string {
  return `looking through it takes longer than ${milliseconds / 1000} s`;
}

interface Listing {
  /** What is known without reading. */
  states: Map<PathKey, ScannedState>;
  /** What has yet to be read, with what `lstat` says of it. */
  unread: [PathKey, Stats][];
  /** The rules for what lies in a folder. */
  rulesAt: Map<PathKey, IgnoreRules | undefined>;
  /** From where the rules count to the workspace, with "/" at its end unless it is empty. */
  base: string;
  unreadable: Set<PathKey>;
  /** Why it was given up. */
  tooLarge?: string;
}

/** Every covered path. The sizes are known before anything is read. */
async function listWorkspace(
  { root, known, knownRules, ownFolder, limits }: ScanOptions,
  pace: () => Promise<boolean>,
): Promise<Listing> {
  const { rules, base } = rulesAbove(root, knownRules);
  const states = new Map<PathKey, ScannedState>();
  const unread: [PathKey, Stats][] = [];
  const unreadable = new Set<PathKey>();
  const listing: Listing = { states, unread, rulesAt: new Map(), base, unreadable };
  let bytes = 0;
  const folders: { path: PathKey; above: IgnoreRules | undefined }[] = [{ path: "", above: rules }];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    if (await pace()) return { ...listing, tooLarge: tooSlow(limits) };
    const { path } = next;
    const folder = pathOf(root, path);
    const entries = entriesOf(folder);
    if (entries === undefined) {
      unreadable.add(path);
      continue;
    }
    const prefix = path === "" ? "" : `${path}/`;
    const shown = base + displayOf(prefix);
    const hasRules = entries.some((entry) => entry.name === ".gitignore");
    const rulesFile = pathOf(root, `${prefix}.gitignore`);
    const inside = hasRules ? addRules(knownRules, next.above, rulesFile, shown) : next.above;
    listing.rulesAt.set(path, inside);
    for (const entry of entries) {
      const name = displayOf(entry.name);
      if (isNeverCovered(name) || isIgnored(inside, shown + name, entry.isDirectory())) continue;
      const key = prefix + entry.name;
      const place = pathOf(root, key);
      const stats = place === ownFolder ? undefined : statsOf(place);
      if (stats === undefined) continue;
      const earlier = known.get(key);
      const same = stats.isFile() && earlier?.kind === "file" && earlier.settled;
      if (same && earlier.stamp === stampOf(stats)) states.set(key, earlier);
      else unread.push([key, stats]);
      if (stats.isDirectory()) folders.push({ path: key, above: inside });
      if (stats.isFile() && stats.size <= MAX_FILE_BYTES) bytes += stats.size;
    }
    if (states.size + unread.length > limits.entries) {
      return { ...listing, tooLarge: `it has more than ${limits.entries} files and folders` };
    }
    if (bytes > limits.bytes) {
      const most = limits.bytes / 1024 / 1024;
      return { ...listing, tooLarge: `its files have more than ${most} MB together` };
    }
  }
  return listing;
}

/** Undefined if the folder may not be read; empty if it is gone. */
function entriesOf(folder: string | Buffer): Dirent[] | undefined {
  try {
    return readdirSync(folder, { encoding: "latin1", withFileTypes: true });
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    if (code === "EACCES" || code === "EPERM") return undefined;
    throw error;
  }
}

/** The rules of the repository that the workspace lies in, unless they exclude the workspace as a whole. */
function rulesAbove(root: string, known: KnownRules): { rules: IgnoreRules | undefined; base: string } {
  const none = { rules: undefined, base: "" };
  let top = root;
  while (!existsSync(join(top, ".git"))) {
    if (dirname(top) === top) return none;
    top = dirname(top);
  }
  let rules = addRules(known, undefined, join(top, ".git", "info", "exclude"), "");
  let base = "";
  for (const name of relative(top, root).split(sep).filter(Boolean)) {
    rules = addRules(known, rules, join(top, base, ".gitignore"), base);
    base += `${name}/`;
    if (isIgnored(rules, base.slice(0, -1), true)) return none;
  }
  return { rules, base };
}

function isBelow(path: PathKey, folders: ReadonlySet<PathKey>): boolean {
  for (let folder = path; folders.size > 0 && folder !== "";) {
    folder = parentOf(folder);
    if (folders.has(folder)) return true;
  }
  return false;
}

/** By the rules of the deepest folder that was looked into. */
function isExcluded(path: PathKey, isFolder: boolean, { rulesAt, base }: Listing): boolean {
  let folder = parentOf(path);
  while (!rulesAt.has(folder) && folder !== "") folder = parentOf(folder);
  const rules = rulesAt.get(folder);
  for (let end = folder === "" ? 0 : folder.length + 1; end < path.length;) {
    const begin = end;
    const slash = path.indexOf("/", begin);
    end = slash === -1 ? path.length : slash;
    const whole = displayOf(path.slice(0, end));
    if (isNeverCovered(displayOf(path.slice(begin, end)))) return true;
    if (isIgnored(rules, base + whole, isFolder || slash !== -1)) return true;
    end++;
  }
  return false;
}
