import { appendFileSync, closeSync, fdatasyncSync, fsyncSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { makePrivateFolder } from "../config/private-folder.js";
import { messageOf } from "../errors.js";
import type { SessionRecord, SessionState } from "./records.js";
import type { SessionLock } from "./session-lock.js";
import { takeLock } from "./session-lock.js";

/** A session that is being written. */
export interface SessionLog {
  readonly id: string;
  /**
   * On return the record has left this process, and where an effect follows or a turn ends it is on the disk. Never
   * throws: the first failure is reported, then nothing is kept.
   */
  append(record: SessionRecord): void;
  close(): void;
}

export interface SessionLogOptions {
  id: string;
  path: string;
  /** Of a session that goes on; its file exists and this process has it. */
  existing?: { lock: SessionLock | undefined; state: SessionState };
  onFailure: (message: string) => void;
}

/** The file and its folder appear with the first record. */
export function createSessionLog({ id, path, existing, onFailure }: SessionLogOptions): SessionLog {
  const state: SessionState = existing?.state ?? { turns: 0, model: "" };
  let lock = existing?.lock;
  let file: number | undefined;
  let failed = false;

  function open(): number {
    makePrivateFolder(dirname(path));
    lock ??= takeLock(path);
    const opened = openSync(path, "a", 0o600);
    // A torn last line must not swallow the record that follows it.
    if (existing) appendFileSync(opened, "\n");
    else flushFolder(dirname(path));
    return opened;
  }

  return {
    id,
    append(record) {
      if (failed) return;
      try {
        file ??= open();
        note(state, record);
        const told = record.type === "turn-end" ? { ...record, session: state } : record;
        const { type, ...rest } = told;
        appendFileSync(file, `${JSON.stringify({ type, ...rest })}\n`);
        if (mustLast(record)) fdatasyncSync(file);
      } catch (error) {
        failed = true;
        onFailure(messageOf(error));
      }
    },
    close() {
      if (file !== undefined) closeSync(file);
      file = undefined;
      lock?.release();
      lock = undefined;
    },
  };
}

function note(state: SessionState, record: SessionRecord): void {
  if (record.type === "user") state.turns++;
  if (record.type === "title") state.title = record.text;
  if ("model" in record) state.model = record.model;
}

/** What must not be lost with the power: that something may have happened, and whole turns. */
function mustLast(record: SessionRecord): boolean {
  if (record.type === "call-started") return record.effect === "change";
  return record.type === "turn-end" || record.type === "compaction";
}

/** The name of a new file lasts only when its folder is flushed; not every system lets one open a folder. */
function flushFolder(folder: string): void {
  let opened: number | undefined;
  try {
    opened = openSync(folder, "r");
    fsyncSync(opened);
  } catch {
    // Then the system decides when.
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
}
