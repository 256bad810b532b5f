// The strings about going on with a session, in English.
import { count } from "./count.js";

export const resume = {
  title: "Go on with which session?",
  nothing: "there is no earlier session in this folder",
  nothingHint: "mini-cc begins one; mini-cc sessions --all lists those of other folders",
  alreadyHere: "that is this session",
  goesOn: (title: string, turns: number) => `goes on: ${title} · ${count(turns, "turn")}`,
  ended: {
    done: "",
    cancelled: "(was stopped; /continue goes on)",
    limit: "(ended at a limit; /continue goes on)",
    failed: "(did not end; /continue goes on)",
  },
  nothingToContinue: "there is nothing to go on with yet",
  continuePrompt: "Go on from where you stopped.",
  fork: (reason: string) => `${reason}. Go on with a copy of it?`,
  forkAnswers: "y a copy, which becomes a session of its own · n leave it",
  commands: {
    resume: "go on with an earlier session of this folder",
    continue: "go on where the last turn stopped, with fresh limits",
  },
};
