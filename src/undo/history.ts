import type { SessionRecord } from "../sessions/records.js";

/** A turn whose changes can be undone, or an undo that can be redone. */
interface HistoryEntry {
  /** Of its change set. */
  id: string;
  /** What the user had asked for. */
  prompt: string;
}

export interface History {
  /** Newest last. */
  undo: readonly HistoryEntry[];
  redo: readonly HistoryEntry[];
  /** The newest turn whose changes were not written down: it had none, or was interrupted before. */
  unfinished: HistoryEntry | undefined;
  /** What the model has not been told yet. */
  untold: readonly (RestoredRecord & { prompt: string })[];
}

type RestoredRecord = Extract<SessionRecord, { type: "restored" }>;

/** What the records of a session say about undo. A turn that changed nothing leaves what can be redone. */
export function historyOf(records: Iterable<SessionRecord>): History {
  const undo: HistoryEntry[] = [];
  const redo: HistoryEntry[] = [];
  const prompts = new Map<string, string>();
  let untold: History["untold"] = [];
  let unfinished: HistoryEntry | undefined;
  let prompt = "";

  function take(record: RestoredRecord): void {
    const [from, to] = record.action === "undo" ? [undo, redo] : [redo, undo];
    const at = from.findLastIndex(({ id }) => id === record.of);
    const [entry] = at === -1 ? [] : from.splice(at, 1);
    if (entry === undefined) return;
    if (record.as !== undefined) to.push({ ...entry, id: record.as });
    untold = [...untold, { ...record, prompt: entry.prompt }];
  }

  for (const record of records) {
    if (record.type === "user") {
      prompt = record.text;
      untold = [];
    } else if (record.type === "snapshot") {
      prompts.set(record.id, prompt);
      unfinished = { id: record.id, prompt };
    } else if (record.type === "changes") {
      undo.push({ id: record.id, prompt: prompts.get(record.snapshot) ?? prompt });
      redo.length = 0;
      unfinished = undefined;
    } else if (record.type === "restored") {
      take(record);
    }
  }
  return { undo, redo, unfinished, untold };
}
