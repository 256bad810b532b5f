import { randomUUID } from "node:crypto";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { z } from "zod";
import { EXIT, UserError } from "../errors.js";
import { processStart } from "./process-identity.js";

/** Held by the one process that writes a session. */
export interface SessionLock {
  release(): void;
}

const holderSchema = z.object({ pid: z.int(), started: z.string(), host: z.string() });

type Holder = z.infer<typeof holderSchema>;

/** Lets several processes try at the same moment. */
const MOST_TRIES = 10;
/** A lock without words is being written at this moment, or a crash left it so; milliseconds until that is settled. */
const WRITING_MS = 50;

export function lockPath(sessionPath: string): string {
  return sessionPath.replace(/\.jsonl$/, ".lock");
}

/**
 * Takes the session for this process; what a dead process left is taken over. Throws UserError if a living process
 * has it, and the system's error if the folder cannot be written.
 */
export function takeLock(sessionPath: string): SessionLock {
  const path = lockPath(sessionPath);
  const own: Holder = {
    pid: process.pid,
    started: processStart(process.pid) ?? "unknown",
    host: hostname(),
  };
  const text = JSON.stringify(own);
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    try {
      writeFileSync(path, text, { flag: "wx", mode: 0o600 });
      return {
        release() {
          if (readText(path) === text) rmSync(path, { force: true });
        },
      };
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
    const found = readText(path);
    if (found === undefined) continue;
    const holder = holderOf(found);
    if (holder && isAlive(holder)) throw inUse(sessionPath, holder);
    if (!holder) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WRITING_MS);
    if (holder || readText(path) === found) takeAway(path, found);
  }
  throw inUse(sessionPath, holderOf(readText(path) ?? ""));
}

/** The process that writes the session at present; undefined if none does. */
export function lockHolder(sessionPath: string): { pid: number; host: string } | undefined {
  const holder = holderOf(readText(lockPath(sessionPath)) ?? "");
  return holder && isAlive(holder) ? holder : undefined;
}

/** Moved aside first: of two processes that find the same stale lock, only one takes away that very one. */
function takeAway(path: string, stale: string): void {
  const aside = `${path}.${randomUUID()}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return;
    throw error;
  }
  const moved = readText(aside);
  // Another process was faster, and this is its lock: it goes back.
  if (moved !== undefined && moved !== stale) writeFileSync(path, moved, { mode: 0o600 });
  rmSync(aside, { force: true });
}

function isAlive({ pid, started, host }: Holder): boolean {
  // A machine that shares the folder cannot be asked.
  if (host !== hostname()) return true;
  return processStart(pid) === started;
}

/** Undefined for what a crash left half-written. */
function holderOf(text: string): Holder | undefined {
  try {
    return holderSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

function inUse(sessionPath: string, holder: Holder | undefined): UserError {
  const elsewhere = holder && holder.host !== hostname();
  const who = holder ? `process ${holder.pid}${elsewhere ? ` on ${holder.host}` : ""}` : "another process";
  const stale = elsewhere ? `; if it has ended, remove ${lockPath(sessionPath)}` : "";
  return new UserError(`this session is in use by ${who}`, {
    code: "session-in-use",
    hint: `Go on there, or work on a copy of it with --fork${stale}`,
    exitCode: EXIT.failed,
  });
}
