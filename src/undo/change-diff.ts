import { unifiedDiff } from "../tools/file-diff.js";
import { decodeText } from "../tools/text-file.js";
import type { Change } from "./change-set.js";
import { readKept } from "./pack.js";
import { displayOf } from "./path-key.js";
import type { PathKey } from "./path-key.js";
import type { PathState } from "./path-state.js";
import { sameState } from "./path-state.js";

/** One change as it is shown. */
export interface ShownChange {
  /** Relative to the workspace. */
  path: string;
  what: "created" | "deleted" | "changed";
  kind: "file" | "folder" | "link";
  /** Permission bits before and after, where they alone or too have changed. */
  modes?: [number, number];
  /** Unified; undefined where there is none to show. */
  diff?: string;
  /** Why there is no diff of the content. */
  unshown?: "binary" | "large" | "not-kept" | "too-many";
}

/** Bytes of a file beyond which no diff is made. */
const MAX_DIFF_BYTES = 1024 * 1024;
/** Files of which a diff is made; the others are named. */
const MAX_DIFFS = 200;

/** Changes of several turns, oldest first, as those of one. */
export function joinChanges(changes: readonly Change[]): Change[] {
  const joined = new Map<PathKey, Change>();
  for (const { path, before, after } of changes) {
    joined.set(path, { path, before: joined.get(path)?.before ?? before, after });
  }
  return [...joined.values()].filter(({ before, after }) => !sameState(before, after));
}

/** In the order of paths, with diffs. */
export function showChanges(changes: readonly Change[]): ShownChange[] {
  let diffs = 0;
  return worthShowing(changes).map((change) => {
    const shown = outline(change);
    if (shown.kind === "folder" || sameText(change)) return shown;
    if (diffs++ >= MAX_DIFFS) return { ...shown, unshown: "too-many" };
    return { ...shown, ...contentDiff(change) };
  });
}

/** In the order of paths, without diffs. */
export function listChanges(changes: readonly Change[]): ShownChange[] {
  return worthShowing(changes).map(outline);
}

/** Without folders that came or went with their files. */
function worthShowing(changes: readonly Change[]): Change[] {
  const holds = new Set(changes.flatMap(({ path }) => foldersOf(path)));
  return changes
    .filter(({ path, before, after }) => {
      const comesOrGoes = before.kind === "absent" || after.kind === "absent";
      return !(comesOrGoes && kindOf(before, after) === "folder" && holds.has(path));
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

function outline({ path, before, after }: Change): ShownChange {
  const what = before.kind === "absent" ? "created" : after.kind === "absent" ? "deleted" : "changed";
  const modes = "mode" in before && "mode" in after && before.mode !== after.mode;
  return {
    path: displayOf(path),
    what,
    kind: kindOf(before, after),
    ...(modes && { modes: [before.mode, after.mode] }),
  };
}

function kindOf(before: PathState, after: PathState): ShownChange["kind"] {
  const state = after.kind === "absent" ? before : after;
  return state.kind === "absent" ? "file" : state.kind;
}

function sameText({ before, after }: Change): boolean {
  return (
    before.kind === "file" && after.kind === "file" && before.hash !== undefined && before.hash === after.hash
  );
}

function contentDiff({ path, before, after }: Change): Pick<ShownChange, "diff" | "unshown"> {
  const [old, now] = [textOf(before), textOf(after)];
  for (const text of [old, now]) if (typeof text === "object") return text;
  if (typeof old === "object" || typeof now === "object") return {};
  return { diff: unifiedDiff(displayOf(path), old, now ?? "") };
}

/** Undefined for nothing; where a link leads is its text. */
function textOf(state: PathState): string | undefined | Pick<ShownChange, "unshown"> {
  if (state.kind === "link") return `${displayOf(state.target)}\n`;
  if (state.kind !== "file") return undefined;
  if (state.size > MAX_DIFF_BYTES) return { unshown: "large" };
  try {
    const decoded = decodeText(readKept(state));
    return decoded.kind === "text" ? decoded.text : { unshown: "binary" };
  } catch {
    // Too large to be kept, not readable, or taken away by cleaning.
    return { unshown: "not-kept" };
  }
}

function foldersOf(path: PathKey): PathKey[] {
  const parts = path.split("/");
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join("/"));
}
