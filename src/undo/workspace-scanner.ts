import { existsSync } from "node:fs";
import { createPack } from "./pack.js";
import type { PackWriter } from "./pack.js";
import type { Kept } from "./path-state.js";
import type { KnownRules } from "./ignore-rules.js";
import type { ScanLimits } from "./limits.js";
import { scanWorkspace } from "./scan.js";
import type { GivenUp, Scan, ScannedStates } from "./scan.js";
import type { ScanStore } from "./scan-store.js";

/** Scans of one workspace, each as quick as what it has to read anew. */
export interface WorkspaceScanner {
  /**
   * Rejects with the signal's reason, or with what the file system reports of the store. A workspace that was too
   * large once, and a store that failed once, are not tried again.
   */
  scan(signal: AbortSignal | undefined): Promise<Scan | GivenUp>;
  /** Keeps what the scan found beyond this process; returns its name. */
  save(scan: Scan): string;
  /** Keeps what the newest scan found, for the sessions to come. */
  saveNewest(): void;
}

export interface WorkspaceScannerOptions {
  root: string;
  /** Of everything that undo keeps. */
  ownFolder: string;
  store: ScanStore;
  limits: ScanLimits;
  /** Why the workspace is not to be scanned at all. */
  off?: string | undefined;
}

export function createWorkspaceScanner({
  root,
  ownFolder,
  store,
  limits,
  off,
}: WorkspaceScannerOptions): WorkspaceScanner {
  let known: ScannedStates | undefined;
  let saved: { name: string; states: ScannedStates } | undefined;
  let pack: PackWriter | undefined;
  const keptByHash = new Map<string, Kept>();
  const knownRules: KnownRules = new Map();
  let gaveUp: GivenUp | undefined = off === undefined ? undefined : giveUp(off);

  /** What is known from before, and where its contents are; another session may have cleaned them away. */
  function recall(): ScannedStates {
    const states = store.use(known ?? store.load());
    if (states === known && (pack === undefined || existsSync(pack.path))) return states;
    pack?.close();
    pack = undefined;
    saved = undefined;
    keptByHash.clear();
    for (const state of states.values()) {
      if (state.kind === "file" && state.hash !== undefined && state.kept)
        keptByHash.set(state.hash, state.kept);
    }
    return states;
  }

  function keep(bytes: Buffer, hash: string): Kept {
    pack ??= createPack(store.newPack());
    const kept = keptByHash.get(hash) ?? pack.append(bytes);
    keptByHash.set(hash, kept);
    return kept;
  }

  function save(states: ScannedStates): string {
    if (saved?.states !== states) {
      const name = store.save(states);
      if (saved !== undefined) store.remove(saved.name);
      saved = { name, states };
    }
    return saved.name;
  }

  return {
    async scan(signal) {
      if (gaveUp !== undefined) return gaveUp;
      try {
        known = recall();
        const scan = await scanWorkspace({ root, known, knownRules, keep, ownFolder, limits, signal });
        pack?.flush();
        if (scan.kind === "whole") {
          if (!isSame(known, scan.states)) known = scan.states;
          return { ...scan, states: known };
        }
        if (scan.states.size > 0) store.save(new Map([...known, ...scan.states]));
        gaveUp = scan;
        return scan;
      } catch (error) {
        if (signal?.aborted !== true) gaveUp = giveUp("what they change could not be kept");
        throw error;
      }
    },
    save: (scan) => save(scan.states),
    saveNewest() {
      if (known !== undefined && gaveUp === undefined) save(known);
    },
  };
}

/** Nothing was read anew. */
function isSame(earlier: ScannedStates, later: ScannedStates): boolean {
  if (earlier.size !== later.size) return false;
  for (const [path, state] of later) if (earlier.get(path) !== state) return false;
  return true;
}

function giveUp(because: string): GivenUp {
  return { kind: "too-large", because, states: new Map() };
}
