// The whole crash test, by itself: npm run crash-test -- --kills 1000 --seed 1
import { parseArgs } from "node:util";
import { runCrashTest } from "./run-crash-test.js";

const { values } = parseArgs({
  options: { kills: { type: "string", default: "1000" }, seed: { type: "string", default: "1" } },
});
const startedAt = performance.now();
const report = await runCrashTest({
  kills: Number(values.kills),
  seed: Number(values.seed),
  onKill: ({ kills }) => {
    if (kills % 25 === 0) process.stderr.write(`${kills} kills\n`);
  },
});
const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
process.stdout.write(`${JSON.stringify({ ...report, minutes }, undefined, 2)}\n`);
process.exitCode = report.faults.length === 0 && report.kills > 0 ? 0 : 1;
