import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { translate } from "../../../src/cli/messages/translate-zh.js";
import type { PermissionMode } from "../../../src/permissions/access.js";
import { createPolicy } from "../../../src/permissions/policy.js";
import { judgeLine, makePlace, policyOptions } from "../../permissions/place.js";
import type { TestPlace } from "../../permissions/place.js";

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../fixtures/${name}`, import.meta.url), "utf8"));
const COMMANDS = read("commands.json") as { command: string; allowed: string[] }[];
const PATHS = read("paths.json") as { path: string; op: "read" | "write" | "edit" | "list" }[];
const MODES: readonly PermissionMode[] = ["default", "accept-edits", "plan", "bypass"];

describe("reasons of the policy in Chinese", () => {
  let place: TestPlace;
  beforeAll(() => {
    place = makePlace();
  });
  afterAll(() => {
    place.remove();
  });

  it("are said for every line of the command corpus", async () => {
    const denied = [{ text: "git push", origin: "user settings" }];
    const english = new Set<string>();
    for (const { command, allowed } of COMMANDS) {
      for (const changes of [{}, { mode: "plan" as const }, { denied, shellFound: false }]) {
        const { because, commands } = await judgeLine(place, command, allowed, changes);
        const told = [...because, ...commands.map((part) => part.because)];
        for (const reason of told) if (translate.reasons(reason) === reason) english.add(reason);
        // What an event holds is one text.
        if (translate.reasons(because.join("; ")) === because.join("; ")) english.add(because.join("; "));
      }
    }
    expect([...english]).toEqual([]);
  }, 120_000);

  it("are said for every path of the path corpus, in every mode", async () => {
    const english = new Set<string>();
    for (const mode of MODES) {
      const policy = createPolicy(policyOptions(place, { mode }));
      for (const { path, op } of PATHS) {
        const { because } = await policy.judge({ kind: op === "edit" ? "write" : op, path });
        for (const reason of because) if (translate.text(reason) === reason) english.add(reason);
      }
    }
    expect([...english]).toEqual([]);
  });
});
