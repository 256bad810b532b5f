import { execFile } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { livingMembers } from "./process-list.js";
import type { ProcessTree } from "./process-list.js";

/** From SIGTERM to SIGKILL. */
const GRACE_MS = 1_000;
/** What still lives this long after SIGKILL hangs in the kernel. */
const KILL_WAIT_MS = 2_000;
const POLL_MS = 20;

/** Whether anything is left of a process group. Zombies may count. */
export function groupExists(group: number): boolean {
  if (process.platform === "win32") return false;
  try {
    process.kill(-group, 0);
    return true;
  } catch {
    return false;
  }
}

/** Ends a process tree, politely at first, and waits until it is gone. Returns how many processes there were. */
export async function endTree(tree: ProcessTree): Promise<number> {
  if (process.platform === "win32") return endTreeOnWindows(tree);
  const count = await signalLiving(tree, "SIGTERM");
  if (count > 0 && !(await goneWithin(tree, GRACE_MS))) {
    await signalLiving(tree, "SIGKILL");
    await goneWithin(tree, KILL_WAIT_MS);
  }
  return count;
}

async function goneWithin(tree: ProcessTree, limitMs: number): Promise<boolean> {
  const limit = performance.now() + limitMs;
  while (performance.now() < limit) {
    await delay(POLL_MS);
    if ((await livingMembers(tree)).length === 0) return true;
  }
  return false;
}

async function signalLiving(tree: ProcessTree, signal: NodeJS.Signals): Promise<number> {
  const pids = await livingMembers(tree);
  if (tree.group !== undefined) send(-tree.group, signal);
  for (const pid of pids) send(pid, signal);
  return pids.length;
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone already, or no longer ours to end: the caller looks again.
  }
}

async function endTreeOnWindows({ group }: ProcessTree): Promise<number> {
  if (group === undefined) return 0;
  try {
    await promisify(execFile)("taskkill", ["/PID", String(group), "/T", "/F"]);
    return 1;
  } catch {
    // No such process any more.
    return 0;
  }
}
