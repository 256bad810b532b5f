import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { ExitCode } from "../../errors.js";
import { EXIT, messageOf, UserError } from "../../errors.js";
import { printable } from "../../printable.js";
import type { SavedSession } from "../../sessions/session-file.js";
import { transcriptOf } from "../../sessions/transcript.js";
import type { Messages } from "../messages/catalogue.js";
import { EXPORT_FORMATS } from "../formats.js";
import type { CommandContext } from "../program.js";
import { jsonLine } from "../render/json-line.js";
import { oneOf } from "../usage-error.js";
import { damageLines, openSaved, savedSessions } from "./saved-session.js";
import { sessionMarkdown } from "./session-markdown.js";

export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** `mini-cc sessions export ID`: the whole session on standard output or in a file, which is replaced. */
export async function exportSession(
  context: CommandContext,
  beginning: string,
  given: { all?: boolean; format: string; output?: string },
): Promise<ExitCode> {
  const format = oneOf(EXPORT_FORMATS, given.format, {
    name: "--format",
    command: "mini-cc sessions export",
    messages: context.messages,
  });
  const saved = await savedSessions(context, { all: given.all });
  const { messages } = saved;
  const { session } = await openSaved(saved, beginning);
  for (const line of damageLines(session, messages)) process.stderr.write(`${line}\n`);
  const text = exportText(session, format, messages);
  if (given.output === undefined || given.output === "-") {
    process.stdout.write(text);
  } else {
    const path = resolve(given.output);
    await writeExport(path, text, messages, "replace");
    process.stderr.write(`${printable(messages.sessions.exported(path))}\n`);
  }
  return EXIT.done;
}

export function exportText(session: SavedSession, format: ExportFormat, messages: Messages): string {
  const transcript = transcriptOf(session.records);
  if (format === "md") return sessionMarkdown(transcript, messages);
  const { header, title, model, turns } = transcript;
  return jsonLine({
    id: header?.id ?? null,
    title: title ?? null,
    cwd: header?.cwd ?? null,
    model,
    startedAt: header?.at ?? null,
    version: header?.version ?? null,
    parent: header?.parent ?? null,
    turns: turns.map(({ outcome, ...turn }) => ({ ...turn, outcome: outcome ?? null })),
  });
}

/** Throws UserError; with "new" also if the file is there already. */
export async function writeExport(
  path: string,
  text: string,
  { sessions }: Messages,
  mode: "new" | "replace",
): Promise<void> {
  try {
    await writeFile(path, text, { flag: mode === "new" ? "wx" : "w" });
  } catch (cause) {
    throw new UserError(sessions.cannotWrite(path, messageOf(cause)), {
      code: "export-not-writable",
      hint: sessions.cannotWriteHint,
      cause,
    });
  }
}
