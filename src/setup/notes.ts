import { relative } from "node:path";
import type { AgentEvent } from "../agent/agent-events.js";
import { estimateTokens } from "../context/token-estimate.js";
import type { NotesFile } from "../notes/find-notes.js";
import { findNotes } from "../notes/find-notes.js";
import type { FittedNotes } from "../notes/fit-notes.js";
import { fitNotes, NOTES_SHARE } from "../notes/fit-notes.js";
import type { SessionRecord } from "../sessions/records.js";

type Notice = Extract<AgentEvent, { type: "notice" }>;

export interface NotesPlace {
  workspaceRoot: string;
  /** The user's configuration. */
  configFolder: string;
}

/** What a session is told of notes, and what the user should know about them. */
export interface ReadNotes {
  files: readonly NotesFile[];
  notices: Notice[];
}

/** The notes for a session that begins, or that reads them again. */
export async function readNotes({ workspaceRoot, configFolder }: NotesPlace): Promise<ReadNotes> {
  const { files, refused } = await findNotes(workspaceRoot, configFolder);
  const notices = refused.map(({ path, because }) =>
    notice("warning", "notes-refused", `the notes in ${path} are not read: ${because}`),
  );
  return { files, notices };
}

/**
 * The notes for a session that goes on: those that it was told, so that its requests begin with the same bytes.
 */
export async function resumedNotes(place: NotesPlace, records: readonly SessionRecord[]): Promise<ReadNotes> {
  const files = records.findLast((record) => record.type === "notes")?.files ?? [];
  const present = await readNotes(place);
  if (isSame(files, present.files)) return { files, notices: present.notices };
  const text =
    "the notes have changed since this session read them; it goes on with the old ones until /reload or a new session";
  return { files, notices: [...present.notices, notice("info", "notes-changed", text)] };
}

export function isSame(a: readonly NotesFile[], b: readonly NotesFile[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ path, text }, index) => path === b[index]?.path && text === b[index].text)
  );
}

export function notesRecord(files: readonly NotesFile[]): SessionRecord {
  return { type: "notes", at: new Date().toISOString(), files: [...files] };
}

/** What of the notes there is room for in a window of so many tokens. */
export function notesFor(files: readonly NotesFile[], window: number): FittedNotes[] {
  return fitNotes(files, Math.floor(window * NOTES_SHARE), estimateTokens);
}

/** As the model is told them. */
export function toldNotes(
  notes: readonly FittedNotes[],
  workspaceRoot: string,
): { from: string; text: string }[] {
  return notes
    .filter(({ text }) => text !== "")
    .map((file) => ({
      from: file.isUsers ? "the user, for every project" : relative(workspaceRoot, file.path),
      text: isCut(file)
        ? `${file.text}\n\n[The rest of this file was left out for want of room.]`
        : file.text,
    }));
}

export function cutNotices(notes: readonly FittedNotes[]): Notice[] {
  return notes.filter(isCut).map(({ path, tokens, wholeTokens, isWhole }) => {
    const whole = `${isWhole ? "about" : "more than"} ${wholeTokens} tokens`;
    const text = `${path} is too long for this window: the model is told the first ${tokens} of ${whole}`;
    return notice("warning", "notes-cut", text);
  });
}

function isCut({ tokens, wholeTokens, isWhole }: FittedNotes): boolean {
  return tokens < wholeTokens || !isWhole;
}

function notice(level: Notice["level"], code: string, text: string): Notice {
  return { type: "notice", level, code, text };
}
