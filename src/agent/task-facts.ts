import type { CommandRun, SessionRecord } from "../sessions/records.js";

/** What a conversation is about and what came of it, in facts that no summary can lose. */
export interface TaskFacts {
  /** The user's messages, oldest first. */
  prompts: string[];
  changedFiles: Set<string>;
  /** By command line, the newest last. */
  commands: Map<string, Omit<CommandRun, "command">>;
  readFiles: Set<string>;
}

/** Newest facts of a kind that are kept. */
const MOST_FACTS = 40;

export function noFacts(): TaskFacts {
  return { prompts: [], changedFiles: new Set(), commands: new Map(), readFiles: new Set() };
}

/** Adds what the records tell. */
export function addFacts(facts: TaskFacts, records: readonly SessionRecord[]): void {
  for (const record of records) {
    if (record.type === "user" || record.type === "steering") facts.prompts.push(record.text);
    if (record.type === "assistant") {
      for (const { name, args } of record.calls) {
        if (name === "read_file" && typeof args["path"] === "string") renew(facts.readFiles, args["path"]);
      }
    }
    if (record.type === "call-finished") {
      for (const file of record.changedFiles ?? []) renew(facts.changedFiles, file);
    }
    if ("command" in record && record.command) {
      const { command, ...run } = record.command;
      facts.commands.delete(command);
      facts.commands.set(command, run);
    }
  }
  for (const kind of [facts.changedFiles, facts.commands, facts.readFiles]) {
    for (const oldest of [...kind.keys()].slice(0, -MOST_FACTS)) kind.delete(oldest);
  }
}

function renew(set: Set<string>, value: string): void {
  set.delete(value);
  set.add(value);
}
