import type { BaseMessage } from "@langchain/core/messages";
import type { CommandRun } from "../sessions/records.js";
import type { TaskFacts } from "./task-facts.js";

/** The last message of a request for a summary. */
export const SUMMARY_REQUEST = `The conversation becomes too long for the context window. Do not call a tool. Write a summary with which the work can go on, at most 400 words, in the language of the user:
- the goal, and everything the user wants or forbids
- what was found out (files, names, causes)
- what was done and with what result
- what is open, and the next step`;

/** Characters of the parts of an introduction. */
const MOST_CHARS = {
  /** Of the user's newest message, of each earlier one, and of all of them together. */
  newestPrompt: 4_000,
  prompt: 600,
  prompts: 6_000,
  /** Of a file's path or a command, and of a list of them. */
  item: 200,
  list: 1_500,
  summary: 6_000,
};
type Limits = typeof MOST_CHARS;

/** Shares of these limits that are tried until the introduction is short enough. */
const SHARES = [1, 0.7, 0.5, 0.35, 0.25, 0.15, 0.1];

const OPENING =
  "[The earlier conversation was shortened to fit into the context window. This is what counts of it.]";
const SUMMARY_TITLE = "\n\nSummary:\n";
const CLOSING = "\n\nGo on with the user's newest request.";

/** The message with which a compacted conversation begins, as complete as `fits` allows. */
export function compactedIntroduction(
  facts: TaskFacts,
  summary: string,
  fits: (text: string) => boolean,
): string {
  const texts = SHARES.map((share) => introduction(facts, summary, (limit) => MOST_CHARS[limit] * share));
  return texts.find(fits) ?? texts.at(-1) ?? OPENING;
}

/** The summary that a conversation begins with since its last compaction; empty if there is none. */
export function earlierSummary(messages: readonly BaseMessage[]): string {
  const text = messages[0]?.text ?? "";
  const start = text.indexOf(SUMMARY_TITLE);
  if (!text.startsWith(OPENING) || start === -1) return "";
  return text.slice(start + SUMMARY_TITLE.length, text.indexOf(CLOSING, start));
}

function introduction(facts: TaskFacts, summary: string, most: (limit: keyof Limits) => number): string {
  const { prompts, changedFiles, commands, readFiles } = facts;
  const ran = [...commands].map(([command, run]) => `${cut(command, most("item"))} (${outcomeOf(run)})`);
  const list = (title: string, items: readonly string[]) => {
    const shown = newestThatFit(items, most("list"));
    const leftOut = items.length - shown.length;
    const more = leftOut === 0 ? "" : ` (and ${leftOut} earlier ones)`;
    return items.length === 0 ? "" : `\n\n${title}: ${shown.join(", ")}${more}`;
  };
  const paths = (files: Iterable<string>) => [...files].map((path) => cut(path, most("item")));
  return [
    OPENING,
    prompts.length === 0 ? "" : `\n\nWhat the user said, oldest first:\n${userSaid(prompts, most)}`,
    list("Files changed", paths(changedFiles)),
    list("Commands run", ran),
    list("Files read (read them again where you need their text)", paths(readFiles)),
    summary === "" ? "" : SUMMARY_TITLE + cut(summary, most("summary")),
    CLOSING,
  ].join("");
}

/** All that fit: the newest and the first always, then the others from new to old. */
function userSaid(prompts: readonly string[], most: (limit: keyof Limits) => number): string {
  const newest = prompts.length - 1;
  const shown = new Map<number, string>();
  let left = most("prompts");
  for (const index of new Set([newest, 0, ...[...prompts.keys()].reverse()])) {
    const text = cut(prompts[index] ?? "", most(index === newest ? "newestPrompt" : "prompt"));
    if (text.length > left && index !== newest && index !== 0) continue;
    left -= text.length;
    shown.set(index, text);
  }
  const lines = [...shown].sort(([a], [b]) => a - b).map(([index, text]) => `${index + 1}. ${text}`);
  const leftOut = prompts.length - shown.size;
  return [...lines, ...(leftOut > 0 ? [`(${leftOut} more messages are left out)`] : [])].join("\n");
}

function outcomeOf({ exitCode, pipeline, background, state }: Omit<CommandRun, "command">): string {
  if (state === "running") return `running in the background as ${background ?? "?"}`;
  if (state === "stopped" || state === "lost") return state;
  if (exitCode === null) return "ended by a signal";
  return pipeline === undefined
    ? `exit code ${exitCode}`
    : `exit codes in the pipeline: ${pipeline.join(", ")}`;
}

function newestThatFit(items: readonly string[], chars: number): readonly string[] {
  let left = chars;
  let first = items.length;
  while (first > 0 && (left -= items[first - 1]?.length ?? 0) >= 0) first--;
  // One is shown in any case.
  return items.slice(Math.min(first, items.length - 1));
}

function cut(text: string, chars: number): string {
  return text.length <= chars ? text : `${text.slice(0, chars).replace(/[\ud800-\udbff]$/, "")} […]`;
}
