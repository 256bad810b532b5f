import { textOf, unitsOf } from "./draft.js";
import type { Draft } from "./draft.js";

/** What the word before the cursor asks for. */
export type CompletionRequest =
  | { kind: "command"; query: string }
  | { kind: "argument"; command: string; query: string }
  | { kind: "file"; query: string };

export interface CompletionItem {
  label: string;
  /** Stands beside the label. */
  detail?: string;
  /** What takes the place of the word. */
  text: string;
}

export interface CompletionWord {
  request: CompletionRequest;
  /** The units that an item replaces. */
  from: number;
  to: number;
}

/** The word to complete; undefined where there is none. */
export function wordToComplete({ units, cursor }: Draft): CompletionWord | undefined {
  const before = textBefore(units.slice(0, cursor));
  const command = /^\/(\S*)$/.exec(before);
  if (command) return word({ kind: "command", query: command[1] ?? "" }, before, cursor);
  const argument = /^\/([a-z-]+) +(\S*)$/i.exec(before);
  if (argument) {
    const [, name = "", query = ""] = argument;
    return word({ kind: "argument", command: name.toLowerCase(), query }, query, cursor);
  }
  const file = /(?:^|[\s([{<,;"'，。；：（「“])@("[^"\n]*|[^\s"]*)$/u.exec(before);
  if (!file) return undefined;
  const [, query = ""] = file;
  return word({ kind: "file", query: query.replace(/^"/, "") }, `@${query}`, cursor);
}

/** A folded paste stands for one character, so that a place in the text is one in the units. */
function textBefore(units: Draft["units"]): string {
  return units.map((unit) => (typeof unit === "string" ? unit : "\ufffc")).join("");
}

function word(request: CompletionRequest, replaced: string, cursor: number): CompletionWord {
  return { request, from: cursor - unitCount(replaced), to: cursor };
}

function unitCount(text: string): number {
  return unitsOf(text).length;
}

/** A path as it stands behind "@". */
export function mentionOf(path: string): string {
  if (!/\s/.test(path)) return `@${path}`;
  // In a folder the name goes on.
  return path.endsWith("/") ? `@"${path}` : `@"${path}"`;
}

/** Whether the draft is nothing but this word. */
export function isWhole(draft: Draft, text: string): boolean {
  return textOf(draft.units).trimEnd() === text;
}
