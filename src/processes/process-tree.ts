import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";

/** Environment variable by which a command's descendants are found again after they left its process group. */
export const TAG_VARIABLE = "MINI_CC_COMMAND";

/** From SIGTERM to SIGKILL. */
const GRACE_MS = 1_000;
/** What still lives this long after SIGKILL hangs in the kernel. */
const KILL_WAIT_MS = 2_000;
const POLL_MS = 20;

export interface ProcessTree {
  /** Process group of the command; its leader is the command itself. */
  group?: number;
  /** Finds descendants outside the group too (Linux only). */
  tag?: string;
}

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

/** Ends a process tree, politely at first, and waits until it is gone. Returns whether there was anything to end. */
export async function endTree(tree: ProcessTree): Promise<boolean> {
  if (process.platform === "win32") return endTreeOnWindows(tree);
  if (!(await signalLiving(tree, "SIGTERM"))) return false;
  if (!(await goneWithin(tree, GRACE_MS))) {
    await signalLiving(tree, "SIGKILL");
    await goneWithin(tree, KILL_WAIT_MS);
  }
  return true;
}

async function goneWithin(tree: ProcessTree, limitMs: number): Promise<boolean> {
  for (let waited = 0; waited < limitMs; waited += POLL_MS) {
    await delay(POLL_MS);
    if ((await living(tree)).length === 0) return true;
  }
  return false;
}

async function signalLiving(tree: ProcessTree, signal: NodeJS.Signals): Promise<boolean> {
  const pids = await living(tree);
  if (tree.group !== undefined) send(-tree.group, signal);
  for (const pid of pids) send(pid, signal);
  return pids.length > 0;
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone already, or no longer ours to end: the caller looks again.
  }
}

/** Members of the group and tagged processes that are not zombies. */
async function living({ group, tag }: ProcessTree): Promise<number[]> {
  if (process.platform !== "linux") return group !== undefined && groupExists(group) ? [group] : [];
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  const belongs = await Promise.all(
    pids.map(async (pid) => (await isLivingMember(pid, group)) ?? (await hasTag(pid, tag))),
  );
  return pids.filter((_, index) => belongs[index] === true).map(Number);
}

/** True or false if that is settled by the process state; undefined for a living process of another group. */
async function isLivingMember(pid: string, group: number | undefined): Promise<boolean | undefined> {
  const stat = await readProc(pid, "stat");
  // "pid (name) state ppid pgrp …"; the name may hold anything, so the fields are counted from its end.
  const [state, , pgrp] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (state === undefined || state === "" || state === "Z" || state === "X") return false;
  return Number(pgrp) === group ? true : undefined;
}

async function hasTag(pid: string, tag: string | undefined): Promise<boolean> {
  if (tag === undefined) return false;
  const wanted = `${TAG_VARIABLE}=${tag}`;
  return (await readProc(pid, "environ")).split("\0").some((entry) => entry.startsWith(wanted));
}

async function readProc(pid: string, file: string): Promise<string> {
  try {
    return await readFile(`/proc/${pid}/${file}`, "latin1");
  } catch {
    // The process ended meanwhile, or belongs to someone else.
    return "";
  }
}

async function endTreeOnWindows({ group }: ProcessTree): Promise<boolean> {
  if (group === undefined) return false;
  try {
    await promisify(execFile)("taskkill", ["/PID", String(group), "/T", "/F"]);
    return true;
  } catch {
    // No such process any more.
    return false;
  }
}
