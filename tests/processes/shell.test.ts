import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { findShell, readShellReport, shellLine } from "../../src/processes/shell.js";

const bash = findShell(process.env["PATH"] ?? "");
const env = { PATH: process.env["PATH"] };

/** Line by line what bash itself does with `bash -c`, and what it does with our line. */
function both(command: string) {
  const [shell = "", ...options] = bash.argv;
  const plain = spawnSync(shell, [...options, command], { env, encoding: "utf8" });
  const line = shellLine(bash, command, { ownsProcesses: false });
  const [, ...args] = line.argv;
  const ours = spawnSync(shell, args, {
    env: { ...env, ...line.env },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  return { plain, ours, report: readShellReport(ours.output[3] ?? "") };
}

describe.skipIf(!bash.isBash)("a line in the shell", () => {
  it.each([
    "echo a; echo b >&2",
    "exit 3",
    "f() { return 7; }; f",
    "false",
    "false | true",
    "! false | true",
    "set -o pipefail; false | true",
    "set -e; false; echo not reached",
    "set -u; echo $unset; echo not reached",
    "set -x; echo traced",
    'echo $# $0 $1 "$@"',
    "echo $LINENO\necho $LINENO",
    "nosuchprogram\nnosuchprogram",
    "echo 'open",
    "if then",
    "echo a \\",
    "echo a # comment",
    "( echo a",
    "cat <<X\ntext",
    "cat <<X\ntext\nX",
    "kill -TERM $$",
    "exec sh -c 'exit 4'",
    "trap 'echo bye' EXIT; exit 5",
    "return 2",
    '[ -n "$MINI_CC_LINE" ] && echo set; env | grep MINI_CC',
  ])("does what bash -c does: %j", (command) => {
    const { plain, ours } = both(command);
    // Only the names of the place, the number of an unfinished line and the depth of a trace are others.
    const normal = (text: string) => text.replace(/(-c|eval): line \d+/g, "line").replace(/^\++/gm, "+");
    expect(ours.stdout).toBe(plain.stdout);
    expect(normal(ours.stderr)).toBe(normal(plain.stderr));
    expect({ status: ours.status, signal: ours.signal }).toEqual({
      status: plain.status,
      signal: plain.signal,
    });
  });

  it.each([
    ["false | true", [1, 0]],
    ["(exit 3) | cat | false", [3, 0, 1]],
    ["yes | head -1", [141, 0]],
    ["false | true; false", [1]],
    ["a=1", [0]],
    ["set -x; false | true", [1, 0]],
    ["exit 3", undefined],
    ["trap : EXIT; false | true", undefined],
    ["exec true", undefined],
    ["false | true \\", undefined],
    ["cat <<X | false\nX", undefined],
  ])("tells the exit codes of its last pipeline: %s", (command, statuses) => {
    expect(both(command).report).toEqual({ statuses, leftRunning: 0 });
  });

  it("is not found by a program that looks for it among the processes", () => {
    const { ours } = both("sleep 0 & pgrep -f 'is_this_found' || echo none");
    expect(ours.stdout).toBe("none\n");
  });
});

it("without bash the line is passed on as it is", () => {
  const sh = findShell("").isBash ? { argv: ["/bin/sh", "-c"], isBash: false } : findShell("");
  expect(shellLine(sh, "echo a", { ownsProcesses: false })).toEqual({
    argv: ["/bin/sh", "-c", "echo a"],
    env: {},
    takesReport: false,
  });
});
