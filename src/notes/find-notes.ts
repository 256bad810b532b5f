import { join } from "node:path";
import { foldersUpToRepository } from "../config/find-files.js";
import { printable } from "../printable.js";
import { readPlainText } from "./read-plain-text.js";

/** By precedence: the second counts in a folder without the first. */
export const NOTES_NAMES = ["AGENTS.md", "CLAUDE.md"] as const;
/** Bytes of a file that are read; more than most context windows have room for. */
const MAX_BYTES = 64 * 1024;

/** A file of notes as it was read. */
export interface NotesFile {
  /** Absolute, as it was looked for. */
  path: string;
  /** The user's own file, which counts in every project. */
  isUsers: boolean;
  /** With "\n" between lines, and nothing in it that a reader of the file would not see. */
  text: string;
  /** False for the beginning of a huge file. */
  isWhole: boolean;
}

export interface FoundNotes {
  /** From the general to the particular: the user's own, the repository's root, …, the workspace. */
  files: NotesFile[];
  refused: { path: string; because: string }[];
}

/**
 * The notes for a workspace: text for the model, which never permits anything. A file of the project counts only if it
 * really lies inside the repository (without one, the workspace); the user's own may be a link to anywhere.
 */
export async function findNotes(workspaceRoot: string, configFolder: string): Promise<FoundNotes> {
  const found: FoundNotes = { files: [], refused: [] };
  const folders = (await foldersUpToRepository(workspaceRoot)).reverse();
  const root = folders[0] ?? workspaceRoot;
  // Links of two folders may lead to one file.
  const seen = new Set<string>();

  async function take(path: string, isUsers: boolean): Promise<boolean> {
    const notes = await readPlainText(path, { within: isUsers ? undefined : root, maxBytes: MAX_BYTES });
    if (notes.kind === "missing") return false;
    if (notes.kind === "refused") {
      found.refused.push({ path, because: notes.because });
      return true;
    }
    const text = printable(notes.text).trimEnd();
    if (text !== "" && !seen.has(notes.real)) {
      found.files.push({ path, isUsers, text, isWhole: notes.isWhole });
    }
    seen.add(notes.real);
    return true;
  }

  await take(join(configFolder, NOTES_NAMES[0]), true);
  for (const folder of folders) {
    for (const name of NOTES_NAMES) {
      if (await take(join(folder, name), false)) break;
    }
  }
  return found;
}
