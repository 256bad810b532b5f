// The strings about the notes that projects keep for the model, in English.
import { count } from "./count.js";

export const notes = {
  commands: {
    memory: "show the project's notes that the model is told; add TEXT appends a line",
    reload: "read the project's notes again",
  },
  banner: "notes:",
  told: (room: number) =>
    `the model is told (text only: notes permit nothing; at most ${count(room, "token")} for this window):`,
  whole: (tokens: number) => count(tokens, "token"),
  cut: (tokens: number, whole: number) =>
    `the first ${count(tokens, "token")} of ${whole.toLocaleString("en-US")}`,
  none: "the project has no notes: AGENTS.md would be read, and mini-cc init --notes writes one to begin with",
  hint: "/memory add TEXT appends a line · /reload takes changed files now, a new session takes them anyway",
  usage: "what should be noted? /memory add TEXT",
  add: (path: string) => `Add this line to ${path}?`,
  answers: "y add it · n leave the file as it is",
  added: (path: string) => `added to ${path}: told from the next session on, or after /reload`,
  notAdded: "nothing was added",
  reloaded: "the model is told the notes as they are now:",
  unchanged: "the notes have not changed",
  offer: (path: string) => `Write ${path} for the model, with the commands found in this folder?`,
  offerAnswers: "y write it · n do without",
  written: (path: string) => `wrote ${path}: complete it, and keep it short`,
  exists: "this folder has notes for the model already; they were left as they are",
  flag: "also write AGENTS.md, notes for the model, with the commands found in this folder",
};
