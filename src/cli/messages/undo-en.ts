// The strings about undo, in English.
import { count } from "./count.js";

export const undo = {
  commands: {
    undo: "take back what the last turn changed",
    redo: "bring back what /undo took back",
    diff: "show what the last turn changed; session: all turns",
  },
  off: 'undo is off: "undo": false in the configuration',
  nothing: {
    undo: "there is nothing to undo: no turn of this session has changed a file",
    redo: "there is nothing to redo",
  },
  done: {
    undo: (prompt: string) => `undone: ${prompt}`,
    redo: (prompt: string) => `done again: ${prompt}`,
  },
  total: {
    undo: (files: number) => `${count(files, "file")} as before the turn · /redo brings the changes back`,
    redo: (files: number) => `${count(files, "file")} as after the turn · /undo takes the changes back`,
  },
  gone: (prompt: string) =>
    `what this turn changed is no longer kept (old or too much): ${prompt}. The next /undo goes to the turn before.`,
  blocked: (prompt: string) => `nothing was changed, since this cannot be taken back whole: ${prompt}`,
  unchanged: "nothing was changed",
  question: {
    undo: (prompt: string) => `Undo all the same: ${prompt}?`,
    redo: (prompt: string) => `Redo all the same: ${prompt}?`,
  },
  newer: (files: number) =>
    `${count(files, "file has", "files have")} changed since, and that would be replaced:`,
  lost: (files: number) =>
    `${count(files, "file")} cannot come back and would stay: too large to be kept, or not readable:`,
  answers: "y go on · n change nothing",
  stayed: "could not come back, as it was not kept:",
  incomplete: "not everything that this turn changed was noted; what is missing here stays as it is",
  changesOfTurn: (prompt: string) => `changes of the turn: ${prompt}`,
  changesOfSession: (turns: number) => `changes of this session, ${count(turns, "turn")}:`,
  noChanges: "no turn of this session has changed a file",
  noNetChanges: "taken together, nothing has changed",
  usage: "/diff shows the last turn, /diff session all turns",
  mode: (before: string, after: string) => `mode ${before} → ${after}`,
  kind: { file: "", folder: "folder", link: "link" },
  unshown: {
    binary: "not text",
    large: "too large for a diff",
    "not-kept": "its content was not kept",
    "too-many": "",
  },
};
