import { join } from "node:path";
import { messageOf } from "../errors.js";
import type { KnownFile, SessionRecord } from "../sessions/records.js";
import { createChangeRecorder } from "./change-recorder.js";
import type { ChangeRecorder, RecordedTurn } from "./change-recorder.js";
import { readChangeSet } from "./change-set.js";
import type { Change } from "./change-set.js";
import { pathOf } from "./path-key.js";
import { joinChanges, listChanges, showChanges } from "./change-diff.js";
import type { ShownChange } from "./change-diff.js";
import { cleanStores, storeFolders } from "./clean.js";
import { historyOf } from "./history.js";
import type { ScanLimits } from "./limits.js";
import { SCAN_LIMITS } from "./limits.js";
import { recoverChanges } from "./recover.js";
import { restoreChanges } from "./restore-changes.js";
import type { RestoreQuestion } from "./restore-changes.js";
import { createScanStore } from "./scan-store.js";
import type { UntoldNote } from "./untold-note.js";
import { untoldNote } from "./untold-note.js";
import { createWorkspaceScanner } from "./workspace-scanner.js";

export type UndoAction = "undo" | "redo";

/** `prompt` is what the user had asked for in the turn. */
type UndoOutcome =
  | { kind: "nothing" }
  /** The changes are no longer kept; the next undo goes to the turn before. */
  | { kind: "gone"; prompt: string }
  /** Nothing was changed; `because` are clauses. */
  | { kind: "blocked"; prompt: string; blocked: readonly { path: string; because: string }[] }
  | { kind: "declined" }
  | {
      kind: "done";
      prompt: string;
      /** What happened to the files just now. */
      files: readonly ShownChange[];
      /** Files that could not come back: their content was not kept. */
      lost: readonly string[];
      /** The turn changed something that was not noted. */
      incomplete: boolean;
    };

/** The changes of turns, as they are shown. */
interface ShownTurns {
  /** Of the newest turn that is shown. */
  prompt: string;
  /** How many turns. */
  turns: number;
  changes: readonly ShownChange[];
}

/** Undo of one session. */
export interface Undo {
  /** A turn begins; returns what the model has to be told about files that changed behind its back. */
  beginTurn(prompt: string): UntoldNote | undefined;
  around: ChangeRecorder["around"];
  /** The turn is over, also if it was cancelled or failed. */
  endTurn(turn: RecordedTurn): Promise<void>;
  /**
   * Takes back the newest turn that changed something, or what was undone last. Throws UserError if it fails; then
   * nothing is changed.
   *
   * @param confirm asked where newer changes would be destroyed; false leaves everything as it is
   */
  restore(
    action: UndoAction,
    confirm: (question: RestoreQuestion & { prompt: string }) => Promise<boolean>,
    signal: AbortSignal,
  ): Promise<UndoOutcome>;
  /** What the newest turn that changed something did, or all turns together; undefined if none did. */
  changes(which: "turn" | "session", signal: AbortSignal): Promise<ShownTurns | undefined>;
}

export interface UndoOptions {
  /** Real path of the workspace. */
  root: string;
  /** Holds a folder for each workspace, and nothing else. */
  undoFolder: string;
  /** Of this workspace's folder in it. */
  name: string;
  /** Of the session, if it goes on. */
  records: readonly SessionRecord[];
  append: (record: SessionRecord) => void;
  /** Whether a command runs in the background. */
  isBusy: () => boolean;
  /** Why commands are not covered here, a clause. */
  commandsOff?: string | undefined;
  limits?: ScanLimits;
}

/** Names of files in a record, for the model. */
const MAX_NAMES = 20;

export function createUndo(options: UndoOptions): Undo {
  const { root, undoFolder, name, isBusy, commandsOff: off, limits = SCAN_LIMITS } = options;
  const folder = join(undoFolder, name);
  const { sets, scans } = storeFolders(folder);
  const store = createScanStore(scans);
  const scanner = createWorkspaceScanner({ root, ownFolder: folder, store, limits, off });
  const records = [...options.records];
  const recorder = createChangeRecorder({ root, folder: sets, scanner, isBusy, onBegin });

  function append(record: SessionRecord): void {
    records.push(record);
    options.append(record);
  }

  async function onBegin(id: string): Promise<void> {
    await recover();
    append({ type: "snapshot", id });
  }

  /** Writes down what an interrupted turn has left, before anything else changes. */
  async function recover(signal?: AbortSignal): Promise<void> {
    const { unfinished } = historyOf(records);
    if (unfinished === undefined) return;
    const place = { root, folder: sets, scanner, scans: store, signal };
    const found = await recoverChanges(unfinished.id, place);
    if (found !== undefined) append({ type: "changes", ...found, snapshot: unfinished.id });
  }

  return {
    beginTurn(prompt) {
      const { untold } = historyOf(records);
      records.push({ type: "user", at: new Date().toISOString(), text: prompt });
      return untoldNote(untold, root);
    },

    around: (scope, turn, work) => recorder.around(scope, turn, work),

    async endTurn(turn) {
      const { unfinished } = historyOf(records);
      const found = await recorder.endTurn(turn);
      if (found === undefined || unfinished === undefined) return;
      append({ type: "changes", ...found, snapshot: unfinished.id });
      try {
        const removed = cleanStores(undoFolder, name);
        const turns = removed === 1 ? "an earlier turn" : `${removed.toLocaleString("en-US")} earlier turns`;
        const text = `the changes of ${turns} can no longer be undone: they were too old, or too much`;
        if (removed > 0) turn.tell("info", "undo-cleaned", text);
      } catch (error) {
        turn.tell(
          "warning",
          "undo-not-cleaned",
          `old data of undo could not be removed: ${messageOf(error)}`,
        );
      }
    },

    async restore(action, confirm, signal) {
      await recover(signal);
      const { [action]: entries } = historyOf(records);
      const entry = entries.at(-1);
      if (entry === undefined) return { kind: "nothing" };
      const { id, prompt } = entry;
      const place = { root, folder: sets };
      const outcome = await restoreChanges(id, place, (question) => confirm({ ...question, prompt }));
      const record = { type: "restored" as const, at: new Date().toISOString(), action, of: id };
      switch (outcome.kind) {
        case "declined":
          return outcome;
        case "blocked":
          return { ...outcome, prompt };
        case "gone":
          append({ ...record, files: [], more: 0 });
          return { kind: "gone", prompt };
        case "done": {
          const { reverse, lost, incomplete } = outcome;
          const files = listChanges(reverse.changes);
          const known = knownFiles(reverse.changes, root);
          const more = Math.max(0, known.length - MAX_NAMES);
          append({ ...record, as: reverse.id, files: known.slice(0, MAX_NAMES), more });
          return { kind: "done", prompt, files, lost, incomplete };
        }
      }
    },

    async changes(which, signal) {
      await recover(signal);
      const { undo } = historyOf(records);
      const entries = which === "turn" ? undo.slice(-1) : undo;
      const found = entries.flatMap(({ id }) => readChangeSet(sets, id)?.changes ?? []);
      const newest = entries.at(-1);
      if (newest === undefined) return undefined;
      return { prompt: newest.prompt, turns: entries.length, changes: showChanges(joinChanges(found)) };
    },
  };
}

/** Files and links as the model may know them, by the content that they have now. */
function knownFiles(changes: readonly Change[], root: string): KnownFile[] {
  return changes
    .filter(({ before, after }) => before.kind !== "folder" && after.kind !== "folder")
    .map(({ path, after }) => {
      const hash = after.kind === "file" ? after.hash : undefined;
      return { path: pathOf(root, path).toString(), hash: hash ?? null };
    });
}
