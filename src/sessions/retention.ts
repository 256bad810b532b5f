import type { SessionFile } from "./session-files.js";

/** How long sessions are kept; undefined is no limit. */
export interface RetentionLimits {
  /** Since a session was last used. */
  days: number | undefined;
  /** Of all sessions together. */
  bytes: number | undefined;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * The sessions beyond the limits: those that were not used for too long, and those that are too much, of which the ones
 * used longest ago. The newest always stays.
 *
 * @param files the one used last first
 */
export function beyondLimits(
  files: readonly SessionFile[],
  { days = Infinity, bytes = Infinity }: RetentionLimits,
  now: Date,
): SessionFile[] {
  let total = 0;
  return files.filter((file, index) => {
    total += file.bytes;
    const isOld = now.getTime() - file.usedAt.getTime() > days * DAY_MS;
    return index > 0 && (isOld || total > bytes);
  });
}
