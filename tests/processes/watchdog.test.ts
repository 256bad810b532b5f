import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { createProcessRegistry } from "../../src/processes/process-registry.js";
import { eventually, onLinux, processesWith, uniqueSleep } from "../helpers/processes.js";

const PROGRAM = fileURLToPath(new URL("start-and-wait.ts", import.meta.url));

onLinux("whatever commands have started ends when this program is killed", async () => {
  const seconds = uniqueSleep();
  const script = `(setsid sleep ${seconds} &); trap '' TERM; sleep ${seconds}; sleep ${seconds}`;
  const child = spawn(process.execPath, ["--import", "tsx", PROGRAM, script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  const running = () => processesWith(`sleep ${seconds}`).filter((line) => line.startsWith("sleep"));
  await eventually(() => running().length === 2);
  expect(running()).toHaveLength(2);
  child.kill("SIGKILL");
  await eventually(() => running().length === 0);
  expect(running()).toEqual([]);
});

onLinux("the watchdog goes when everything was ended in order", async () => {
  const before = processesWith("mini-cc-watchdog").length;
  const registry = createProcessRegistry();
  const request = { argv: ["true"], cwd: "/", env: { PATH: process.env["PATH"] }, maxOutputBytes: 1_000 };
  await registry.run(request, new AbortController().signal);
  expect(processesWith("mini-cc-watchdog").length).toBeGreaterThan(0);
  await registry.dispose();
  await eventually(() => processesWith("mini-cc-watchdog").length <= before);
  expect(processesWith("mini-cc-watchdog").length).toBeLessThanOrEqual(before);
});
