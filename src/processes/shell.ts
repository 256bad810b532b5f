import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

export interface Shell {
  /** What a command line is appended to. */
  argv: readonly string[];
  /** Whether it is the shell whose grammar the policy reads; otherwise nothing runs unasked. */
  isBash: boolean;
}

/** Tried before PATH, which a project's set-up may have changed. */
const USUAL_PLACES = ["/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash", "/opt/homebrew/bin/bash"];

/**
 * The shell that runs commands: bash by its absolute path, without start-up files and (`-p`) without functions and
 * options from the environment, so that what runs is what was judged.
 */
export function findShell(pathVariable: string): Shell {
  const onPath = pathVariable
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .map((folder) => join(folder, process.platform === "win32" ? "bash.exe" : "bash"));
  const bash = [...USUAL_PLACES, ...onPath].find(isExecutable);
  return bash === undefined
    ? { argv: ["/bin/sh", "-c"], isBash: false }
    : { argv: [bash, "--noprofile", "--norc", "-p", "-c"], isBash: true };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
