import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

export interface Shell {
  /** What a command line is appended to. */
  argv: readonly string[];
  /** Whether it is the shell whose grammar the policy reads; otherwise nothing runs unasked. */
  isBash: boolean;
}

/** A program line that runs a command line. */
export interface ShellLine {
  argv: readonly string[];
  /** Variables that it needs on top of the command's own. */
  env: Readonly<Record<string, string>>;
  /** Whether it tells on file descriptor 3 how it ended: see `readShellReport`. */
  takesReport: boolean;
}

/** What bash tells of a line at its end. */
export interface ShellReport {
  /** Exit codes of all programs of its last pipeline, or the one of its last program; undefined if not known. */
  statuses: readonly number[] | undefined;
  /** Processes that the line has left running, where the shell can see that these are its own. */
  leftRunning: number;
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

/** The line reaches bash in this variable, so that `pkill -f` in it does not find the shell that runs it. */
const LINE_VARIABLE = "MINI_CC_LINE";
/** High, since scripts use the low ones. */
const REPORT_DESCRIPTOR = 97;

/** Comes after the line, where PIPESTATUS still speaks of it. */
const TAKE_STATUSES = '\n{ _mini_cc="$? ${PIPESTATUS[*]}"; set +x; } 2>/dev/null';

/**
 * Waits a moment for what the line has left, such as the end of a process substitution, and counts the rest. For a
 * process namespace of its own, whose first process is the sandbox and the second this shell.
 */
const COUNT_LEFT =
  "; for _ in 1 2 3 4 5; do set -- /proc/[0-9]*; [ $# -le 2 ] && break; sleep 0.05; done; echo $(($# - 2))";

/**
 * Runs a line in the shell. In bash it runs as `bash -c LINE` would, but that a line which ends by itself tells how. One
 * that replaces the shell by `exec` or sets a trap of its own for EXIT does not, and of one that may have no end, such
 * as a here-document, the exit codes in a pipeline are not known.
 */
export function shellLine(shell: Shell, command: string, options: { ownsProcesses: boolean }): ShellLine {
  if (!shell.isBash) return { argv: [...shell.argv, command], env: {}, takesReport: false };
  const report = `echo "$_mini_cc"${options.ownsProcesses ? COUNT_LEFT : ""}`;
  const script = [
    `exec ${REPORT_DESCRIPTOR}>&3 3>&-`,
    `trap '{ set +x; { ${report}; } >&${REPORT_DESCRIPTOR}; } 2>/dev/null' EXIT`,
    "_mini_cc=",
    `BASH_EXECUTION_STRING=$${LINE_VARIABLE}`,
    `unset ${LINE_VARIABLE}`,
    'eval "$BASH_EXECUTION_STRING"',
    "exit ${_mini_cc%% *}",
  ].join("; ");
  const mayGoOn = command.includes("<<") || command.endsWith("\\");
  const line = mayGoOn ? command : command + TAKE_STATUSES;
  return { argv: [...shell.argv, script], env: { [LINE_VARIABLE]: line }, takesReport: true };
}

export function readShellReport(text: string): ShellReport {
  const [first = "", left = "0"] = text.split("\n");
  const [, ...statuses] = first.split(" ").map(Number);
  return { statuses: statuses.length > 0 ? statuses : undefined, leftRunning: Number(left) };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
