import { relative } from "node:path";
import { printable } from "../printable.js";
import type { KnownFile } from "../sessions/records.js";
import type { History } from "./history.js";

/** What the model is told with the next message. */
export interface UntoldNote {
  text: string;
  /** The content of the files that it speaks of. */
  files: KnownFile[];
}

const MAX_PROMPT = 60;

/** Which changes of the model are gone, or there again; undefined if it knows. */
export function untoldNote(untold: History["untold"], root: string): UntoldNote | undefined {
  if (untold.length === 0) return undefined;
  const lines = untold.map(({ action, prompt, files, more }) => {
    const what = action === "undo" ? "undid" : "restored again";
    const rest = more > 0 ? ` and ${more} more` : "";
    const names =
      files.length === 0
        ? "no files"
        : files.map(({ path }) => oneLine(relative(root, path))).join(", ") + rest;
    return `The user ${what} what you changed for "${shortened(prompt)}": ${names}.`;
  });
  return {
    text: `${lines.join(" ")} Read these files again before you use or change them.`,
    files: untold.flatMap(({ files }) => files),
  };
}

function shortened(prompt: string): string {
  const line = oneLine(prompt);
  return line.length > MAX_PROMPT ? `${line.slice(0, MAX_PROMPT)}…` : line;
}

function oneLine(text: string): string {
  return printable(text).replace(/\s+/g, " ").trim();
}
