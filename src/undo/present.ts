import { readdirSync, realpathSync } from "node:fs";
import { describeError } from "../tools/tool-failure.js";
import { createPace } from "./pace.js";
import { nameOf, parentOf, pathOf } from "./path-key.js";
import type { PathKey } from "./path-key.js";
import type { PathState } from "./path-state.js";
import { ABSENT } from "./path-state.js";
import { readState, statsOf } from "./read-state.js";

/** What lies at a path now, or why that cannot be told or changed safely (a clause). */
type Present = PathState | { kind: "unreachable"; because: string };

/** What lies in the workspace at a moment: everything is looked at once. */
export interface PresentState {
  of(path: PathKey): Present;
  /** Names in a folder, or undefined if it is none. */
  namesIn(folder: PathKey): ReadonlySet<string> | undefined;
}

/** Undefined: no such folder. Text: why it cannot be looked into. */
type Names = ReadonlySet<string> | string | undefined;

/** Looks at the paths ahead of time, so that the interface goes on meanwhile; at others when they are asked for. */
export async function lookAtPresent(root: string, paths: Iterable<PathKey>): Promise<PresentState> {
  const folders = new Map<PathKey, Names>();
  const states = new Map<PathKey, Present>();

  /** A folder below a link is none of the workspace. */
  function namesOf(folder: PathKey): Names {
    if (folders.has(folder)) return folders.get(folder);
    let names: Names = folder === "" ? namesOfRoot(root) : namesOf(parentOf(folder));
    if (folder !== "" && typeof names === "object") {
      const name = nameOf(folder).toString("latin1");
      names = names.has(name) ? readNames(pathOf(root, folder)) : undefined;
    }
    folders.set(folder, names);
    return names;
  }

  function look(path: PathKey): Present {
    const names = namesOf(parentOf(path));
    if (typeof names === "string") return { kind: "unreachable", because: names };
    // Some file systems find a file under other spellings of its name.
    if (names?.has(nameOf(path).toString("latin1")) !== true) return ABSENT;
    const state = readState(pathOf(root, path));
    return state ?? { kind: "unreachable", because: "what lies there is neither a file nor a folder" };
  }

  const present: PresentState = {
    of(path) {
      const state = states.get(path) ?? look(path);
      states.set(path, state);
      return state;
    },
    namesIn(folder) {
      const names = namesOf(folder);
      return typeof names === "string" ? undefined : names;
    },
  };
  const pace = createPace(Infinity);
  for (const path of paths) {
    present.of(path);
    await pace();
  }
  return present;
}

function namesOfRoot(root: string): Names {
  try {
    if (realpathSync.native(root) !== root) return "the workspace is behind a link by now";
  } catch (error) {
    return `the workspace cannot be found: ${describeError(error)}`;
  }
  return readNames(root);
}

function readNames(folder: string | Buffer): Names {
  try {
    if (statsOf(folder)?.isDirectory() !== true) return undefined;
    return new Set(readdirSync(folder, { encoding: "latin1" }));
  } catch (error) {
    return `its folder cannot be read: ${describeError(error)}`;
  }
}
