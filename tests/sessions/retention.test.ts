import { expect, test } from "vitest";
import { beyondLimits } from "../../src/sessions/retention.js";

const NOW = new Date("2026-06-01T00:00:00Z");

/** Sessions by their age in days and their size, the one used last first. */
const sessions = (...list: [days: number, bytes: number][]) =>
  list.map(([days, bytes]) => ({
    id: `${days}d`,
    path: `/s/${days}d.jsonl`,
    usedAt: new Date(NOW.getTime() - days * 24 * 60 * 60 * 1000),
    bytes,
  }));

test.each([
  ["nothing without limits", {}, []],
  ["what was not used for too long", { days: 30 }, ["31d", "400d"]],
  ["what is too much, the oldest first", { bytes: 25 }, ["31d", "400d"]],
  ["either", { days: 399, bytes: 35 }, ["400d"]],
  ["never the newest, however large and old", { days: 0.5, bytes: 5 }, ["30d", "31d", "400d"]],
] as const)("beyond the limits is %s", (_, limits, ids) => {
  const files = sessions([1, 10], [30, 10], [31, 10], [400, 10]);
  const found = beyondLimits(files, { days: undefined, bytes: undefined, ...limits }, NOW);
  expect(found.map(({ id }) => id)).toEqual(ids);
});
