import { readdirSync, readFileSync, rmdirSync, rmSync, statSync } from "node:fs";
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

/** Names of the files that are ours; no other is ever removed. */
const OWN_FILE =
  /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.(?:json|pack|draft|scan\.json)(?:\.\d+\.tmp)?$/;

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
  for (const { name, scans } of stores) cleanScans(scans, name === own, now);
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
  for (const { name } of stores) if (name !== own) removeEmpty(join(undoFolder, name));
  return removed;
}

/** The files of each change set. */
function changeSets(folder: string): Item[] {
  const items = new Map<string, Item>();
  for (const name of ownFilesIn(folder)) {
    const id = name.slice(0, name.indexOf("."));
    const path = join(folder, name);
    const { size = 0, mtimeMs = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
    const item = items.get(id) ?? { paths: [], bytes: 0, at: 0 };
    items.set(id, { paths: [...item.paths, path], bytes: item.bytes + size, at: Math.max(item.at, mtimeMs) });
  }
  return [...items.values()];
}

/**
 * Of the scans only the newest is of use, and those of sessions that are still at work; of a workspace that nobody works
 * in any more, none.
 */
function cleanScans(folder: string, isOwn: boolean, now: number): void {
  const scans = scanNames(folder)
    .map((name) => scanFile(folder, name))
    .map((path) => ({ path, at: modifiedAt(path) }))
    .sort((a, b) => b.at - a.at);
  const kept = scans.filter(({ at }, index) => {
    const newest = index === 0 && (isOwn || now - at <= MAX_AGE_DAYS * DAY_MS);
    return newest || now - at <= IN_USE_MS;
  });
  const packs = new Set(kept.flatMap(({ path }) => packsOf(path)));
  for (const name of ownFilesIn(folder)) {
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

/** Takes away the folders of a workspace of which nothing is kept; one that holds anything stays. */
function removeEmpty(folder: string): void {
  const { sets, scans } = storeFolders(folder);
  for (const path of [sets, scans, folder]) {
    try {
      rmdirSync(path);
    } catch {
      // Something is in it, or it is not there.
    }
  }
}

function bytesIn(folder: string): number {
  return ownFilesIn(folder).reduce(
    (sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

function ownFilesIn(folder: string): string[] {
  return namesIn(folder).filter((name) => OWN_FILE.test(name));
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
