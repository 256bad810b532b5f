import type { TaskFacts } from "./task-facts.js";

/** The last message of a request for a summary. */
export const SUMMARY_REQUEST = `The conversation becomes too long for the context window. Do not call a tool. Write a summary with which the work can go on, at most 400 words, in the language of the user:
- the goal, and everything the user wants or forbids
- what was found out (files, names, causes)
- what was done and with what result
- what is open, and the next step`;

/** Characters of one earlier message of the user, and of all of them together; the newest is kept longer. */
const PROMPT_CHARS = { each: 600, newest: 4_000, all: 6_000 };
const SUMMARY_CHARS = 6_000;

/** The message with which a compacted conversation begins. */
export function compactedIntroduction(facts: TaskFacts, summary: string): string {
  const { prompts, changedFiles, commands, readFiles } = facts;
  const ran = [...commands].map(
    ([command, exitCode]) =>
      `${command} (${exitCode === null ? "ended by a signal" : `exit code ${exitCode}`})`,
  );
  return [
    "[The earlier conversation was shortened to fit into the context window. This is what counts of it.]",
    `What the user said, oldest first:\n${userSaid(prompts)}`,
    list("Files changed", [...changedFiles]),
    list("Commands run", ran),
    list("Files read (read them again where you need their text)", [...readFiles]),
    summary === "" ? "" : `Summary:\n${cut(summary, SUMMARY_CHARS)}`,
    "Go on with the user's newest request.",
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** All that fit: the newest and the first always, then the others from new to old. */
function userSaid(prompts: readonly string[]): string {
  const newest = prompts.length - 1;
  const shown = new Map<number, string>();
  let left = PROMPT_CHARS.all;
  for (const index of new Set([newest, 0, ...[...prompts.keys()].reverse()])) {
    const text = cut(prompts[index] ?? "", index === newest ? PROMPT_CHARS.newest : PROMPT_CHARS.each);
    if (index !== newest && text.length > left) continue;
    left -= text.length;
    shown.set(index, text);
  }
  const lines = [...shown].sort(([a], [b]) => a - b).map(([index, text]) => `${index + 1}. ${text}`);
  const leftOut = prompts.length - shown.size;
  return [...lines, ...(leftOut > 0 ? [`(${leftOut} more messages are left out)`] : [])].join("\n");
}

function list(title: string, items: readonly string[]): string {
  return items.length === 0 ? "" : `${title}: ${items.join(", ")}`;
}

function cut(text: string, chars: number): string {
  return text.length <= chars ? text : `${text.slice(0, chars).replace(/[\ud800-\udbff]$/, "")} […]`;
}
