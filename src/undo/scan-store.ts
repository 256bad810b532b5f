import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync, rmSync, statSync, utimesSync } from "node:fs";
import { basename, join } from "node:path";
import { z } from "zod";
import { writeWhole } from "./change-set.js";
import type { PathKey } from "./path-key.js";
import { withoutContent } from "./path-state.js";
import type { ScannedState, ScannedStates } from "./scan.js";

const place = { path: z.string(), mode: z.number() };

const savedScan = z.object({
  v: z.literal(1),
  /** File names of the packs; a kept content names its pack by its number here. */
  packs: z.array(z.string()),
  folders: z.array(z.object(place)),
  links: z.array(z.object({ path: z.string(), target: z.string() })),
  files: z.array(
    z.object({
      ...place,
      size: z.number(),
      stamp: z.string(),
      settled: z.literal(true).optional(),
      hash: z.string().optional(),
      kept: z.tuple([z.number(), z.number()]).optional(),
    }),
  ),
});

/** Much more packs, or bytes in them, than what is in use: everything is read anew into one pack. */
const MAX_PACKS = 64;
const MAX_WASTE = { factor: 2, bytes: 64 * 1024 * 1024 };

const ENDING = ".scan.json";

/** What scans of a workspace found, in a folder that all its sessions share; each file is written once. */
export interface ScanStore {
  /** The newest scan; empty if there is none that is worth going on from. */
  load(): ScannedStates;
  /** Marks the contents as in use, so that cleaning spares them; those that are gone have yet to be read again. */
  use(states: ScannedStates): ScannedStates;
  /** What a scan of that name found; undefined if it is gone. */
  read(name: string): ScannedStates | undefined;
  /** Returns the name. */
  save(states: ScannedStates): string;
  remove(name: string): void;
  /** A new pack for contents. */
  newPack(): string;
}

export function createScanStore(folder: string): ScanStore {
  const pathOf = (name: string): string => scanFile(folder, name);

  function read(name: string): ScannedStates | undefined {
    try {
      return fromSaved(savedScan.parse(JSON.parse(readFileSync(pathOf(name), "utf8"))), folder);
    } catch {
      // Gone, torn or of a newer version: there is nothing to go on from.
      return undefined;
    }
  }

  return {
    read,
    load() {
      const newest = scanNames(folder)
        .map((name) => ({ name, at: modifiedAt(pathOf(name)) }))
        .sort((a, b) => b.at - a.at)[0];
      const states = (newest && read(newest.name)) ?? new Map<PathKey, ScannedState>();
      return isWasteful(states) ? new Map() : states;
    },
    use(states) {
      const gone = new Set([...packsOf(states).keys()].filter((pack) => !touch(pack)));
      return gone.size === 0
        ? states
        : new Map([...states].map(([path, state]) => [path, without(state, gone)]));
    },
    save(states) {
      const name = randomUUID();
      writeWhole(pathOf(name), JSON.stringify(toSaved(states)));
      return name;
    },
    remove: (name) => rmSync(pathOf(name), { force: true }),
    newPack: () => join(folder, `${randomUUID()}.pack`),
  };
}

/** The file of a saved scan. */
export function scanFile(folder: string, name: string): string {
  return join(folder, name + ENDING);
}

/** Names of the saved scans in a folder. */
export function scanNames(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(ENDING))
      .map((name) => name.slice(0, -ENDING.length));
  } catch {
    // The first scan makes the folder.
    return [];
  }
}

/** The packs of all contents, each with the bytes that are used of it. */
function packsOf(states: ScannedStates): Map<string, number> {
  const packs = new Map<string, number>();
  for (const state of states.values()) {
    if (state.kind !== "file" || state.kept === undefined) continue;
    packs.set(state.kept.pack, (packs.get(state.kept.pack) ?? 0) + state.size);
  }
  return packs;
}

function isWasteful(states: ScannedStates): boolean {
  const packs = packsOf(states);
  let [used, bytes] = [0, 0];
  for (const [pack, usedBytes] of packs) {
    used += usedBytes;
    bytes += statSync(pack, { throwIfNoEntry: false })?.size ?? 0;
  }
  return packs.size > MAX_PACKS || bytes > MAX_WASTE.factor * used + MAX_WASTE.bytes;
}

function without(state: ScannedState, gone: ReadonlySet<string>): ScannedState {
  if (state.kind !== "file" || state.kept === undefined || !gone.has(state.kept.pack)) return state;
  return withoutContent(state);
}

/** False if there is no such file. */
function touch(path: string): boolean {
  const now = new Date();
  try {
    utimesSync(path, now, now);
    return true;
  } catch {
    return false;
  }
}

function toSaved(states: ScannedStates): z.input<typeof savedScan> {
  const packs: string[] = [];
  const numbers = new Map<string, number>();
  const numberOf = (pack: string): number => {
    const number = numbers.get(pack) ?? packs.push(basename(pack)) - 1;
    numbers.set(pack, number);
    return number;
  };
  const saved: z.input<typeof savedScan> = { v: 1, packs, folders: [], links: [], files: [] };
  for (const [path, state] of states) {
    switch (state.kind) {
      case "folder":
        saved.folders.push({ path, mode: state.mode });
        break;
      case "link":
        saved.links.push({ path, target: state.target });
        break;
      case "file": {
        const { mode, size, stamp, hash, settled, kept } = state;
        saved.files.push({
          path,
          mode,
          size,
          stamp,
          ...(hash !== undefined && { hash }),
          ...(settled && { settled }),
          ...(kept && { kept: [numberOf(kept.pack), kept.offset] }),
        });
        break;
      }
    }
  }
  return saved;
}

function fromSaved(
  { packs, folders, links, files }: z.output<typeof savedScan>,
  folder: string,
): ScannedStates {
  const states = new Map<PathKey, ScannedState>();
  for (const { path, mode } of folders) states.set(path, { kind: "folder", mode });
  for (const { path, target } of links) states.set(path, { kind: "link", target });
  const paths = packs.map((name) => join(folder, basename(name)));
  for (const { path, kept, mode, size, stamp, hash, settled } of files) {
    const [number = -1, offset = 0] = kept ?? [];
    const pack = paths[number];
    states.set(path, {
      kind: "file",
      mode,
      size,
      stamp,
      ...(hash !== undefined && { hash }),
      ...(pack !== undefined && { kept: { pack, offset } }),
      ...(settled && { settled }),
    });
  }
  return states;
}

/** 0 if there is nothing. */
function modifiedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
