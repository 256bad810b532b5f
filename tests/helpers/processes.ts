import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { it } from "vitest";

/** What became of processes is looked up in /proc. */
export const onLinux = it.skipIf(process.platform !== "linux");

/** Command lines of living processes that contain a text. */
export function processesWith(text: string): string[] {
  return readdirSync("/proc").flatMap((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return [];
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
      return line.includes(text) && !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8")) ? [line] : [];
    } catch {
      return [];
    }
  });
}

/** A number of seconds for `sleep` that no other test uses, so that its processes can be found. */
export const uniqueSleep = (): string => String(100_000 + Math.floor(Math.random() * 800_000));

/** Waits up to 10 s. */
export async function eventually(check: () => boolean): Promise<void> {
  for (let waited = 0; waited < 10_000 && !check(); waited += 20) await delay(20);
}
