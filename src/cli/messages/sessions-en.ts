// The strings about saved sessions, in English.
import { count } from "./count.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const sessions = {
  flags: {
    format: "md or json",
    output: "write to FILE instead of standard output",
    limit: "most places to show",
    yes: "do not ask",
  },
  columns: {
    id: "ID",
    age: "USED",
    turns: "TURNS",
    size: "SIZE",
    model: "MODEL",
    title: "TITLE",
    folder: "FOLDER",
  },
  none: "no sessions are saved for this folder (--all shows those of every folder)",
  noneAtAll: "no sessions are saved",
  noTitle: "(no prompt)",
  inUse: (pid: number) => `(in use by process ${pid})`,
  age: (milliseconds: number): string => {
    if (milliseconds < MINUTE) return "just now";
    if (milliseconds < HOUR) return `${Math.floor(milliseconds / MINUTE)} min ago`;
    if (milliseconds < DAY) return `${Math.floor(milliseconds / HOUR)} h ago`;
    return `${count(Math.floor(milliseconds / DAY), "day")} ago`;
  },

  session: "session",
  rows: { folder: "folder", model: "model", started: "started", turns: "turns", parent: "copied from" },
  copied: (id: string, turns: number | undefined) =>
    turns === undefined ? id : `${id}, its first ${count(turns, "turn")}`,
  turn: (number: number) => `Turn ${number}`,
  speakers: { user: "User", assistant: "Assistant" },
  thinking: "Thinking",
  cut: (why: string) => `[${why}]`,
  status: {
    ok: "done",
    error: "failed",
    denied: "denied",
    cancelled: "cancelled",
    unknown: "whether it ran to its end is not known",
    unfinished: "started, but not finished",
    "not-run": "not run",
  },
  outcome: {
    done: "",
    cancelled: "stopped by the user",
    limit: "ended at a limit",
    failed: "failed",
    unfinished: "ended in the middle",
  },
  compacted: (before: number, after: number) =>
    `conversation summarised: ${count(before, "token")} became ${after.toLocaleString("en-US")}`,
  modelChanged: (model: string) => `goes on with ${model}`,
  more: (lines: number) => `… ${count(lines, "more line")}; mini-cc sessions export has all`,
  damaged: (lines: number) => `${count(lines, "damaged line")} left out`,
  unknownRecords: (records: number) => `${count(records, "record")} of a newer version left out`,

  places: { prompt: "prompt", reply: "answer", call: "call", result: "result", title: "title" },
  noHits: (words: string) => `no turn holds: ${words}`,
  moreHits: (limit: number) => `the newest ${count(limit, "place")}; --limit shows more`,

  commands: {
    fork: "go on from an earlier turn in a new session",
    rename: "give the session a title",
    export: "write the session to FILE (Markdown, or JSON for a name in .json)",
  },
  forkFrom: "Go on after which turn? (this session stays as it is)",
  noTurn: (turn: string, turns: number) =>
    `there is no turn ${turn}: this session has ${count(turns, "turn")}`,
  forked: (turn: number, id: string) => `goes on after turn ${turn}, as session ${id}`,
  unchanged: (id: string) => `session ${id} stays as it was`,
  renameUsage: "what should the session be called? /rename TITLE",
  renamed: (title: string) => `this session is now called: ${title}`,
  nothingSaved: "nothing of this session is saved yet",
  replace: (path: string) => `Replace ${path}?`,
  replaceAnswers: "y replace it · n leave it as it is",
  notExported: "nothing was written",
  exported: (path: string) => `wrote ${path}`,
  cannotWriteHint: "name another file, one that is not there yet, in a folder that can be written to",
  cannotWrite: (path: string, problem: string) => `${path} cannot be written: ${problem}`,
  remove: (id: string) => `Delete session ${id} for good?`,
  removeAnswers: "y delete it · n keep it",
  removed: (id: string) => `deleted session ${id}`,
  kept: "nothing was deleted",
  needsYes: "nobody can be asked whether to delete the session",
  needsYesHint: "--yes deletes it unasked",
};
