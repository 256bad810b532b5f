import { readdirSync, realpathSync } from "node:fs";
import { describeError, errorCode } from "../tools/tool-failure.js";
import { nameOf, parentOf, pathOf } from "./path-key.js";
import type { PathKey } from "./path-key.js";
import type { PathState } from "./path-state.js";
import { ABSENT } from "./path-state.js";
import { readState } from "./read-state.js";

/** What lies at a path now, or why that cannot be told or changed safely (a clause). */
export type Present = PathState | { kind: "unreachable"; because: string };

/** Looks at paths of a workspace that nothing changes meanwhile; every folder is looked into once. */
export interface PresentState {
  of(path: PathKey): Present;
  /** Names in a folder, or undefined if it is none. */
  namesIn(folder: PathKey): ReadonlySet<string> | undefined;
}

/** Undefined: no such folder. Text: why it cannot be looked into. */
type Names = ReadonlySet<string> | string | undefined;

export function lookAtPresent(root: string): PresentState {
  const folders = new Map<PathKey, Names>();

  function namesOf(folder: PathKey): Names {
    if (!folders.has(folder)) folders.set(folder, readNames(pathOf(root, folder)));
    return folders.get(folder);
  }

  return {
    of(path) {
      const names = namesOf(parentOf(path));
      if (typeof names === "string") return { kind: "unreachable", because: names };
      // Some file systems find a file under other spellings of its name.
      if (names?.has(nameOf(path).toString("latin1")) !== true) return ABSENT;
      const state = readState(pathOf(root, path));
      return state ?? { kind: "unreachable", because: "what lies there is neither a file nor a folder" };
    },
    namesIn(folder) {
      const names = namesOf(folder);
      return typeof names === "string" ? undefined : names;
    },
  };
}

function readNames(folder: string | Buffer): Names {
  try {
    const real = realpathSync.native(folder, { encoding: "buffer" });
    if (!real.equals(Buffer.from(folder))) return "a folder above it is a link by now";
    return new Set(readdirSync(folder, { encoding: "latin1" }));
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(errorCode(error) ?? "")) return undefined;
    return `its folder cannot be read: ${describeError(error)}`;
  }
}
