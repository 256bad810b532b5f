// What the editor at the bottom of a session says, in English.
import { count } from "./count.js";

export const input = {
  busy: "Esc stops · Enter sends at the next step",
  pasted: (lines: number, characters: number) =>
    `[pasted ${lines > 1 ? count(lines, "line") : count(characters, "character")}]`,
  waiting: "waiting:",
  moreWaiting: (number: number) => `… ${count(number, "more message")}`,
  takeBack: "Up takes it back",
  search: {
    title: "search:",
    nothing: "not found:",
    keys: "Ctrl-R older · Ctrl-S newer · Enter takes it · Esc goes back",
  },
  pick: "↑↓ choose · Enter takes it · Esc leaves it",
  scroll: (first: number, last: number, all: number) => `lines ${first}–${last} of ${all} · ↑↓ PgUp PgDn`,
  tooLong: (all: number) => `${count(all, "line")} · ↑↓ PgUp PgDn show them here`,
  historyNotKept: (why: string) => `what you send is not kept for later sessions: ${why}`,
  editorFailed: (editor: string, why: string) => `${editor} could not be used: ${why}`,
  command: {
    offer: "give this output to the model with the next message?",
    answers: "y yes · n no",
    attached: (command: string) => `[output of ${command}]`,
  },
  keys: [
    ["Enter", "send; while the model works it goes in at the next step"],
    ["Shift-Enter, Alt-Enter, Ctrl-J, \\ Enter", "new line"],
    ["Esc, Ctrl-C", "stop the turn; Ctrl-C clears the draft, twice leaves"],
    ["Up, Down, Ctrl-R", "earlier messages; search in them"],
    ["@", "name a file; its content goes along when it fits"],
    ["!", "run a command yourself"],
    ["Tab", "take what the list offers"],
    ["Ctrl-G", "write in $EDITOR"],
    ["Ctrl-Z", "to the shell; fg comes back"],
  ] as readonly (readonly [string, string])[],
};
