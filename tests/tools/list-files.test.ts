import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createWorkspace } from "./workspace.js";
import type { Workspace } from "./workspace.js";

const places = [
  { place: "a git repository", repository: true },
  { place: "a plain folder", repository: false },
];

function createProject(repository: boolean): Workspace {
  const workspace = createWorkspace();
  if (repository) execFileSync("git", ["init", "-q"], { cwd: workspace.root });
  return workspace;
}

const listed = async (workspace: Workspace, path: string, pattern?: string): Promise<string[]> => {
  const { output, status } = await workspace.run("list_files", { path, pattern });
  expect(status).toBe("ok");
  return output.split("\n");
};

describe.each(places)("list_files in $place", ({ repository }) => {
  it("lists folder by folder, dot folders too, and skips .git", async () => {
    const workspace = createProject(repository);
    for (const path of [
      "z.txt",
      "src/b/c.ts",
      "src/a.ts",
      ".github/workflows/ci.yml",
      "b-c.txt",
      "src/b.ts",
    ]) {
      workspace.file(path, "");
    }
    expect(await listed(workspace, ".")).toEqual([
      ".: 6 files", "b-c.txt", "z.txt", ".github/workflows/ci.yml", "src/a.ts", "src/b.ts", "src/b/c.ts",
    ]); // prettier-ignore
  });

  it("honours anchored, nested and negated ignore rules and names what it skipped", async () => {
    const workspace = createProject(repository);
    workspace.file(".gitignore", "/target\n*.log\n!keep.log\n");
    workspace.file("sub/.gitignore", "/local\n!sub.log\n");
    for (const path of [
      "target/a.o",
      "deep/target/ok.ts",
      "a.log",
      "keep.log",
      "sub/local/x",
      "sub/sub.log",
      "sub/b.log",
      "other/local/y",
    ]) {
      workspace.file(path, "");
    }
    expect(await listed(workspace, ".")).toEqual([
      ".: 6 files", ".gitignore", "keep.log", "deep/target/ok.ts", "other/local/y", "sub/.gitignore", "sub/sub.log",
      "[Skipped as ignored: a.log, sub/b.log, sub/local/, target/. Name such a path to list it.]",
    ].map((line, index, all) => (index === all.length - 1 ? (expect.stringMatching(/^\[Skipped as ignored: (?=.*\ba\.log)(?=.*sub\/b\.log)(?=.*sub\/local\/)(?=.*target\/)/) as string) : line))); // prettier-ignore
  });

  it("skips heavy folders even without a .gitignore, unless they are named", async () => {
    const workspace = createProject(repository);
    workspace.file("index.js", "");
    workspace.file("node_modules/dep/index.js", "");
    const all = await listed(workspace, ".");
    expect(all.slice(0, 2)).toEqual([".: 1 file", "index.js"]);
    expect(all[2]).toContain("node_modules/");
    expect(await listed(workspace, "node_modules/dep")).toEqual([
      "node_modules/dep: 1 file",
      "node_modules/dep/index.js",
    ]);
  });

  it("lists an ignored folder that is named", async () => {
    const workspace = createProject(repository);
    workspace.file(".gitignore", "dist/\n");
    workspace.file("dist/a.js", "");
    workspace.file("dist/sub/b.js", "");
    expect(await listed(workspace, "dist")).toEqual(["dist: 2 files", "dist/a.js", "dist/sub/b.js"]);
    expect(await listed(workspace, "dist/sub")).toEqual(["dist/sub: 1 file", "dist/sub/b.js"]);
  });

  it("takes a glob for names at any depth, or for paths from the folder or the workspace", async () => {
    const workspace = createProject(repository);
    for (const path of ["a.ts", "src/b.ts", "src/deep/c.ts", "src/d.js", ".github/e.ts"])
      workspace.file(path, "");
    expect(await listed(workspace, ".", "*.ts")).toEqual([
      ".: 4 files matching *.ts", "a.ts", ".github/e.ts", "src/b.ts", "src/deep/c.ts",
    ]); // prettier-ignore
    for (const pattern of ["**/*.{ts,tsx}", "src/**/*.ts", "./**/*.ts"]) {
      expect((await listed(workspace, "src", pattern)).slice(1)).toEqual(["src/b.ts", "src/deep/c.ts"]);
    }
    expect((await listed(workspace, ".", "*.rs"))[0]).toBe(
      "No file in the project matches *.rs (5 files looked at).",
    );
  });

  it("lists links without following them", async () => {
    const workspace = createProject(repository);
    workspace.file("a.txt", "");
    symlinkSync("/etc", join(workspace.root, "etc"));
    expect(await listed(workspace, ".")).toEqual([".: 2 files", "a.txt", "etc"]);
  });

  it("brings back in a folder what the rules above it ignore", async () => {
    const workspace = createProject(repository);
    workspace.file(".gitignore", "build/\nFoo\n");
    for (const path of ["build/x", "lib/build/y", "lib/foo"]) workspace.file(path, "");
    workspace.file("lib/.gitignore", "!build/\n");
    const lines = await listed(workspace, ".");
    expect(lines.slice(1, -1)).toEqual([".gitignore", "lib/.gitignore", "lib/foo", "lib/build/y"]);
  });

  it("lists a repository within by its own rules", async () => {
    const workspace = createProject(repository);
    workspace.file(".gitignore", "*.md\n");
    workspace.file("inner/.gitignore", "*.log\n");
    for (const path of ["a.ts", "inner/b.ts", "inner/b.log", "inner/b.md"]) workspace.file(path, "");
    execFileSync("git", ["init", "-q"], { cwd: join(workspace.root, "inner") });
    expect(await listed(workspace, ".")).toEqual([
      ".: 5 files", ".gitignore", "a.ts", "inner/.gitignore", "inner/b.md", "inner/b.ts",
      "[Skipped as ignored: inner/b.log. Name such a path to list it.]",
    ]); // prettier-ignore
  });

  it("takes a glob with the whole path of the workspace, and other accents than the name has", async () => {
    const workspace = createProject(repository);
    workspace.file("src/Scha\u0308tzung.md", "");
    for (const pattern of [`${workspace.root}/src/*.md`, "Sch\u00e4*.md"]) {
      expect((await listed(workspace, ".", pattern)).slice(1)).toEqual(["src/Scha\u0308tzung.md"]);
    }
  });

  it("quotes a name that is no single line", async () => {
    const workspace = createProject(repository);
    workspace.file("a\nb.txt", "");
    expect(await listed(workspace, ".")).toEqual([".: 1 file", '"a\\nb.txt"']);
  });

  it("closes deep folders with counts when there are too many files", async () => {
    const workspace = createProject(repository);
    for (let index = 0; index < 300; index++) workspace.file(`packages/p${index % 3}/f${index}.ts`, "");
    workspace.file("README.md", "");
    expect(await listed(workspace, ".")).toEqual([
      ".: 301 files", "README.md", "packages/p0/ (100 files)", "packages/p1/ (100 files)", "packages/p2/ (100 files)",
      "[Folders that end in (N files) are not opened here; list them by their path.]",
    ]); // prettier-ignore
  });

  it("says how many entries were left out", async () => {
    const workspace = createProject(repository);
    for (let index = 0; index < 250; index++) workspace.file(`f${String(index).padStart(3, "0")}.ts`, "");
    const lines = await listed(workspace, ".", "*.ts");
    expect(lines).toHaveLength(202);
    expect(lines.at(-1)).toBe("[50 more are not shown; narrow the path or the pattern.]");
  });

  it("tells an empty folder from one whose entries are all ignored", async () => {
    const workspace = createProject(repository);
    mkdirSync(join(workspace.root, "empty"));
    workspace.file("sub/.gitignore", "*\n");
    expect(await listed(workspace, "empty")).toEqual(["empty is an empty folder."]);
    expect((await listed(workspace, "sub"))[0]).toBe("sub has no files to list. It holds: .gitignore");
  });

  it.each(["ä ö.txt", 'it\'s "q".md', "-x.txt", "配置.md", "Scha\u0308tzung.md", "line\u2028.txt"])(
    "lists the name %j so that it can be used as a path",
    async (name) => {
      const workspace = createProject(repository);
      workspace.file(name, "hello\n");
      expect(await listed(workspace, ".")).toEqual([".: 1 file", name]);
    },
  );

  it("takes an empty path for the whole project and an empty pattern for none", async () => {
    const workspace = createProject(repository);
    workspace.file("a.txt", "");
    expect(await listed(workspace, "", "")).toEqual([".: 1 file", "a.txt"]);
  });

  it("points a file to read_file and a missing path to its neighbours", async () => {
    const workspace = createProject(repository);
    workspace.file("src/tools/a.ts", "");
    expect((await workspace.run("list_files", { path: "src/tools/a.ts" })).output).toBe(
      "src/tools/a.ts is a file.\nRead it with read_file.",
    );
    expect((await workspace.run("list_files", { path: "src/tool" })).output).toBe(
      "src/tool does not exist.\nDid you mean: src/tools?",
    );
  });
});

describe("list_files in a git repository", () => {
  it("lists what git tracks although it is ignored, and not what was deleted", async () => {
    const workspace = createProject(true);
    const git = (...args: string[]): Buffer => execFileSync("git", args, { cwd: workspace.root });
    workspace.file(".gitignore", "*.gen\n");
    workspace.file("a.gen", "");
    workspace.file("gone.ts", "");
    git("add", "-f", ".");
    git("rm", "-q", "--cached", "gone.ts");
    workspace.file("gone.ts", "");
    git("add", "gone.ts");
    execFileSync("rm", ["gone.ts"], { cwd: workspace.root });
    expect(await listed(workspace, ".")).toEqual([".: 2 files", ".gitignore", "a.gen"]);
  });

  it("lists submodules, fetched or not", async () => {
    const workspace = createProject(true);
    const git = (cwd: string, ...args: string[]): Buffer =>
      execFileSync(
        "git",
        ["-c", "user.name=n", "-c", "user.email=e", "-c", "protocol.file.allow=always", ...args],
        {
          cwd,
          stdio: "pipe",
        },
      );
    const library = createProject(true);
    library.file("part.ts", "");
    git(library.root, "add", ".");
    git(library.root, "commit", "-qm", "part");
    git(workspace.root, "submodule", "--quiet", "add", library.root, "lib");
    workspace.file("lib/fresh.ts", "");
    expect(await listed(workspace, ".")).toEqual([
      ".: 3 files",
      ".gitmodules",
      "lib/fresh.ts",
      "lib/part.ts",
    ]);
    git(workspace.root, "commit", "-qm", "library");
    const other = createWorkspace();
    git(other.root, "clone", "-q", workspace.root, "clone");
    expect(await listed(other, "clone")).toEqual(["clone: 1 file", "clone/.gitmodules"]);
  });

  it("runs no program that the repository names", async () => {
    const workspace = createProject(true);
    workspace.file("a.ts", "");
    const hook = workspace.file(".git/monitor.sh", `#!/bin/sh\ntouch ${workspace.root}/ran\n`);
    execFileSync("chmod", ["+x", hook]);
    execFileSync("git", ["config", "core.fsmonitor", hook], { cwd: workspace.root });
    expect(await listed(workspace, ".")).toEqual([".: 1 file", "a.ts"]);
    expect(readdirSync(workspace.root)).toEqual([".git", "a.ts"]);
  });

  it("gives the same list without git on the PATH", async () => {
    const workspace = createWorkspace({ env: { PATH: "/nonexistent" } });
    execFileSync("git", ["init", "-q"], { cwd: workspace.root });
    workspace.file(".gitignore", "dist\n");
    workspace.file("dist/a.js", "");
    workspace.file("a.ts", "");
    expect(await listed(workspace, ".")).toEqual([
      ".: 2 files", ".gitignore", "a.ts", "[Skipped as ignored: dist/. Name such a path to list it.]",
    ]); // prettier-ignore
  });
});
