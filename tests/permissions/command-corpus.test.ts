import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { VerdictKind } from "../../src/permissions/access.js";
import { judgeLine, makePlace } from "./place.js";
import type { TestPlace } from "./place.js";

interface CommandCase {
  id: string;
  class: string;
  command: string;
  allowed: string[];
  expect: VerdictKind;
  alsoOk?: VerdictKind[];
  why: string;
}

const cases = JSON.parse(
  readFileSync(new URL("../fixtures/commands.json", import.meta.url), "utf8"),
) as CommandCase[];

describe("every line of the command corpus gets its verdict", () => {
  let place: TestPlace;
  beforeAll(() => {
    place = makePlace();
  });
  afterAll(() => {
    place.remove();
  });

  it.each(cases)("$id ($class): $why", async ({ command, allowed, expect: expected, alsoOk = [] }) => {
    const judged = await judgeLine(place, command, allowed);
    expect([expected, ...alsoOk], judged.because.join("; ")).toContain(judged.verdict);
    expect(judged.because.length).toBeGreaterThan(0);
    for (const reason of judged.because) expect(reason).not.toBe("");
  });
});
