import type { KnownFile } from "../sessions/records.js";
import { showControlTokens } from "./control-tokens.js";

/** What the model is told with a prompt, besides the user's words. */
export interface PromptNote {
  text: string;
  /** The content of the files that it speaks of. */
  files: KnownFile[];
}

export function joinNotes(...notes: (PromptNote | undefined)[]): PromptNote | undefined {
  const told = notes.filter((note) => note !== undefined);
  if (told.length === 0) return undefined;
  // The names of files in it come from anywhere.
  const text = showControlTokens(told.map((note) => note.text).join(" "));
  return { text, files: told.flatMap(({ files }) => files) };
}
