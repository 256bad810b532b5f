import type { Leftovers } from "../processes/run-process.js";
import type { OutputEncoding } from "./output-encoding.js";

// What is said below the output of a command.

export function encodingNote({ encoding, lossy }: OutputEncoding): string | undefined {
  if (lossy) return "Some bytes are in no encoding that could be recognised and are shown as \uFFFD.";
  return encoding === undefined ? undefined : `The output was in ${encoding}, not in UTF-8.`;
}

export function leftoverNote({ ended, running }: Leftovers): string | undefined {
  if (ended > 0) {
    const what =
      ended === 1 ? "A process that it left running was" : `${ended} processes that it left running were`;
    return `${what} ended. Use background: true for a server.`;
  }
  if (running === 0) return undefined;
  const what =
    running === 1 ? "A process that it started runs on" : `${running} processes that it started run on`;
  return `${what} until mini-cc ends; nothing of its output is shown from now on.`;
}

export function bracketed(notes: readonly (string | undefined)[]): string[] {
  return notes.flatMap((note) => (note === undefined ? [] : [`[${note}]`]));
}
