import { join } from "node:path";
import type { ProcessRegistry } from "../processes/process-registry.js";
import type { SessionRecord } from "../sessions/records.js";
import { workspaceFolderName } from "../sessions/session-store.js";
import { createUndo } from "../undo/undo.js";
import type { Undo } from "../undo/undo.js";

export interface UndoPlace {
  /** The user wants it. */
  wanted: boolean;
  stateFolder: string;
  /** Real paths. */
  workspaceRoot: string;
  homeDir: string;
  processes: ProcessRegistry;
}

/** Undo of one session; undefined where it is off. */
export function setUpUndo(
  { wanted, stateFolder, workspaceRoot, homeDir, processes }: UndoPlace,
  records: readonly SessionRecord[],
  append: (record: SessionRecord) => void,
): Undo | undefined {
  if (!wanted) return undefined;
  const isWide = workspaceRoot === homeDir || workspaceRoot === "/";
  return createUndo({
    root: workspaceRoot,
    undoFolder: join(stateFolder, "undo"),
    name: workspaceFolderName(workspaceRoot),
    records,
    append,
    isBusy: () => processes.background.all().some(({ end }) => end === undefined),
    commandsOff: isWide ? `the workspace is ${workspaceRoot}` : undefined,
  });
}
