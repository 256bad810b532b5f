import { lstatSync } from "node:fs";
import { describeError } from "../tools/tool-failure.js";
import { openChangeSet } from "./change-set.js";
import type { Change, ChangeSet, OpenChangeSet } from "./change-set.js";
import { keyOf, parentOf, pathOf } from "./path-key.js";
import type { PathKey } from "./path-key.js";
import { sameState } from "./path-state.js";
import { readState } from "./read-state.js";
import type { Scan } from "./scan.js";
import { differences } from "./scan-diff.js";
import type { Difference } from "./scan-diff.js";
import type { WorkspaceScanner } from "./workspace-scanner.js";

/** What a call may change: files that are known beforehand (real paths), or anything in the workspace. */
export type ChangeScope = { kind: "files"; paths: readonly string[] } | { kind: "workspace" };

/** The turn that a call belongs to. */
export interface RecordedTurn {
  signal: AbortSignal;
  /** Tells the user; `text` is a clause. */
  tell(level: "info" | "warning", code: string, text: string): void;
}

export interface ChangeRecorder {
  /**
   * Runs `work` and notes what changed meanwhile. That this fails does not hinder the work: the user is told once.
   * Rejects with what `work` rejects with, and with the signal's reason before it has begun.
   */
  around<T>(scope: ChangeScope, turn: RecordedTurn, work: () => Promise<T>): Promise<T>;
  /** Writes down what the turn changed; undefined if it changed nothing. */
  endTurn(turn: RecordedTurn): Promise<{ id: string; files: number } | undefined>;
}

export interface ChangeRecorderOptions {
  root: string;
  /** Of the change sets. */
  folder: string;
  scanner: WorkspaceScanner;
  /** Whether a command runs in the background. */
  isBusy: () => boolean;
  /** Called before the first change of a turn, with the name of its set to be. */
  onBegin: (id: string) => Promise<void>;
}

interface OpenTurn {
  set: OpenChangeSet;
  changes: Map<PathKey, Change>;
  /** Something happened that was not noted. */
  incomplete: boolean;
  /** Since the newest scan something has run that may change files at any time. */
  unwatched?: { since: Scan } | undefined;
}

/** Code of the notice that nothing can be noted. */
const FAILED = "undo-failed";

export function createChangeRecorder(options: ChangeRecorderOptions): ChangeRecorder {
  const { root, folder, scanner, isBusy } = options;
  let open: OpenTurn | undefined;
  const told = new Set<string>();

  function warnOnce(turn: RecordedTurn, code: string, text: string): void {
    if (told.has(code)) return;
    told.add(code);
    turn.tell("warning", code, text);
  }

  function failed(turn: RecordedTurn, error: unknown): void {
    if (open !== undefined) open.incomplete = true;
    warnOnce(
      turn,
      "undo-failed",
      `changes cannot be undone: they could not be noted (${describeError(error)})`,
    );
  }

  async function begin(): Promise<OpenTurn> {
    if (open === undefined) {
      const set = openChangeSet(folder);
      await options.onBegin(set.id);
      open = { set, changes: new Map(), incomplete: false };
    }
    return open;
  }

  async function aroundFiles<T>(paths: readonly string[], turn: RecordedTurn, work: () => Promise<T>) {
    let noted: { current: OpenTurn; keys: PathKey[] } | undefined;
    try {
      const current = await begin();
      const keys = paths.flatMap((path) => appearing(root, keyOf(root, path)));
      const states = keys.map((path) => ({ path, state: readState(pathOf(root, path), current.set.keep) }));
      const before = states.map(({ path, state }) => {
        if (state === undefined) throw new Error(`${path} is no regular file`);
        return { path, before: state, after: state };
      });
      add(current, before);
      current.set.save({ ...draftOf(current), pending: keys });
      noted = { current, keys };
    } catch (error) {
      failed(turn, error);
    }
    try {
      return await work();
    } finally {
      if (noted !== undefined) noteFiles(noted.current, noted.keys, turn);
    }
  }

  function noteFiles(current: OpenTurn, keys: readonly PathKey[], turn: RecordedTurn): void {
    try {
      for (const path of keys) {
        const change = current.changes.get(path);
        const after = readState(pathOf(root, path), current.set.keep);
        if (change !== undefined && after !== undefined) current.changes.set(path, { ...change, after });
      }
      current.set.save(draftOf(current));
    } catch (error) {
      failed(turn, error);
    }
  }

  async function aroundCommand<T>(turn: RecordedTurn, work: () => Promise<T>) {
    const before = await scanBefore(turn);
    try {
      return await work();
    } finally {
      if (before !== undefined) await scanAfter(before, turn);
    }
  }

  async function scanBefore(turn: RecordedTurn): Promise<Scan | undefined> {
    try {
      const current = await begin();
      const scan = await scanner.scan(turn.signal);
      if (scan.kind === "too-large") {
        const text = `what commands change here cannot be undone: ${scan.because}`;
        if (!told.has(FAILED)) warnOnce(turn, "undo-limited", text);
        current.incomplete = true;
      } else {
        addUnwatched(current, scan);
        current.set.save({ ...draftOf(current), scan: scanner.save(scan) });
        return scan;
      }
    } catch (error) {
      turn.signal.throwIfAborted();
      failed(turn, error);
    }
    return undefined;
  }

  /** A cancelled turn, too, must know what its command has done. */
  async function scanAfter(before: Scan, turn: RecordedTurn): Promise<void> {
    const current = await begin();
    try {
      const after = await scanner.scan(undefined);
      if (after.kind === "too-large") throw new Error(after.because);
      add(current, differences(before, after));
      current.unwatched = isBusy() ? { since: after } : undefined;
      current.set.save(draftOf(current));
    } catch (error) {
      failed(turn, error);
    }
  }

  /** What a command in the background did since the newest scan belongs to the turn. */
  function addUnwatched(current: OpenTurn, scan: Scan): void {
    if (current.unwatched !== undefined) add(current, differences(current.unwatched.since, scan));
    current.unwatched = undefined;
  }

  return {
    around: (scope, turn, work) =>
      scope.kind === "files" ? aroundFiles(scope.paths, turn, work) : aroundCommand(turn, work),

    async endTurn(turn) {
      if (open === undefined) return undefined;
      const { set, unwatched } = open;
      try {
        if (unwatched !== undefined) {
          const scan = await scanner.scan(undefined);
          if (scan.kind === "whole") addUnwatched(open, scan);
        }
        scanner.saveNewest();
      } catch (error) {
        failed(turn, error);
      }
      const { incomplete } = open;
      const changes = [...open.changes.values()].filter(({ before, after }) => !sameState(before, after));
      open = undefined;
      if (changes.length === 0 && !incomplete) {
        set.discard();
        return undefined;
      }
      try {
        set.close({ changes, incomplete });
      } catch (error) {
        failed(turn, error);
        set.discard();
      }
      return { id: set.id, files: changes.length };
    },
  };
}

/** What happened to paths joined to what happened to them before in the turn. */
function add({ changes, set }: OpenTurn, found: readonly Difference[]): void {
  for (const { path, before, after } of found) {
    const earlier = changes.get(path);
    if (earlier === undefined) {
      changes.set(path, { path, before: set.adopt(before), after });
    } else {
      const mixed = earlier.mixed ?? !sameState(earlier.after, before);
      changes.set(path, { ...earlier, after, ...(mixed && { mixed }) });
    }
  }
}

function draftOf({ changes, incomplete }: OpenTurn): Pick<ChangeSet, "changes" | "incomplete"> {
  return { changes: [...changes.values()], incomplete };
}

/** The path and the folders above it that are missing: all that may appear when it is written. */
function appearing(root: string, path: PathKey): PathKey[] {
  const folder = parentOf(path);
  if (folder === "" || lstatSync(pathOf(root, folder), { throwIfNoEntry: false }) !== undefined)
    return [path];
  return [...appearing(root, folder), path];
}
