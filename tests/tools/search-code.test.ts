import { execFileSync } from "node:child_process";
import { chmodSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { rgPath } from "@vscode/ripgrep";
import { describe, expect, it } from "vitest";
import { createWorkspace } from "./workspace.js";
import type { Workspace } from "./workspace.js";

/** With no ripgrep on the PATH the own search does the work. */
const engines = [
  { engine: "ripgrep", ripgrep: rgPath },
  { engine: "the own search", ripgrep: "/nonexistent/rg" },
];

async function found(workspace: Workspace, args: Record<string, unknown>): Promise<string[]> {
  const { status, output } = await workspace.run("search_code", args);
  expect(status).toBe("ok");
  return output.split("\n");
}

describe.each(engines)("search_code with $engine", ({ ripgrep }) => {
  const create = (): Workspace => createWorkspace({ ripgrep, env: { PATH: "/nonexistent" } });

  it("groups matching lines by file with numbers and counts", async () => {
    const workspace = create();
    workspace.file("src/b.ts", "const alpha = 1;\nx\n  alpha();\n");
    workspace.file("a.ts", "// beta\r\n");
    workspace.file(".github/workflows/ci.yml", "run: alpha\n");
    expect(await found(workspace, { pattern: "alpha|beta" })).toEqual([
      "4 matching lines in 3 files for alpha|beta", "a.ts (1)", "  1: // beta", ".github/workflows/ci.yml (1)",
      "  1: run: alpha", "src/b.ts (2)", "  1: const alpha = 1;", "  3:   alpha();",
    ]); // prettier-ignore
  });

  it.each([
    { pattern: "def (run|stop)", lines: [1, 2] },
    { pattern: "foo\\.bar", lines: [3] },
    { pattern: "^end$", lines: [4] },
    { pattern: "\\bword\\b", lines: [5] },
    { pattern: "\\w+\\d{2,}", lines: [6] },
    { pattern: "[äö]rger", lines: [7] },
    { pattern: "x\\-y", lines: [8] },
    { pattern: "(?<!pre)fix", lines: [9] },
    { pattern: "-flag", lines: [10] },
    { pattern: "--version", lines: [11] },
  ])("finds $pattern as a regular expression", async ({ pattern, lines }) => {
    const workspace = create();
    workspace.file(
      "a.txt",
      "def run\ndef stop\nfoo.bar fooxbar\r\nend\r\na word\nv123\nörger\nx-y\nprefix fix\n -flag\n--version\n",
    );
    const [, , ...hits] = await found(workspace, { pattern });
    expect(hits.map((hit) => Number.parseInt(hit, 10))).toEqual(lines);
  });

  it.each(["render(", "a[0", "*.ts", "(?<name"])(
    "searches for the invalid pattern %s as plain text and says so",
    async (pattern) => {
      const workspace = create();
      workspace.file("a.ts", `call ${pattern} end\n`);
      const lines = await found(workspace, { pattern });
      expect(lines.slice(1, 3)).toEqual(["a.ts (1)", `  1: call ${pattern} end`]);
      expect(lines.at(-1)).toMatch(/plain text/);
    },
  );

  it("searches for a valid pattern without hits as plain text", async () => {
    const workspace = create();
    workspace.file("a.ts", "$(this).html(data)\n");
    const lines = await found(workspace, { pattern: "$(this).html(data)" });
    expect(lines).toContain("  1: $(this).html(data)");
    expect(lines.at(-1)).toBe("[As a regular expression it matched nothing; searched for it as plain text.]");
  });

  it("follows the ignore rules, skips heavy folders and binary files, and says so when nothing is found", async () => {
    const workspace = create();
    workspace.file(".gitignore", "/dist\n*.min.js\n");
    for (const path of ["dist/a.js", "node_modules/d/i.js", "src/x.min.js", ".git/config"])
      workspace.file(path, "needle\n");
    workspace.file("a.bin", Buffer.from("needle\n\0\n"));
    for (const glob of [undefined, "*.js", "**/*.js", "*"]) {
      const lines = await found(workspace, { pattern: "needle", glob });
      expect(lines[0]).toBe("No matches for needle in the project.");
      expect(lines.at(-1)).toContain("Ignored and binary files, and those above 20 MB, are not searched");
    }
  });

  it("searches ignored paths that are named", async () => {
    const workspace = create();
    workspace.file(".gitignore", "dist\n*.gen\n");
    workspace.file("dist/sub/a.js", "needle\n");
    workspace.file("b.gen", "needle\n");
    expect(await found(workspace, { pattern: "needle", path: "dist" })).toContain("dist/sub/a.js (1)");
    expect(await found(workspace, { pattern: "needle", path: "dist/sub/a.js" })).toContain(
      "dist/sub/a.js (1)",
    );
    expect(await found(workspace, { pattern: "needle", path: "b.gen" })).toContain("b.gen (1)");
  });

  it("honours the ignore rules above a folder that is named", async () => {
    const workspace = create();
    workspace.file(".gitignore", "*.log\n");
    workspace.file("src/a.log", "needle\n");
    workspace.file("src/a.ts", "needle\n");
    expect((await found(workspace, { pattern: "needle", path: "src" })).slice(1)).toEqual([
      "src/a.ts (1)",
      "  1: needle",
    ]);
  });

  it.each([
    { glob: "*.ts", files: ["a.ts (1)", "src/b.ts (1)", "src/deep/c.ts (1)"] },
    { glob: "src/**", files: ["src/b.ts (1)", "src/deep/c.ts (1)", "src/d.js (1)"] },
    { glob: "src/**/*.ts", files: ["src/b.ts (1)", "src/deep/c.ts (1)"] },
    { glob: "*.{ts,js}", files: ["a.ts (1)", "src/b.ts (1)", "src/d.js (1)", "src/deep/c.ts (1)"] },
    { glob: "{src/*.ts,*.md}", files: ["src/b.ts (1)"] },
  ])("narrows by the glob $glob", async ({ glob, files }) => {
    const workspace = create();
    for (const path of ["a.ts", "src/b.ts", "src/deep/c.ts", "src/d.js", "e.txt"])
      workspace.file(path, "needle\n");
    const lines = await found(workspace, { pattern: "needle", glob });
    expect(lines.filter((line) => line.endsWith(")")).sort()).toEqual(files.sort());
  });

  it("cuts a line of 2 MB around the hit", async () => {
    const workspace = create();
    workspace.file("min.js", `${"x".repeat(1_000_000)}needle${"y".repeat(1_000_000)}`);
    const [, , hit = ""] = await found(workspace, { pattern: "needle" });
    expect(hit).toMatch(/^ {2}1: …x+needley+…$/);
    expect(hit.length).toBeLessThan(400);
  });

  it("keeps within the result limit and tells how much was found", async () => {
    const workspace = create();
    workspace.file("a.txt", "needle\n".repeat(500));
    workspace.file("b.txt", "needle\n");
    const { output } = await workspace.run("search_code", { pattern: "needle" }, { maxOutputChars: 3_200 });
    expect(output.length).toBeLessThanOrEqual(3_200);
    expect(output).toMatch(/^501 matching lines in 2 files/);
    expect(output).toContain("  and 470 more in this file");
    expect(output).toContain("b.txt (1)\n  1: needle");
    expect(output).toContain("[31 shown. Narrow the pattern");
  });

  it("stops at a great many hits and says that there are more", async () => {
    const workspace = create();
    workspace.file("a.txt", "needle\n".repeat(5_000));
    expect((await found(workspace, { pattern: "needle" }))[0]).toMatch(/^at least 2000 matching lines/);
  });

  it("does not follow links out of the folder", async () => {
    const workspace = create();
    const outside = createWorkspace();
    outside.file("secret.txt", "needle\n");
    symlinkSync(outside.root, join(workspace.root, "link"));
    symlinkSync(join(outside.root, "secret.txt"), join(workspace.root, "file-link"));
    expect((await found(workspace, { pattern: "needle" }))[0]).toBe("No matches for needle in the project.");
  });

  it("finds text in UTF-16 files and in files that are not UTF-8", async () => {
    const workspace = create();
    workspace.file("utf16.txt", Buffer.from("\uFEFFneedle ä\n", "utf16le"));
    workspace.file("latin.txt", Buffer.from("needle \xe4\n", "latin1"));
    expect((await found(workspace, { pattern: "needle" }))[0]).toBe("2 matching lines in 2 files for needle");
  });

  it("shows a hit in a GBK file as text", async () => {
    const workspace = create();
    workspace.file("gbk.py", Buffer.from("7072696e742822c4e3bac322290a", "hex"));
    expect(await found(workspace, { pattern: "print" })).toContain('  1: print("你好")');
  });

  it("finds what other encodings and other accents hide from a comparison of bytes", async () => {
    const workspace = create();
    workspace.file("gbk.py", Buffer.from("7072696e742822c4e3bac322290a", "hex"));
    workspace.file("nfd.md", "un cafe\u0301\n");
    expect(await found(workspace, { pattern: "你好" })).toContain('  1: print("你好")');
    expect(await found(workspace, { pattern: "caf\u00e9$" })).toContain("  1: un caf\u00e9");
    expect((await found(workspace, { pattern: "世界" }))[0]).toBe("No matches for 世界 in the project.");
  });

  it("finds files that the repository holds although its rules ignore them", async () => {
    const workspace = createWorkspace({ ripgrep, env: { PATH: process.env["PATH"], HOME: "/nonexistent" } });
    execFileSync("git", ["init", "-q"], { cwd: workspace.root });
    workspace.file(".gitignore", "gen/\n");
    workspace.file("src/gen/kept.ts", "needle\n");
    workspace.file("src/gen/left.ts", "needle\n");
    execFileSync("git", ["add", "-f", "src/gen/kept.ts"], { cwd: workspace.root });
    for (const args of [{}, { path: "src" }, { glob: "*.ts" }]) {
      const lines = await found(workspace, { pattern: "needle", ...args });
      expect(lines.slice(1)).toEqual(["src/gen/kept.ts (1)", "  1: needle"]);
    }
    expect((await found(workspace, { pattern: "needle", glob: "*.js" }))[0]).toMatch(/^No matches/);
  });

  it("searches for the text \\n where a line break is meant, since each line is searched alone", async () => {
    const workspace = create();
    workspace.file("a.c", 'puts("a\\nb");\n');
    const lines = await found(workspace, { pattern: "a\\nb" });
    expect(lines).toContain('  1: puts("a\\nb");');
    expect(lines.at(-1)).toMatch(
      /^\[Each line is searched alone, so \\n matches no line break; searched for it as/,
    );
    const result = await workspace.run("search_code", { pattern: "a\nb" });
    expect(result.output).toMatch(/^pattern must be one line of text\./);
  });

  it("shows a name with a line break on one line, quoted", async () => {
    const workspace = create();
    workspace.file("a\nb.txt (1)", "needle\n");
    expect((await found(workspace, { pattern: "needle" }))[1]).toBe('"a\\nb.txt (1)" (1)');
  });

  it("passes over links without a target and named pipes", async () => {
    const workspace = create();
    workspace.file("a.txt", "needle\n");
    symlinkSync("nowhere", join(workspace.root, "broken"));
    execFileSync("mkfifo", [join(workspace.root, "pipe")]);
    expect(await found(workspace, { pattern: "needle" })).toEqual([
      "1 matching line in 1 file for needle", "a.txt (1)", "  1: needle",
    ]); // prettier-ignore
  });

  it("searches in a file above 20 MB that is named, and only then", async () => {
    const workspace = create();
    workspace.file("big.log", `${"filler line\n".repeat(2_000_000)}the needle\r\nno line end`);
    expect((await found(workspace, { pattern: "needle" })).at(-1)).toContain("above 20 MB");
    expect(await found(workspace, { pattern: "needle$", path: "big.log" })).toContain(
      "  2000001: the needle",
    );
    expect(await found(workspace, { pattern: "no line end", path: "big.log" })).toContain(
      "  2000002: no line end",
    );
  });

  it.each(["-x.txt", "a b/it's.txt", "配置/文件.md", "[slug].ts"])(
    "searches in the file named %s",
    async (path) => {
      const workspace = create();
      workspace.file(path, "needle\n");
      expect((await found(workspace, { pattern: "needle", path })).slice(1)).toEqual([
        `${path} (1)`,
        "  1: needle",
      ]);
      expect((await found(workspace, { pattern: "needle" })).slice(1)).toEqual([
        `${path} (1)`,
        "  1: needle",
      ]);
    },
  );

  it("answers a missing path with its neighbours", async () => {
    const workspace = create();
    workspace.file("src/a.ts", "");
    const result = await workspace.run("search_code", { pattern: "x", path: "scr" });
    expect(result).toEqual({ status: "error", output: "scr does not exist.\nDid you mean: src?" });
  });

  it("takes an empty path and glob for none", async () => {
    const workspace = create();
    workspace.file("a.ts", "needle\n");
    expect((await found(workspace, { pattern: "needle", path: "", glob: "" })).slice(1)).toEqual([
      "a.ts (1)",
      "  1: needle",
    ]);
  });

  it("refuses an empty pattern and one of several lines", async () => {
    const workspace = create();
    for (const pattern of ["", "a\nb"]) {
      expect((await workspace.run("search_code", { pattern })).status).toBe("error");
    }
  });
});

describe("search_code", () => {
  it("reports an error of ripgrep instead of claiming that nothing was found", async () => {
    const workspace = createWorkspace();
    const broken = workspace.file(
      "broken-rg",
      "#!/bin/sh\necho 'rg: ./secret: Permission denied (os error 13)' >&2\nexit 2\n",
    );
    chmodSync(broken, 0o755);
    const search = createWorkspace({ ripgrep: broken });
    search.file("a.txt", "x");
    const result = await search.run("search_code", { pattern: "needle" });
    expect(result.status).toBe("error");
    expect(result.output).toContain("Permission denied");
  });

  it("reports output of a ripgrep that makes no sense", async () => {
    const workspace = createWorkspace();
    const broken = workspace.file("broken-rg", '#!/bin/sh\necho \'{"type":"match", broken\'\n');
    chmodSync(broken, 0o755);
    const search = createWorkspace({ ripgrep: broken });
    search.file("a.txt", "x");
    const result = await search.run("search_code", { pattern: "needle" });
    expect(result.status).toBe("error");
    expect(result.output).toMatch(/^\. cannot be searched: /);
  });

  it("is not configured by a RIPGREP_CONFIG_PATH file", async () => {
    const other = createWorkspace();
    const config = other.file("ripgreprc", "--ignore-case\n--glob=!*.ts\n");
    const workspace = createWorkspace({
      ripgrep: rgPath,
      env: { RIPGREP_CONFIG_PATH: config, PATH: "/nonexistent" },
    });
    workspace.file("a.ts", "needle\nNEEDLE\n");
    expect((await found(workspace, { pattern: "needle" })).slice(1)).toEqual(["a.ts (1)", "  1: needle"]);
  });
});

describe("the own search", () => {
  it("breaks off a pattern that would run for ever, and says so", { timeout: 20_000 }, async () => {
    const workspace = createWorkspace({ ripgrep: "/nonexistent/rg", env: { PATH: "/nonexistent" } });
    workspace.file("a.txt", `${"a".repeat(60)}b\n`);
    const { output } = await workspace.run("search_code", { pattern: "^(a|a)+$" });
    expect(output).toContain(
      "The time limit ended the search; narrow the path or the glob, or simplify the pattern.",
    );
  });
});
