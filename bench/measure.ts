import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";

/** One finished process. Times are milliseconds. */
export interface ProcessUsage {
  wallMs: number;
  cpuMs: number;
  rssMb: number;
  exitCode: number | null;
  stdout: string;
  /** By `Date.now()`, as servers note it. */
  startedAt: number;
}

export const CLI = join(import.meta.dirname, "..", "dist", "index.js");

/** Runs `node ARGS` with a state folder of its own. */
export async function runNode(
  args: readonly string[],
  options: { env?: Record<string, string>; cwd?: string } = {},
): Promise<ProcessUsage> {
  const home = mkdtempSync(join(tmpdir(), "mini-cc-bench-"));
  const startedAt = Date.now();
  const begin = performance.now();
  const child = spawn(process.execPath, ["-r", join(import.meta.dirname, "report-usage.cjs"), ...args], {
    cwd: options.cwd ?? home,
    env: { PATH: process.env["PATH"], HOME: home, MINI_CC_HOME: home, LANG: "C", ...options.env },
    stdio: ["ignore", "pipe", "inherit", "pipe"],
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
  const [stdout = "", usage = "{}"] = await Promise.all(texts);
  rmSync(home, { recursive: true, force: true });
  return {
    ...(JSON.parse(usage) as { cpuMs: number; rssMb: number }),
    wallMs,
    exitCode,
    stdout,
    startedAt,
  };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Runs two things in turn, so that a machine whose speed drifts slows both; gives the median of each. */
export async function inTurn(
  runs: number,
  a: () => Promise<number>,
  b: () => Promise<number>,
): Promise<{ a: number; b: number; ratio: number }> {
  await a();
  await b();
  const as: number[] = [];
  const bs: number[] = [];
  for (let run = 0; run < runs; run++) {
    as.push(await a());
    bs.push(await b());
  }
  return { a: median(as), b: median(bs), ratio: median(as) / median(bs) };
}
