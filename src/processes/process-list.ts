import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { promisify } from "node:util";

/** Environment variable by which a command's descendants are found again after they left its process group. */
export const TAG_VARIABLE = "MINI_CC_COMMAND";

export interface ProcessTree {
  /** Process group of the command; its leader is the command itself. */
  group?: number;
  /** How the value of their TAG_VARIABLE begins: finds descendants outside the group too. */
  tag?: string;
}

/** Members of the group and tagged processes that live; zombies do not. */
export function livingMembers(tree: ProcessTree): Promise<number[]> {
  return process.platform === "linux" ? membersFromProc(tree) : membersFromPs(tree);
}

async function membersFromProc({ group, tag }: ProcessTree): Promise<number[]> {
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

/** For systems without /proc: `ps` shows the environment behind the command line. */
export async function membersFromPs({ group, tag }: ProcessTree): Promise<number[]> {
  const withEnvironment = process.platform === "darwin" ? "-axwwE" : "axwwe";
  const list = await promisify(execFile)("ps", [withEnvironment, "-o", "pid=,pgid=,state=,command="], {
    maxBuffer: 64 * 1024 * 1024,
  }).catch(() => ({ stdout: "" }));
  return list.stdout.split("\n").flatMap((row) => {
    const [, pid, pgid, state, rest] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(row) ?? [];
    if (pid === undefined || state?.startsWith("Z") !== false) return [];
    const isTagged = tag !== undefined && rest?.includes(` ${TAG_VARIABLE}=${tag}`) === true;
    return Number(pgid) === group || isTagged ? [Number(pid)] : [];
  });
}
