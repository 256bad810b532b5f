import type { BackgroundProcesses } from "../processes/background-processes.js";
import type { CommandRun, SessionRecord } from "../sessions/records.js";

/** Lets the ids of a resumed session be known: what ran in the background then has ended, and no id is given twice. */
export function recallBackground(processes: BackgroundProcesses, records: readonly SessionRecord[]): void {
  const newest = new Map<string, CommandRun>();
  for (const record of records) {
    if (!("command" in record) || record.command?.background === undefined) continue;
    newest.set(record.command.background, record.command);
  }
  const lost = [...newest].flatMap(([id, { command, state }]) =>
    state === "running" ? [{ id, command }] : [],
  );
  processes.recall(lost, [...newest.keys()]);
}
