import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { promisify } from "node:util";
import { createProcessRegistry } from "../src/processes/process-registry.js";
import { findShell, shellLine } from "../src/processes/shell.js";
import type { Figure } from "./bench.js";
import { inTurn } from "./measure.js";

const RUNS = 20;

/** What a command costs beside the program that it runs. */
export async function commandFigures(): Promise<Figure[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    "--import",
    "tsx",
    join(import.meta.dirname, "print-much.ts"),
  ]);
  const { megabytes, milliseconds } = JSON.parse(stdout) as { megabytes: number; milliseconds: number };
  return [
    { name: "memory that a command takes which prints 200 MB", value: megabytes, unit: "MB", budget: 60 },
    { name: "output taken in from it", value: 200_000 / milliseconds, unit: "MB/s" },
    await startFigure(),
  ];
}

/** `true` run as a command, over bash alone. */
async function startFigure(): Promise<Figure> {
  const registry = createProcessRegistry();
  const env = { PATH: process.env["PATH"] ?? "" };
  const shell = findShell(env.PATH);
  const timed = async (work: () => Promise<unknown>) => {
    const begin = performance.now();
    await work();
    return performance.now() - begin;
  };
  const line = shellLine(shell, "true", { ownsProcesses: false });
  const request = { ...line, cwd: "/", env: { ...env, ...line.env }, maxOutputBytes: 256 * 1024 };
  const never = new AbortController().signal;
  const [file, ...args] = [...shell.argv, "true"];
  const { a, b } = await inTurn(
    RUNS,
    () => timed(() => registry.run(request, never)),
    () => timed(() => once(spawn(file, args, { env, stdio: ["ignore", "pipe", "pipe"] }), "close")),
  );
  await registry.dispose();
  return { name: "a command that does nothing, beyond bash alone", value: a - b, unit: "ms" };
}
