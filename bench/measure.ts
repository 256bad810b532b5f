import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";

/** One finished process. Times are milliseconds. */
export interface ProcessUsage {
  wallMs: number;
  cpuMs: number;
  exitCode: number | null;
  stdout: string;
  /** By `Date.now()`, as servers note it. */
  startedAt: number;
}

export const CLI = join(import.meta.dirname, "..", "dist", "index.js");

/** bash tells the CPU time of a whole process, start and end included; GNU time would also tell the memory. */
const TIMED = 'TIMEFORMAT="%U %S"; { time "$@" 2>&4; } 2>&3';

/** What would lead a measured run to the user's own server or settings. */
const OWN_SETTINGS = /^(MINI_CC_|OLLAMA_)/;

/** Runs `node ARGS` in this environment, with a home and a state folder of its own. */
export async function runNode(
  args: readonly string[],
  options: { env?: Record<string, string>; cwd?: string } = {},
): Promise<ProcessUsage> {
  const home = mkdtempSync(join(tmpdir(), "mini-cc-bench-"));
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !OWN_SETTINGS.test(name)),
  );
  const startedAt = Date.now();
  const begin = performance.now();
  const child = spawn("bash", ["-c", TIMED, "bash", process.execPath, ...args], {
    cwd: options.cwd ?? home,
    env: { ...inherited, HOME: home, MINI_CC_HOME: home, LANG: "C", ...options.env },
    stdio: ["ignore", "pipe", "inherit", "pipe", 2],
  });
  const texts = [child.stdout, child.stdio[3] as Readable].map(async (stream) => {
    let text = "";
    for await (const chunk of stream ?? []) text += String(chunk);
    return text;
  });
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  const wallMs = performance.now() - begin;
  const [stdout = "", times = ""] = await Promise.all(texts);
  rmSync(home, { recursive: true, force: true });
  const [user = Number.NaN, system = Number.NaN] = times.trim().split(" ").map(Number);
  return { wallMs, cpuMs: (user + system) * 1000, exitCode, stdout, startedAt };
}

/**
 * Runs two things in turn, so that a machine whose speed drifts slows both, and gives the least of each, which other
 * work on the machine disturbs least.
 */
export async function inTurn(
  runs: number,
  a: () => Promise<number>,
  b: () => Promise<number>,
): Promise<{ a: number; b: number; ratio: number }> {
  await a();
  await b();
  let leastA = Infinity;
  let leastB = Infinity;
  for (let run = 0; run < runs; run++) {
    leastA = Math.min(leastA, await a());
    leastB = Math.min(leastB, await b());
  }
  return { a: leastA, b: leastB, ratio: leastA / leastB };
}
