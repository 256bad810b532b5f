// What the editor at the bottom of a session says, in English.
import { count } from "./count.js";

export const input = {
  busy: "Esc stops · Enter sends at the next step",
  pasted: (lines: number, characters: number) =>
    `[pasted ${lines > 1 ? count(lines, "line") : count(characters, "character")}]`,
  waiting: "waiting:",
  moreWaiting: (number: number) => `… ${count(number, "more message")}`,
  takeBack: "Up takes it back",
  leaves: "leaving when this has ended",
  search: {
    title: "search:",
    nothing: "not found:",
    keys: "Ctrl-R older · Ctrl-S newer · Enter takes it · Esc goes back",
  },
  pick: "↑↓ choose · Enter takes it · Esc leaves it",
  scroll: (first: number, last: number, all: number) =>
    `lines ${first.toLocaleString("en-US")}–${last.toLocaleString("en-US")} of ${all.toLocaleString("en-US")} · ↑↓ PgUp PgDn`,
  tooLong: (all: number) => `${count(all, "line")} · ↑↓ PgUp PgDn show them here`,
  historyNotKept: (why: string) => `what you send is not kept for later sessions: ${why}`,
  editorFailed: (editor: string, why: string) => `${editor} could not be used: ${why}`,
  command: {
    offer: "give this output to the model with the next message?",
    answers: "y yes · n no",
    attached: (command: string) => `[output of ${command}]`,
  },
  keys: {
    send: "send; while the model works, at its next step",
    newline: "new line; so does \\ before Enter",
    stop: "stop the turn; Ctrl-C clears, twice leaves",
    history: "earlier messages; search in them",
    file: "name a file; it goes along when it fits",
    command: "run a command yourself",
    complete: "take what the list offers",
    editor: "write in $EDITOR",
    suspend: "to the shell; fg comes back",
  },
};
