import type { Change } from "./change-set.js";
import { depthOf, parentOf } from "./path-key.js";
import type { PathKey } from "./path-key.js";
import type { PathState } from "./path-state.js";
import { isKept, sameState } from "./path-state.js";
import type { PresentState } from "./present.js";

/** One path from what lies there now to what lay there before. */
export interface Step {
  path: PathKey;
  from: PathState;
  to: PathState;
}

export interface RestorePlan {
  steps: readonly Step[];
  /** Of the steps those that would destroy what nobody but the user, or another program, has written. */
  newer: readonly PathKey[];
  /** Paths whose content was not kept; they stay as they are. */
  lost: readonly PathKey[];
  /** What makes it impossible; `because` is a clause. */
  blocked: readonly { path: PathKey; because: string }[];
}

/** What has to be done so that every changed path is as before. Nothing is done yet. */
export function planRestore(changes: readonly Change[], present: PresentState): RestorePlan {
  const steps: Step[] = [];
  const newer: PathKey[] = [];
  const lost: PathKey[] = [];
  const blocked: { path: PathKey; because: string }[] = [];
  for (const { path, before: to, after, mixed } of changes) {
    const from = present.of(path);
    if (from.kind === "unreachable") {
      blocked.push({ path, because: from.because });
    } else if (!sameState(from, to)) {
      if (!isKept(to)) {
        lost.push(path);
        continue;
      }
      steps.push({ path, from, to });
      if (mixed || !sameState(from, after)) newer.push(path);
    }
  }
  const going = new Set(steps.filter(({ to }) => to.kind === "absent").map(({ path }) => path));
  const coming = new Map(steps.map(({ path, to }) => [path, to]));
  const kept = foldersToKeep(steps, going, present);
  for (const { path, to } of steps) {
    if (kept.has(path) && to.kind !== "absent") {
      blocked.push({ path, because: "it is a folder by now that holds other files" });
    }
    if (to.kind !== "absent" && inTheWay(parentOf(path), coming, present)) {
      blocked.push({ path, because: "the folder that it was in is something else by now" });
    }
  }
  return {
    steps: steps.filter(({ path, to }) => !kept.has(path) || to.kind !== "absent"),
    newer: newer.filter((path) => !kept.has(path)),
    lost,
    blocked,
  };
}

/** Folders that would go but hold what stays: files that came later, or what is never touched. */
function foldersToKeep(
  steps: readonly Step[],
  going: ReadonlySet<PathKey>,
  present: PresentState,
): Set<PathKey> {
  const kept = new Set<PathKey>();
  const folders = steps.filter(({ from, to }) => from.kind === "folder" && to.kind !== "folder");
  for (const { path } of folders.sort((a, b) => depthOf(b.path) - depthOf(a.path))) {
    const names = [...(present.namesIn(path) ?? [])];
    const stays = names.some((name) => !going.has(`${path}/${name}`) || kept.has(`${path}/${name}`));
    if (stays) kept.add(path);
  }
  return kept;
}

/** Whether something that is no folder lies where a folder must be, and stays. */
function inTheWay(folder: PathKey, coming: ReadonlyMap<PathKey, PathState>, present: PresentState): boolean {
  if (folder === "") return false;
  const planned = coming.get(folder);
  if (planned !== undefined) return planned.kind !== "folder";
  const { kind } = present.of(folder);
  return kind === "absent" ? inTheWay(parentOf(folder), coming, present) : kind !== "folder";
}
