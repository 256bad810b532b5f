import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { MAX_AGE_DAYS, MAX_TOTAL_BYTES, MAX_TURNS } from "./limits.js";
import { scanFile, scanNames } from "./scan-store.js";

/** Where everything of one workspace lies. */
export interface StoreFolders {
  /** Change sets. */
  sets: string;
  /** Scans and their contents, which all sessions share. */
  scans: string;
}

export function storeFolders(workspaceFolder: string): StoreFolders {
  return { sets: join(workspaceFolder, "changes"), scans: join(workspaceFolder, "scans") };
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** What some process uses has been touched since. */
const IN_USE_MS = DAY_MS;

interface Item {
  /** Its files. */
  paths: string[];
  bytes: number;
  /** Of the newest file. */
  at: number;
}

/**
 * Takes away what is too old or too much, of all workspaces, the oldest first. Nothing that was used within a day goes,
 * but for change sets beyond the limits. Returns how many change sets of `own` went.
 *
 * @param undoFolder holds a folder for each workspace
 * @param own name of the workspace's folder in it
 */
export function cleanStores(undoFolder: string, own: string, now = Date.now()): number {
  const stores = namesIn(undoFolder).map((name) => ({ name, ...storeFolders(join(undoFolder, name)) }));
  const sets = stores.flatMap(({ name, sets: folder }) =>
    changeSets(folder).map((item) => ({ ...item, isOwn: name === own })),
  );
  for (const { scans } of stores) cleanScans(scans, now);
  let total = sets.reduce((sum, { bytes }) => sum + bytes, 0);
  for (const { scans } of stores) total += bytesIn(scans);
  let count = sets.filter(({ isOwn }) => isOwn).length;
  let removed = 0;
  for (const { paths, bytes, at, isOwn } of sets.sort((a, b) => a.at - b.at)) {
    const old = now - at > MAX_AGE_DAYS * DAY_MS;
    if (!old && total <= MAX_TOTAL_BYTES && !(isOwn && count > MAX_TURNS)) continue;
    remove(paths);
    total -= bytes;
    if (isOwn) count--;
    if (isOwn && paths.some((path) => path.endsWith(".json"))) removed++;
  }
  for (const { name } of stores) if (name !== own) removeIfUnused(join(undoFolder, name), now);
  return removed;
}

/** The files of each change set. */
function changeSets(folder: string): Item[] {
  const items = new Map<string, Item>();
  for (const name of namesIn(folder)) {
    const id = name.slice(0, name.indexOf("."));
    const path = join(folder, name);
    const { size = 0, mtimeMs = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
    const item = items.get(id) ?? { paths: [], bytes: 0, at: 0 };
    items.set(id, { paths: [...item.paths, path], bytes: item.bytes + size, at: Math.max(item.at, mtimeMs) });
  }
  return [...items.values()];
}

/** Of the scans only the newest is of use, and those of sessions that are still at work. */
function cleanScans(folder: string, now: number): void {
  const scans = scanNames(folder)
    .map((name) => scanFile(folder, name))
    .map((path) => ({ path, at: modifiedAt(path) }))
    .sort((a, b) => b.at - a.at);
  const kept = scans.filter(({ at }, index) => index === 0 || now - at <= IN_USE_MS);
  const packs = new Set(kept.flatMap(({ path }) => packsOf(path)));
  for (const name of namesIn(folder)) {
    const path = join(folder, name);
    const isKept = packs.has(name) || kept.some((scan) => scan.path === path);
    if (!isKept && now - modifiedAt(path) > IN_USE_MS) remove([path]);
  }
}

const packList = z.object({ packs: z.array(z.string()) });

function packsOf(scan: string): string[] {
  try {
    return packList.parse(JSON.parse(readFileSync(scan, "utf8"))).packs;
  } catch {
    // A scan that cannot be read needs none.
    return [];
  }
}

/** A workspace that has not been worked in for so long has no change sets left either. */
function removeIfUnused(folder: string, now: number): void {
  const { scans, sets } = storeFolders(folder);
  const newest = Math.max(0, ...namesIn(scans).map((name) => modifiedAt(join(scans, name))));
  if (namesIn(sets).length > 0 || now - newest <= MAX_AGE_DAYS * DAY_MS) return;
  rmSync(folder, { recursive: true, force: true });
}

function bytesIn(folder: string): number {
  return namesIn(folder).reduce(
    (sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

/** Empty for a folder that is not there. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function modifiedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** Another session may be cleaning at the same time. */
function remove(paths: readonly string[]): void {
  for (const path of paths) rmSync(path, { force: true });
}
