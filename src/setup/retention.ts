import { rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { AgentEvent } from "../agent/agent-events.js";
import type { LoadedConfig } from "../config/load-config.js";
import type { Config } from "../config/schema.js";
import { readStateFile, writeStateFile } from "../config/state-file.js";
import { messageOf } from "../errors.js";
import { debugFileOf } from "../model/debug-record.js";
import type { RetentionLimits } from "../sessions/retention.js";
import { beyondLimits } from "../sessions/retention.js";
import type { SessionFile } from "../sessions/session-files.js";
import { allSessionFiles } from "../sessions/session-files.js";
import { lockHolder } from "../sessions/session-lock.js";
import { removeSession } from "../sessions/session-store.js";

type Notice = Extract<AgentEvent, { type: "notice" }>;

/** Paths of the sessions whose removal the user was told of. */
const schema = z.object({ announced: z.array(z.string()) });

/** The limits that the configuration sets; there 0 is none. */
export function retentionLimits({ keepDays, maxMegabytes }: Config["sessions"]): RetentionLimits {
  return { days: keepDays || undefined, bytes: maxMegabytes * 1e6 || undefined };
}

/**
 * Removes sessions beyond the limits that an earlier start has announced, and announces those that are beyond them now:
 * nothing goes without a notice before, and nothing that was used since or is in use. To be called only where the user
 * sees the notices; a failure is one of them.
 */
export async function tidySessions({ config, folders }: LoadedConfig): Promise<Notice[]> {
  try {
    return await tidy(folders.state, retentionLimits(config.sessions));
  } catch (error) {
    return [
      notice("warning", "sessions-not-tidied", `old sessions were not looked for: ${messageOf(error)}`),
    ];
  }
}

async function tidy(stateFolder: string, limits: RetentionLimits): Promise<Notice[]> {
  const path = join(stateFolder, "retention.json");
  const known = await readStateFile(path, schema);
  const before = new Set(known.kind === "value" ? known.value.announced : []);
  const files = await allSessionFiles(join(stateFolder, "sessions"));
  const due = beyondLimits(files, limits, new Date()).filter((file) => !lockHolder(file.path));
  const { removed, notices } = await remove(
    stateFolder,
    due.filter((file) => before.has(file.path)),
  );
  const announced = due.filter((file) => !removed.includes(file));
  if (removed.length > 0) notices.push(notice("info", "sessions-removed", removedText(removed)));
  const isNew = announced.some((file) => !before.has(file.path));
  // What cannot be noted as announced is not removed.
  if (isNew || announced.length < before.size) {
    await writeStateFile(path, { announced: announced.map((file) => file.path) });
  }
  if (isNew) notices.push(notice("warning", "sessions-outlived", announcedText(announced, limits)));
  return notices;
}

/** Removes a session and what was recorded of its requests. Throws UserError if a living process has it. */
export async function removeSavedSession(
  stateFolder: string,
  { id, path }: Pick<SessionFile, "id" | "path">,
): Promise<void> {
  await removeSession(path);
  await rm(debugFileOf(stateFolder, id), { force: true });
}

async function remove(
  stateFolder: string,
  due: readonly SessionFile[],
): Promise<{ removed: SessionFile[]; notices: Notice[] }> {
  const removed: SessionFile[] = [];
  const notices: Notice[] = [];
  for (const file of due) {
    try {
      await removeSavedSession(stateFolder, file);
      removed.push(file);
    } catch (error) {
      const text = `the session ${file.id} was not removed: ${messageOf(error)}`;
      notices.push(notice("warning", "session-not-removed", text));
    }
  }
  return { removed, notices };
}

function announcedText(files: readonly SessionFile[], { days, bytes }: RetentionLimits): string {
  const limits = [
    ...(days === undefined ? [] : [`not used for ${days} ${days === 1 ? "day" : "days"}`]),
    ...(bytes === undefined ? [] : [`beyond ${(bytes / 1e6).toLocaleString("en-US")} MB in all`]),
  ];
  return `${sizeText(files)} will be removed at the next start (${limits.join(", or ")}). To keep them, set sessions.keepDays and sessions.maxMegabytes in your configuration, or export them: mini-cc sessions list --all`;
}

function removedText(files: readonly SessionFile[]): string {
  return `${sizeText(files)} removed, as announced`;
}

function sizeText(files: readonly SessionFile[]): string {
  const megabytes = files.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6;
  const what = files.length === 1 ? "1 session" : `${files.length} sessions`;
  return `${what} (${megabytes.toFixed(1)} MB)`;
}

function notice(level: Notice["level"], code: string, text: string): Notice {
  return { type: "notice", level, code, text };
}
