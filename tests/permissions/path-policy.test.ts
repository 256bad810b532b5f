import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Access, PermissionMode, VerdictKind } from "../../src/permissions/access.js";
import { createPolicy } from "../../src/permissions/policy.js";
import { isInside, resolvePath } from "../../src/permissions/workspace-paths.js";
import { makePlace, policyOptions } from "./place.js";
import type { TestPlace } from "./place.js";

let place: TestPlace;
beforeAll(() => {
  place = makePlace();
  mkdirSync(join(place.workspaceRoot, "src"));
  writeFileSync(join(place.workspaceRoot, "src/a.ts"), "");
  symlinkSync("src", join(place.workspaceRoot, "link"));
  symlinkSync("nowhere", join(place.workspaceRoot, "dangling"));
});
afterAll(() => {
  place.remove();
});

describe("resolving", () => {
  it("gives the real path, how to show it, and what is there", async () => {
    const root = place.workspaceRoot;
    expect(await resolvePath(root, "link/a.ts")).toEqual({
      written: "link/a.ts",
      real: join(root, "src/a.ts"),
      display: "src/a.ts",
      inside: true,
      kind: "file",
    });
    expect(await resolvePath(root, ".")).toMatchObject({ display: ".", kind: "directory", inside: true });
    expect(await resolvePath(root, "link/new/b.ts")).toMatchObject({
      display: "src/new/b.ts",
      kind: "missing",
    });
    expect(await resolvePath(root, place.outside)).toMatchObject({ display: place.outside, inside: false });
  });

  it("refuses what cannot be followed, with a reason", async () => {
    const refused = async (path: string): Promise<unknown> => resolvePath(place.workspaceRoot, path);
    expect(await refused("")).toMatchObject({ refused: expect.stringContaining("empty") as string });
    expect(await refused("dangling/x")).toMatchObject({ refused: expect.stringContaining("link") as string });
    expect(await refused("src/a.ts/x")).toMatchObject({ refused: expect.stringContaining("file") as string });
    expect(await refused("x".repeat(300))).toMatchObject({
      refused: expect.stringContaining("long") as string,
    });
  });

  it("a workspace that is the root folder holds everything", () => {
    expect(isInside("/", "/etc")).toBe(true);
    expect(isInside("/a", "/ab")).toBe(false);
  });
});

it("a name with composed accents finds the one entry that has them decomposed, and no other", async () => {
  const decomposed = "Scha\u0308tzung.md";
  writeFileSync(join(place.workspaceRoot, decomposed), "");
  const found = await resolvePath(place.workspaceRoot, "Sch\u00e4tzung.md");
  expect(found).toMatchObject({ kind: "file", display: decomposed });
  expect(await resolvePath(place.workspaceRoot, "Schatzung.md")).toMatchObject({ kind: "missing" });
});

describe("modes", () => {
  const modes: PermissionMode[] = ["default", "accept-edits", "plan", "bypass"];
  const rows: [Exclude<Access["kind"], "run">, string, VerdictKind[]][] = [
    ["read", "src/a.ts", ["allow", "allow", "allow", "allow"]],
    ["list", ".", ["allow", "allow", "allow", "allow"]],
    ["write", "src/a.ts", ["ask", "allow", "deny", "allow"]],
    ["write", ".husky/pre-commit", ["ask", "ask", "deny", "allow"]],
    ["write", ".github/workflows/ci.yml", ["ask", "ask", "deny", "allow"]],
    ["write", "packages/app/Agents.MD", ["ask", "ask", "deny", "allow"]],
    ["write", ".env.local", ["ask", "ask", "deny", "allow"]],
    ["write", "new\u200bname", ["ask", "ask", "deny", "allow"]],
    ["read", ".env", ["ask", "ask", "ask", "allow"]],
    ["read", "../outside/x", ["ask", "ask", "ask", "allow"]],
    ["write", "../outside/x", ["deny", "deny", "deny", "deny"]],
    ["write", "sub/.GIT/config", ["deny", "deny", "deny", "deny"]],
    ["write", ".mini-cc.json", ["deny", "deny", "deny", "deny"]],
    ["write", "dangling", ["deny", "deny", "deny", "deny"]],
    ["read", "/proc/self/environ", ["deny", "deny", "deny", "deny"]],
  ];
  it.each(rows)("%s %j", async (kind, path, expected) => {
    const verdicts = await Promise.all(
      modes.map((mode) => createPolicy(policyOptions(place, { mode })).judge({ kind, path })),
    );
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(expected);
    for (const { because } of verdicts) expect(because.length).toBeGreaterThan(0);
  });
});
