import { EXIT, UserError } from "../errors.js";
import type { SessionRecord } from "../sessions/records.js";
import type { SessionLog } from "../sessions/session-log.js";
import type { SessionStore } from "../sessions/session-store.js";

/** What a session goes on from. */
export interface ResumedSession {
  log: SessionLog;
  records: readonly SessionRecord[];
  /** Lines of its file that could not be read. */
  damagedLines: number;
}

/** Opens a saved session: by its id, or the latest of the workspace. Throws UserError if there is none. */
export async function resumeSession(
  store: SessionStore,
  wanted: { id: string } | "latest",
): Promise<ResumedSession> {
  const id = wanted === "latest" ? await store.latest() : wanted.id;
  if (id === undefined) {
    throw new UserError("there is no earlier session in this folder", {
      code: "no-session",
      hint: "Leave out --continue to start one",
      exitCode: EXIT.usage,
    });
  }
  const { records, damagedLines } = await store.read(id);
  return { log: await store.reopen(id), records, damagedLines };
}

/** A session's file begins with what the session is and was told, and only once there is something worth keeping. */
export function beginningWith(
  start: readonly SessionRecord[],
  log: SessionLog,
  hasBegun: boolean,
): SessionLog & { hasBegun(): boolean } {
  let begun = hasBegun;
  return {
    ...log,
    hasBegun: () => begun,
    append(record) {
      if (!begun) for (const first of start) log.append(first);
      begun = true;
      log.append(record);
    },
  };
}
