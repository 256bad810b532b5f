import type { Stats } from "node:fs";

/** What lies at a path. Links are links, never what they lead to. */
export type PathState =
  | { kind: "absent" }
  | { kind: "folder"; mode: number }
  | { kind: "link"; /** Its bytes as Latin-1. */ target: string }
  | FileState;

export interface FileState {
  kind: "file";
  mode: number;
  size: number;
  /** SHA-256 of the content; undefined where it was not read: too large, or not readable. */
  hash?: string;
  /** Where the content is kept. */
  kept?: Kept;
  /** Another stamp means that the file may have changed. */
  stamp: string;
}

/** A place in a pack file. */
export interface Kept {
  pack: string;
  offset: number;
}

export const ABSENT: PathState = { kind: "absent" };

/** Whether nothing that can be restored differs. */
export function sameState(a: PathState, b: PathState): boolean {
  switch (a.kind) {
    case "absent":
      return b.kind === "absent";
    case "folder":
      return b.kind === "folder" && a.mode === b.mode;
    case "link":
      return b.kind === "link" && a.target === b.target;
    case "file":
      return b.kind === "file" && a.mode === b.mode && sameContent(a, b);
  }
}

function sameContent(a: FileState, b: FileState): boolean {
  return a.hash === undefined || b.hash === undefined ? a.stamp === b.stamp : a.hash === b.hash;
}

/** Whether the state can be brought back. */
export function isKept(state: PathState): boolean {
  return state.kind !== "file" || state.kept !== undefined;
}

export function withoutContent({ kind, mode, size, hash, stamp }: FileState): FileState {
  return { kind, mode, size, stamp, ...(hash !== undefined && { hash }) };
}

export function permissionBits(stats: Stats): number {
  return stats.mode & 0o7777;
}

/** The change time is in it: no program can set that back. */
export function stampOf(stats: Stats): string {
  return [stats.size, stats.mtimeMs, stats.ctimeMs, stats.ino].join(":");
}
