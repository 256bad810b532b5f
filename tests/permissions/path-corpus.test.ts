import { execFileSync } from "node:child_process";
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmdirSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { dirname, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createPolicy } from "../../src/permissions/policy.js";
import { makePlace, policyOptions } from "./place.js";
import type { TestPlace } from "./place.js";

interface PathCase {
  id: string;
  path: string;
  setup: string[];
  op: "read" | "write" | "edit" | "list";
  expect: string;
  alsoOk?: string[];
  kind?: string;
  platform?: NodeJS.Platform;
  why: string;
}

const cases = JSON.parse(
  readFileSync(new URL("../fixtures/paths.json", import.meta.url), "utf8"),
) as PathCase[];
const races = cases.filter(({ kind }) => kind === "race");

describe("every path of the path corpus gets its verdict", () => {
  let place: TestPlace;
  beforeEach(() => {
    place = makePlace();
  });
  afterEach(() => {
    place.remove();
  });

  it.each(cases.filter(({ kind }) => kind !== "race"))("$id: $op $path: $why", async (item) => {
    for (const step of item.setup) await setUp(place, step);
    // Editing is free in this mode, so that what asks or is denied is so because of its path.
    const options = policyOptions(place, { mode: "accept-edits", platform: item.platform ?? "linux" });
    const kind = item.op === "edit" ? "write" : item.op;
    const verdict = await createPolicy(options).judge({ kind, path: fill(place, item.path) });

    const missing = verdict.verdict === "allow" && kind === "read" && verdict.path?.kind === "missing";
    expect([item.expect, ...(item.alsoOk ?? [])], verdict.because.join("; ")).toContain(
      missing ? "error" : verdict.verdict,
    );
    if (verdict.verdict !== "deny") expect(verdict.path?.real).toMatch(/^\//);
    if (verdict.verdict === "allow") expect(verdict.path?.inside).toBe(true);
  });

  it.skip.each(races)("$id (race, shown where files are written): $why", () => undefined);
});

function fill({ workspaceRoot, homeDir, outside }: TestPlace, text: string): string {
  return text
    .replaceAll("$WS", workspaceRoot)
    .replaceAll("$OUT", outside)
    .replaceAll("$HOME", homeDir)
    .replaceAll("$BASE", "ws");
}

async function setUp(place: TestPlace, step: string): Promise<void> {
  const [, verb = "", rest = ""] = /^(\w+) (.*)$/s.exec(fill(place, step)) ?? [];
  const [first = "", second = ""] = rest.split(" ");
  const inside = (path: string): string => resolve(place.workspaceRoot, path);
  const write = (path: string): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, rest.slice(first.length + 1));
  };
  switch (verb) {
    case "file":
    case "outfile":
      write(inside(first));
      return;
    case "homefile":
      write(resolve(place.homeDir, first));
      return;
    case "mkdir":
      mkdirSync(inside(first), { recursive: true });
      return;
    case "symlink":
      symlinkSync(first, inside(second));
      return;
    case "symlinkdir":
      mkdirSync(inside(first), { recursive: true });
      // In a chain of links the folder of one step is the link of the next.
      if (existsSync(inside(second))) rmdirSync(inside(second));
      symlinkSync(first, inside(second));
      return;
    case "hardlink":
      linkSync(first, inside(second));
      return;
    case "fifo":
      execFileSync("/bin/sh", ["-c", 'mkfifo "$0"', inside(first)]);
      return;
    case "socket":
      await new Promise<void>((listening) => {
        const server = createServer().listen(inside(first), () => {
          server.unref();
          listening();
        });
      });
      return;
    default:
      throw new Error(`unknown setup: ${step}`);
  }
}
