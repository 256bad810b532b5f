import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makePlace } from "./place.js";
import type { UndoPlace } from "./place.js";

const git = (root: string, ...args: string[]): string =>
  execFileSync(
    "git",
    ["-c", "user.name=T", "-c", "user.email=t@t", "-c", "init.defaultBranch=main", ...args],
    {
      cwd: root,
      encoding: "utf8",
      env: { PATH: process.env["PATH"], HOME: root, GIT_CONFIG_NOSYSTEM: "1" },
    },
  );

/** One hash over every byte, name and mode of a repository's own folder. */
function hashOfRepository(root: string, folder = ".git"): string {
  const hash = createHash("sha256");
  const visit = (path: string): void => {
    for (const name of readdirSync(path).sort()) {
      const whole = join(path, name);
      const stats = statSync(whole);
      hash.update(`${whole} ${stats.mode} ${stats.mtimeMs} ${stats.isFile() ? stats.size : ""}\n`);
      if (stats.isDirectory()) visit(whole);
      else hash.update(readFileSync(whole));
    }
  };
  visit(join(root, folder));
  return hash.digest("hex");
}

describe("a repository", () => {
  it("with staged changes keeps every byte of its .git, whatever is undone and redone", async () => {
    const place = makePlace();
    place.write("a.txt", "a\n");
    place.write("b.txt", "b\n");
    git(place.root, "init", "-q");
    git(place.root, "add", ".");
    git(place.root, "commit", "-qm", "first");
    place.write("a.txt", "staged\n");
    place.write("new.txt", "staged, too\n");
    git(place.root, "add", ".");
    place.write("a.txt", "staged, then changed\n");
    git(place.root, "stash", "list");
    const before = [hashOfRepository(place.root), place.tree()];
    await place.commandTurn("go", "echo x >> a.txt; rm b.txt; mv new.txt moved.txt; mkdir d; touch d/e");
    const after = place.tree();
    expect(hashOfRepository(place.root)).toBe(before[0]);
    expect(await place.back()).toMatchObject({ kind: "done" });
    expect([hashOfRepository(place.root), place.tree()]).toEqual(before);
    expect(await place.again()).toMatchObject({ kind: "done" });
    expect([hashOfRepository(place.root), place.tree()]).toEqual([before[0], after]);
  });

  it("whose attributes, filters, hooks and settings would change or run things runs nothing and changes no byte", async () => {
    const place = makePlace();
    git(place.root, "init", "-q");
    place.write(
      ".gitattributes",
      "* text=auto eol=crlf filter=evil diff=evil merge=evil ident working-tree-encoding=UTF-16\n",
    );
    const evil = `touch ${place.state}-ran`;
    const settings = {
      "filter.evil.clean": `${evil}; cat`,
      "filter.evil.smudge": `${evil}; cat`,
      "filter.evil.process": evil,
      "diff.evil.textconv": evil,
      "diff.evil.command": evil,
      "diff.external": evil,
      "core.fsmonitor": evil,
      "core.hooksPath": join(place.root, "hooks"),
      "core.autocrlf": "true",
      "core.editor": evil,
      "core.pager": evil,
      "uploadpack.packObjectsHook": evil,
    };
    for (const [key, value] of Object.entries(settings)) git(place.root, "config", key, value);
    for (const hook of ["pre-commit", "post-checkout", "post-index-change", "reference-transaction"]) {
      place.write(`hooks/${hook}`, `#!/bin/sh\n${evil}\n`, 0o755);
      place.write(`.git/hooks/${hook}`, `#!/bin/sh\n${evil}\n`, 0o755);
    }
    place.write("mixed.txt", "one\r\ntwo\nthree\r$Id$\n");
    place.write("utf16.txt", Buffer.from("\uFEFFx\r\n", "utf16le"));
    place.write("lfs.bin", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n");
    const before = [hashOfRepository(place.root), place.tree()];
    await place.commandTurn("go", "for f in mixed.txt utf16.txt lfs.bin; do printf x >> $f; done");
    expect(await place.back()).toMatchObject({ kind: "done" });
    expect([hashOfRepository(place.root), place.tree()]).toEqual(before);
    expect(readdirSync(join(place.state, ".."))).toEqual(["undo"]);
  });

  it("round the workspace lends it its ignore rules; its other folders are not looked at", async () => {
    const place = makePlace({ below: "big/packages/app" });
    const big = join(place.root, "../..");
    git(big, "init", "-q");
    writeFileSync(join(big, ".gitignore"), "*.log\n/packages/app/out/\n");
    writeFileSync(join(big, "other.txt"), "other\n");
    place.write("a.txt", "a");
    place.write("out/built.js", "built");
    const before = hashOfRepository(big);
    await place.commandTurn(
      "go",
      "echo A > a.txt; echo x > ../../other.txt; echo x > x.log; echo y > out/built.js",
    );
    expect(await place.back()).toMatchObject({ kind: "done", files: [{ path: "a.txt" }] });
    expect(place.text("a.txt")).toBe("a");
    expect([place.text("x.log"), place.text("out/built.js"), place.text("../../other.txt")]).toEqual([
      "x\n",
      "y\n",
      "x\n",
    ]);
    expect(hashOfRepository(big)).toBe(before);
  });

  it("that ignores the workspace as a whole does not leave it uncovered", async () => {
    const place = makePlace({ below: "big/build/app" });
    const big = join(place.root, "../..");
    git(big, "init", "-q");
    writeFileSync(join(big, ".gitignore"), "build/\n");
    place.write("a.txt", "a");
    await place.commandTurn("go", "echo A > a.txt");
    await place.back();
    expect(place.text("a.txt")).toBe("a");
  });

  it("in the workspace, and a submodule, are covered but for their .git", async () => {
    const place = makePlace();
    git(place.root, "init", "-q");
    place.write("nested/a.txt", "a");
    git(join(place.root, "nested"), "init", "-q");
    git(join(place.root, "nested"), "add", ".");
    git(join(place.root, "nested"), "commit", "-qm", "first");
    place.write("unborn/b.txt", "b");
    git(join(place.root, "unborn"), "init", "-q");
    place.write("module/.git", "gitdir: ../.git/modules/module\n");
    place.write("module/c.txt", "c");
    const own = () => [hashOfRepository(place.root), hashOfRepository(join(place.root, "nested"))];
    const before = [own(), place.tree()];
    await place.commandTurn(
      "go",
      "for f in nested/a.txt unborn/b.txt module/c.txt; do echo x >> $f; done; rm -r module/c.txt",
    );
    expect(await place.back()).toMatchObject({ kind: "done" });
    expect([own(), place.tree()]).toEqual(before);
    expect(place.text("module/.git")).toContain("gitdir");
  });

  it("that a command cloned goes again, but for its .git", async () => {
    const place = makePlace();
    await place.commandTurn("go", "git init -q new; echo x > new/x; mkdir new/d; echo y > new/d/y");
    await place.back();
    expect(Object.keys(place.tree())).toEqual(["new/"]);
    expect(readdirSync(join(place.root, "new"))).toEqual([".git"]);
  });
});

describe("what is not covered", () => {
  it("stays: ignored files, installed packages, repositories and the project's own settings", async () => {
    const place = makePlace();
    place.write(".gitignore", "dist/\n*.log\n!keep.log\n");
    place.write("sub/.gitignore", "/local\n");
    const paths = [
      "dist/a.js",
      "a.log",
      "node_modules/p/i.js",
      ".git/config",
      ".mini-cc.json",
      "sub/local",
      "x/.hg/f",
    ];
    for (const path of [...paths, "keep.log", "sub/deep/local", "a.txt"]) place.write(path, "before");
    await place.commandTurn(
      "go",
      "find . -type f ! -name .gitignore | while read f; do echo after > $f; done",
    );
    expect(await place.back()).toMatchObject({
      kind: "done",
      files: [{ path: "a.txt" }, { path: "keep.log" }, { path: "sub/deep/local" }],
    });
    expect(paths.map((path) => place.text(path))).toEqual(paths.map(() => "after\n"));
  });

  it("does not appear or go because the ignore rules changed in the turn", async () => {
    const place = makePlace();
    place.write(".gitignore", ".env\nold/\n");
    place.write(".env", "SECRET=1");
    place.write("old/x", "x");
    place.write("new/y", "y");
    place.write("a.txt", "a");
    const before = place.tree();
    await place.commandTurn("go", "echo new/ > .gitignore; echo A > a.txt");
    expect(await place.back()).toMatchObject({
      kind: "done",
      files: [{ path: ".gitignore" }, { path: "a.txt" }],
    });
    expect(place.tree()).toEqual(before);
    await place.again();
    expect([place.text(".env"), place.text("old/x"), place.text("new/y")]).toEqual(["SECRET=1", "x", "y"]);
  });

  it("is told before undo where a file was too large to be kept, and the rest is undone after a yes", async () => {
    const place = makePlace();
    place.write("big.bin", Buffer.alloc(33 * 1024 * 1024, 1));
    place.write("a.txt", "a");
    await place.commandTurn("go", "echo x >> big.bin; echo A > a.txt");
    expect(await place.back(false)).toEqual({ kind: "declined" });
    expect(place.questions).toMatchObject([{ newer: [], lost: ["big.bin"] }]);
    expect(place.text("a.txt")).toBe("A\n");
    expect(await place.back(true)).toMatchObject({
      kind: "done",
      lost: ["big.bin"],
      files: [{ path: "a.txt" }],
    });
    expect(place.text("a.txt")).toBe("a");
  });

  it.each([
    ["too many files", { entries: 50 }, "it has more than 50 files and folders"],
    ["too many bytes", { bytes: 1024 * 1024 }, "its files have more than 1 MB together"],
    ["too much to look through in the time", { milliseconds: 0 }, "looking through it takes longer than 0 s"],
  ])(
    "is told once where the workspace has %s; edits by tools are covered all the same",
    async (_, limits, why) => {
      const place = makePlace({ limits });
      for (let file = 0; file < 60; file++) place.write(`f${file}`, Buffer.alloc(1024 * 1024, file));
      place.write("a.txt", "a");
      await place.inTurn("go", async (turn) => {
        await place.command(turn, "echo 1 > by-command");
        await place.edit(turn, ["a.txt"], () => place.write("a.txt", "A"));
        await place.command(turn, "echo 2 > by-another");
      });
      expect(place.notices).toEqual([
        `warning undo-limited: what commands change here cannot be undone: ${why}`,
      ]);
      expect(await place.back()).toMatchObject({
        kind: "done",
        incomplete: true,
        files: [{ path: "a.txt" }],
      });
      expect([place.text("a.txt"), place.text("by-command")]).toEqual(["a", "1\n"]);
    },
  );

  it("is every command where the workspace is a whole home folder", async () => {
    const place = makePlace({ commandsOff: "the workspace is /home/me" });
    place.write("a.txt", "a");
    await place.commandTurn("go", "echo A > a.txt");
    expect(place.notices).toHaveLength(1);
    expect(await place.back()).toMatchObject({ kind: "done", incomplete: true, files: [] });
    expect(place.text("a.txt")).toBe("A\n");
  });
});

describe("what undo keeps", () => {
  it("can be read by the user alone, and lies outside the workspace", async () => {
    const place = makePlace();
    place.write("secret.txt", "hush");
    const names = () => readdirSync(place.root);
    await place.commandTurn("go", "echo x > secret.txt");
    await place.back();
    expect(names()).toEqual(["secret.txt"]);
    const modes = new Set<string>();
    const visit = (path: string): void => {
      const stats = statSync(path);
      modes.add(`${stats.isDirectory() ? "folder" : "file"} ${(stats.mode & 0o777).toString(8)}`);
      if (stats.isDirectory()) for (const name of readdirSync(path)) visit(join(path, name));
    };
    visit(place.state);
    expect([...modes].sort()).toEqual(["file 600", "folder 700"]);
  });

  it("is not part of itself where the state folder lies in the workspace", async () => {
    const place = makePlace();
    const inside = makePlace({ root: place.root, state: join(place.root, "state") });
    inside.write("a.txt", "a");
    await inside.commandTurn("go", "echo A > a.txt");
    await inside.commandTurn("more", "echo AA > a.txt");
    expect(await inside.back()).toMatchObject({ kind: "done", files: [{ path: "a.txt" }] });
    expect(await inside.back()).toMatchObject({ kind: "done", files: [{ path: "a.txt" }] });
    expect(inside.text("a.txt")).toBe("a");
  });
});

const isRoot = process.getuid?.() === 0;

const run = (program: string, ...args: string[]): boolean => spawnSync(program, args).status === 0;

/** A small file system of its own where undo keeps its data; false where that is not possible. */
function mountSmall(place: UndoPlace): boolean {
  mkdirSync(place.folder, { recursive: true });
  return run("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", place.folder);
}

describe("a store that cannot be written", () => {
  it.runIf(isRoot)(
    "because the disk is full: the turn goes on, and is told once that it cannot be undone",
    async (test) => {
      const place = makePlace();
      if (!mountSmall(place)) test.skip();
      try {
        place.write("large.txt", "x".repeat(200_000));
        place.write("a.txt", "a");
        await place.inTurn("go", async (turn) => {
          await place.command(turn, "echo A > a.txt");
          await place.edit(turn, ["large.txt"], () => place.write("large.txt", "y".repeat(200_000)));
        });
        expect([place.text("a.txt"), place.text("large.txt").slice(0, 3)]).toEqual(["A\n", "yyy"]);
        expect(place.notices).toEqual([
          expect.stringContaining("undo-failed: changes cannot be undone") as string,
        ]);
        expect(place.notices[0]).toContain("ENOSPC");
        await place.commandTurn("again", "echo AA > a.txt");
        expect(place.notices).toHaveLength(1);
        expect(await place.back()).toMatchObject({ kind: expect.stringMatching(/gone|done/) as string });
        expect(place.text("a.txt")).toBe("AA\n");
      } finally {
        run("umount", "-l", place.folder);
      }
    },
  );

  it("because a file is in its place: the turn goes on, and is told once", async () => {
    const place = makePlace();
    writeFileSync(join(place.root, "../state"), "in the way");
    place.write("a.txt", "a");
    await place.editTurn("go", ["a.txt"], () => place.write("a.txt", "A"));
    await place.commandTurn("more", "echo AA > a.txt");
    expect(place.text("a.txt")).toBe("AA\n");
    expect(place.notices).toEqual([expect.stringContaining("undo-failed") as string]);
  });
});

describe("files that may not be read", () => {
  it("and folders count as unchanged, and what is in them comes back with them", async () => {
    const place = makePlace();
    place.write("locked/a.txt", "a");
    place.write("b.txt", "b");
    chmodSync(join(place.root, "b.txt"), 0o644);
    symlinkSync("locked", join(place.root, "link"));
    const before = place.tree();
    await place.commandTurn("go", "chmod 000 locked b.txt");
    expect(await place.back()).toMatchObject({ kind: "done" });
    expect(place.tree()).toEqual(before);
  });
});
