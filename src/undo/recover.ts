import { openChangeSet, readDraft } from "./change-set.js";
import type { Change } from "./change-set.js";
import { pathOf } from "./path-key.js";
import type { PathKey } from "./path-key.js";
import { sameState } from "./path-state.js";
import { readState } from "./read-state.js";
import { differences } from "./scan-diff.js";
import type { ScanStore } from "./scan-store.js";
import type { WorkspaceScanner } from "./workspace-scanner.js";

export interface RecoverOptions {
  root: string;
  /** Of the change sets. */
  folder: string;
  scanner: WorkspaceScanner;
  scans: ScanStore;
  signal?: AbortSignal | undefined;
}

/**
 * What a turn changed whose process ended in the middle: what it had noted, and what has changed since. Whose changes
 * those are is not known, so that undo asks. Undefined if nothing was noted. What the turn had noted stays, and goes with
 * its age: of a copied session the turn may still be running.
 */
export async function recoverChanges(
  id: string,
  { root, folder, scanner, scans, signal }: RecoverOptions,
): Promise<{ id: string; files: number } | undefined> {
  const draft = readDraft(folder, id);
  if (draft === undefined) return undefined;
  const set = openChangeSet(folder);
  const changes = new Map<PathKey, Change>(
    draft.changes.map((change) => [change.path, { ...change, before: set.adopt(change.before) }]),
  );
  const pending = new Set(draft.pending);
  for (const change of changes.values()) {
    const { path } = change;
    const now = readState(pathOf(root, path), set.keep) ?? change.after;
    // The content after a command was not kept before the turn's end; if it is still there, it is now.
    if (pending.has(path)) changes.set(path, { ...change, after: now, mixed: true });
    else if (sameState(now, change.after)) changes.set(path, { ...change, after: now });
  }
  const before = draft.scan === undefined ? undefined : scans.read(draft.scan);
  const after = before && (await scanner.scan(signal));
  const isWhole = after?.kind === "whole";
  if (before && isWhole) {
    for (const { path, before: was, after: is } of differences({ states: before }, after)) {
      const earlier = changes.get(path);
      changes.set(path, { path, before: earlier?.before ?? set.adopt(was), after: is, mixed: true });
    }
  }
  const incomplete = draft.incomplete || (draft.scan !== undefined && !isWhole);
  const found = [...changes.values()].filter((change) => !sameState(change.before, change.after));
  set.close({ changes: found, incomplete });
  return { id: set.id, files: found.length };
}
