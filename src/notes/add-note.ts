import { constants, open } from "node:fs/promises";
import { join } from "node:path";
import { foldersUpToRepository } from "../config/find-files.js";
import { messageOf, UserError } from "../errors.js";
import { NOTES_NAMES } from "./find-notes.js";
import type { PlainText } from "./read-plain-text.js";
import { readPlainText } from "./read-plain-text.js";

/** Bytes of a file that a note may be added to. */
const MAX_BYTES = 1024 * 1024;

/** A line that is ready to be appended. */
export interface Addition {
  path: string;
  /** Content of the file; empty if there is none yet. */
  before: string;
  after: string;
  /** Throws UserError, also if the file is no longer what `before` says. */
  append(): Promise<void>;
}

/**
 * Prepares a note for the workspace's own file, which is made if there is none. Throws UserError if nothing can be
 * appended to it.
 */
export async function prepareNote(workspaceRoot: string, note: string): Promise<Addition> {
  const within = (await foldersUpToRepository(workspaceRoot)).at(-1);
  const line = `- ${note.trim().replace(/\s+/g, " ")}`;
  for (const name of NOTES_NAMES) {
    const path = join(workspaceRoot, name);
    const found = await readPlainText(path, { within, maxBytes: MAX_BYTES });
    if (found.kind !== "missing") return toExisting(path, found, line);
  }
  const path = join(workspaceRoot, NOTES_NAMES[0]);
  const after = `${line}\n`;
  const append = () => write(path, constants.O_CREAT | constants.O_EXCL, after, 0);
  return { path, before: "", after, append };
}

function toExisting(path: string, found: Exclude<PlainText, { kind: "missing" }>, line: string): Addition {
  if (found.kind === "refused") throw notWritable(path, found.because);
  if (!found.isWhole) throw notWritable(path, `it is larger than ${MAX_BYTES} bytes`);
  const { text: before, real, bytes } = found;
  const lineEnd = before.includes("\r\n") ? "\r\n" : "\n";
  const last = before.trimEnd().split(/\r?\n/).at(-1) ?? "";
  const isList = last === "" || /^\s*[-*+] /.test(last);
  const gap = before === "" ? "" : (before.endsWith("\n") ? "" : lineEnd) + (isList ? "" : lineEnd);
  const added = `${gap}${line}${lineEnd}`;
  const append = () => write(real, constants.O_APPEND, added, bytes);
  return { path, before, after: before + added, append };
}

/** `size`: bytes of the file that the text comes behind. */
async function write(path: string, flags: number, text: string, size: number): Promise<void> {
  try {
    const handle = await open(path, constants.O_WRONLY | constants.O_NOFOLLOW | flags);
    try {
      if ((await handle.stat()).size !== size) throw new Error("it changed meanwhile");
      await handle.writeFile(text);
    } finally {
      await handle.close();
    }
  } catch (cause) {
    throw notWritable(path, messageOf(cause));
  }
}

function notWritable(path: string, because: string): UserError {
  return new UserError(`nothing was added to ${path}: ${because}`, {
    code: "notes-not-writable",
    hint: "Add the line with an editor, or mend the file and try again.",
  });
}
