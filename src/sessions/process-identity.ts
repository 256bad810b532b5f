import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/**
 * When a process started, as text that no other process with the same number ever has; undefined if there is no such
 * process. Where the system does not tell, the number alone has to do.
 */
export function processStart(pid: number): string | undefined {
  if (!exists(pid)) return undefined;
  if (process.platform === "linux") {
    const stat = readProc(`${pid}/stat`);
    // "pid (name) state …", the name may hold anything; the start, in ticks since the system started, is field 22.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (fields[0] === "Z" || fields[0] === "X") return undefined;
    if (fields[19] !== undefined) return `${fields[19]}@${readProc("sys/kernel/random/boot_id").trim()}`;
  }
  const { stdout } = spawnSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" });
  return stdout ? stdout.trim() : "unknown";
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It belongs to another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

function readProc(file: string): string {
  try {
    return readFileSync(`/proc/${file}`, "latin1");
  } catch {
    // No /proc, or the process has just ended.
    return "";
  }
}
