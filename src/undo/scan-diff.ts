import type { PathKey } from "./path-key.js";
import type { PathState } from "./path-state.js";
import { ABSENT, sameState } from "./path-state.js";
import type { Scan, ScannedState } from "./scan.js";

export interface Difference {
  path: PathKey;
  before: PathState;
  after: PathState;
}

/** Two moments of the workspace; `leftOut` is undefined where the rules of the moment are not known. */
export type Moment = Pick<Scan, "states"> & Partial<Pick<Scan, "leftOut">>;

/**
 * What lies between two scans. A path that one of them left out (another .gitignore, a folder that could not be read)
 * has not appeared or gone for that.
 */
export function differences(earlier: Moment, later: Moment): Difference[] {
  const found: Difference[] = [];
  for (const [path, before] of earlier.states) {
    const after = later.states.get(path);
    if (after === before) continue;
    if (after === undefined) {
      if (isLeftOut(later, path, before)) continue;
      found.push({ path, before, after: ABSENT });
    } else if (!sameState(before, after)) {
      found.push({ path, before, after });
    }
  }
  for (const [path, after] of later.states) {
    if (earlier.states.has(path) || isLeftOut(earlier, path, after)) continue;
    found.push({ path, before: ABSENT, after });
  }
  return found;
}

function isLeftOut({ leftOut }: Moment, path: PathKey, state: ScannedState): boolean {
  return leftOut?.(path, state.kind === "folder") ?? false;
}
