import { expect, test } from "vitest";
import { runCrashTest } from "./run-crash-test.js";

test("killed at random moments, a session loses no turn, does nothing twice, and goes on", async () => {
  const report = await runCrashTest({ kills: 25, seed: 20260304 });
  expect(report.faults).toEqual([]);
  expect(report.kills).toBe(25);
  expect(report.turns).toBeGreaterThan(0);
}, 600_000);
