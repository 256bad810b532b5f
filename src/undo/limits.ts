// What undo covers and keeps. The README names these figures.

const MEGABYTE = 1024 * 1024;

/** Bytes; of a larger file it is noticed that it changed, but its content is not kept. */
export const MAX_FILE_BYTES = 32 * MEGABYTE;

/** How large a workspace may be; what commands change in a larger one is not covered. */
export const SCAN_LIMITS = {
  /** Files, links and folders. */
  entries: 100_000,
  /** Bytes of all files that are kept. */
  bytes: 512 * MEGABYTE,
  /** That looking through it may take; the next session goes on where this one gave up. */
  milliseconds: 20_000,
};

export type ScanLimits = Readonly<typeof SCAN_LIMITS>;

/** Days after which changes can no longer be undone. */
export const MAX_AGE_DAYS = 30;

/** Turns of one workspace whose changes are kept; the oldest go first. */
export const MAX_TURNS = 500;

/** Bytes of everything that is kept, of all workspaces together; the oldest goes first. */
export const MAX_TOTAL_BYTES = 2_048 * MEGABYTE;
