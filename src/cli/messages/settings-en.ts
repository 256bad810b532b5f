// Settings of a session that commands change, in English.
import { count } from "./count.js";

export const settings = {
  commands: {
    mode: "what is asked: default, accept-edits, plan or bypass",
    permissions: "show the rules in force, with what answers have kept",
    think: "think first: off, on, low, medium or high",
    copy: "copy the last answer, its last code block, or block N",
    debug: "record requests and raw replies in a file, or stop that",
    doctor: "check server, model, window, sandbox and configuration",
  },
  unknown: (value: string, choices: string, nearest?: string) =>
    `"${value}" is none of ${choices}.${nearest === undefined ? "" : ` Did you mean "${nearest}"?`}`,
  modes: {
    default: "reads are free; edits and commands ask",
    "accept-edits": "edits in the workspace are free too",
    plan: "nothing is changed",
    bypass: "nothing is asked; only hard denials hold",
  },
  think: "thinking:",
  levels: {
    off: "answers at once",
    on: "as much as the model likes",
    low: "a little",
    medium: "more",
    high: "as much as it can",
  },
  cannotThink: (model: string) => `${model} cannot be told to think; this holds for models that can`,
  debugOn: (file: string) => `requests and replies are recorded in ${file}`,
  debugOff: "nothing is recorded any more",
  nothingToCopy: "there is no answer to copy yet",
  noSuchBlock: (blocks: number) => `the last answer has ${count(blocks, "code block")}`,
  notCopied: "neither a program nor the terminal took the text",
  copied: (characters: number, taken: string) => `copied ${count(characters, "character")} (${taken})`,
};
