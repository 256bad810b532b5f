import type { SessionRecord } from "../sessions/records.js";
import type { SessionLog } from "../sessions/session-log.js";

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
