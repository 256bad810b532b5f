import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a folder that its owner alone can read, and those above it that are missing. Throws where that cannot be done.
 * Node's own `recursive` tries for ever where a missing folder cannot be made either, as below /proc.
 */
export function makePrivateFolder(path: string): void {
  if (lackOf(path) === undefined) return;
  if (dirname(path) !== path) makePrivateFolder(dirname(path));
  const lack = lackOf(path);
  if (lack) throw lack;
}

/** Makes one folder; the error if the folder above is missing. */
function lackOf(path: string): NodeJS.ErrnoException | undefined {
  try {
    mkdirSync(path, { mode: 0o700 });
    return undefined;
  } catch (error) {
    const failure = error as NodeJS.ErrnoException;
    if (failure.code === "ENOENT") return failure;
    // What systems say of a folder that is there differs.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return undefined;
    throw error;
  }
}
