import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
const source = join(root, "src");

/** The libraries that a file of `src/` imports for more than types. */
function librariesOf(text: string): string[] {
  const imports = text.matchAll(/^import (?!type )[^;]*? from "([^".][^"]*)"|\bimport\("([^".][^"]*)"\)/gm);
  return [...imports].flatMap(([, fixed, lazy]) => {
    const name = fixed ?? lazy ?? "";
    return name.startsWith("node:") ? [] : [/^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? ""];
  });
}

describe("the bundle", () => {
  it("comes with the licence of every library in it", () => {
    const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((path) =>
      path.endsWith(".ts"),
    );
    const used = new Set(files.flatMap((path) => librariesOf(readFileSync(join(source, path), "utf8"))));
    // It is no part of the bundle, but a package of its own.
    used.delete("@vscode/ripgrep");
    const licences = readFileSync(join(root, "dist/LICENSES.txt"), "utf8");
    const named = new Set([...licences.matchAll(/^(\S+) \d[\w.-]* \([^)]+\)$/gm)].map(([, name]) => name));
    expect(used.size).toBeGreaterThan(10);
    expect([...used].filter((name) => !named.has(name))).toEqual([]);
    expect(licences).toContain("Redistribution and use in source and binary forms");
  });
});
