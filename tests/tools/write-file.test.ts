import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeFileAtomic } from "../../src/tools/atomic-write.js";
import { createWorkspace } from "./workspace.js";

const run = (program: string, ...args: string[]): number | null => spawnSync(program, args).status;

/** Runs with a small file system of its own mounted. */
async function withTmpfs(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "mount-"));
  try {
    expect(run("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", folder)).toBe(0);
    try {
      await use(folder);
    } finally {
      run("umount", "-l", folder);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const canMount =
  process.getuid?.() === 0 && run("unshare", "--mount", "mount", "-t", "tmpfs", "tmpfs", tmpdir()) === 0;

describe("write_file", () => {
  it("creates a file with its folders and says how many lines it has", async () => {
    const workspace = createWorkspace();
    const args = { path: "src/new/a.ts", content: "one\ntwo\n" };
    const preview = await workspace.preview("write_file", args);
    const result = await workspace.run("write_file", args);
    expect(result).toMatchObject({
      status: "ok",
      output: "Created src/new/a.ts (2 lines).",
      changedFiles: ["src/new/a.ts"],
    });
    expect(result.diff).toBe("--- /dev/null\n+++ b/src/new/a.ts\n@@ -0,0 +1,2 @@\n+one\n+two\n");
    expect(preview).toMatchObject({ diff: result.diff });
    expect(workspace.text("src/new/a.ts")).toBe("one\ntwo\n");
    expect(readdirSync(join(workspace.root, "src/new"))).toEqual(["a.ts"]);
  });

  it("writes the text of a new file byte for byte", async () => {
    const workspace = createWorkspace();
    const content = "\uFEFFa\r\nb\n$& $$ \u2028 中 \u{1F600}\t";
    await workspace.run("write_file", { path: "a.txt", content });
    expect(workspace.text("a.txt")).toBe(content);
  });

  it.each([
    { title: "CRLF", before: "a\r\nb\r\n", content: "x\ny\n", after: "x\r\ny\r\n" },
    { title: "LF, even if the content has CRLF", before: "a\nb\n", content: "x\r\ny\r\n", after: "x\ny\n" },
    { title: "CR alone", before: "a\rb\r", content: "x\ny\n", after: "x\ry\r" },
    { title: "a BOM", before: "\uFEFFa\n", content: "b\n", after: "\uFEFFb\n" },
    {
      title: "UTF-16",
      before: Buffer.from("\uFEFFa\n", "utf16le"),
      content: "ü\n",
      after: Buffer.from("\uFEFFü\n", "utf16le"),
    },
    {
      title: "mixed endings of unchanged lines",
      before: "a\r\nb\nc\r\nd",
      content: "a\nb\nX\nc\nd\n",
      after: "a\r\nb\nX\r\nc\r\nd\r\n",
    },
  ])("keeps $title of an existing file", async ({ before, content, after }) => {
    const workspace = createWorkspace();
    workspace.file("f", before);
    const { status } = await workspace.run("write_file", { path: "f", content });
    expect(status).toBe("ok");
    expect(workspace.bytes("f").toString("hex")).toBe(Buffer.from(after as string).toString("hex"));
  });

  it("keeps the mode of an existing file", async () => {
    const workspace = createWorkspace();
    chmodSync(workspace.file("run.sh", "a"), 0o4751);
    await workspace.run("write_file", { path: "run.sh", content: "b" });
    expect(statSync(join(workspace.root, "run.sh")).mode & 0o7777).toBe(0o4751);
  });

  it("says so if the content is there already", async () => {
    const workspace = createWorkspace();
    workspace.file("a.txt", "a\r\n");
    const before = statSync(join(workspace.root, "a.txt")).ino;
    const result = await workspace.run("write_file", { path: "a.txt", content: "a\n" });
    expect(result).toEqual({
      status: "ok",
      output: "a.txt has exactly this content already; nothing was changed.",
    });
    expect(statSync(join(workspace.root, "a.txt")).ino).toBe(before);
  });

  it("refuses content that stands in for existing text", async () => {
    const workspace = createWorkspace();
    workspace.file("a.ts", "a\nb\n");
    const result = await workspace.run("write_file", {
      path: "a.ts",
      content: "A\n// ... rest of the file unchanged ...\n",
    });
    expect(result.status).toBe("error");
    expect(workspace.text("a.ts")).toBe("a\nb\n");
  });

  it.each([
    { title: "a folder", path: "dir", says: "dir is a folder" },
    { title: "a path below a file", path: "file/a", says: "ENOTDIR" },
    { title: "a binary file", path: "bin", says: "binary file" },
    { title: "a name that is too long", path: "x".repeat(300), says: "ENAMETOOLONG" },
  ])("refuses $title", async ({ path, says }) => {
    const workspace = createWorkspace();
    mkdirSync(join(workspace.root, "dir"));
    workspace.file("file", "content");
    workspace.file("bin", Buffer.from([0, 1, 2]));
    const result = await workspace.run("write_file", { path, content: "x" });
    expect(result.status).toBe("error");
    expect(result.output).toContain(says);
    expect(readdirSync(workspace.root).sort()).toEqual(["bin", "dir", "file"]);
    expect(workspace.text("file")).toBe("content");
  });

  it.skipIf(!canMount)(
    "reports a full disk, with the old content in place and no temporary file",
    async () => {
      await withTmpfs(async (under) => {
        const workspace = createWorkspace({ under });
        workspace.file("a.txt", "old\n");
        for (const path of ["a.txt", "new.txt"]) {
          const result = await workspace.run("write_file", { path, content: "x".repeat(200_000) });
          expect(result.status).toBe("error");
          expect(result.output).toContain("the disk is full (ENOSPC)");
        }
        expect(readdirSync(workspace.root)).toEqual(["a.txt"]);
        expect(workspace.text("a.txt")).toBe("old\n");
      });
    },
  );

  it.skipIf(!canMount)("reports a read-only file system", async () => {
    await withTmpfs(async (under) => {
      const workspace = createWorkspace({ under });
      workspace.file("a.txt", "old\n");
      expect(run("mount", "-o", "remount,ro", under)).toBe(0);
      const result = await workspace.run("edit_file", { path: "a.txt", old_text: "old", new_text: "new" });
      expect(run("mount", "-o", "remount,rw", under)).toBe(0);
      expect(result.output).toContain("the file system is read-only (EROFS)");
      expect(workspace.text("a.txt")).toBe("old\n");
    });
  });

  it.skipIf(process.platform !== "linux")(
    "writes through the folder that was judged, even while it is swapped for a link outwards",
    async () => {
      const workspace = createWorkspace();
      const outside = createWorkspace();
      workspace.file("dir/a.txt", "start");
      const swapper = `
      const { renameSync, rmSync, symlinkSync, unlinkSync } = require("node:fs");
      const quietly = (step) => { try { step(); } catch {} };
      console.log("ready");
      for (;;) {
        quietly(() => renameSync("dir", "aside"));
        quietly(() => symlinkSync(${JSON.stringify(outside.root)}, "dir"));
        quietly(() => unlinkSync("dir"));
        quietly(() => renameSync("aside", "dir"));
        quietly(() => rmSync("aside", { recursive: true }));
      }`;
      const child = spawn(process.execPath, ["-e", swapper], {
        cwd: workspace.root,
        stdio: ["ignore", "pipe", "ignore"],
      });
      await once(child.stdout, "data");
      let written = 0;
      let failed = 0;
      for (let round = 0; round < 5_000; round++) {
        try {
          await writeFileAtomic(join(workspace.root, "dir/b.txt"), Buffer.from(`round ${round}`));
          written++;
        } catch {
          failed++;
        }
      }
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
      expect(written).toBeGreaterThan(0);
      expect(failed).toBeGreaterThan(0);
      expect(readdirSync(outside.root)).toEqual([]);
    },
  );

  it("does not follow a link that appeared in the place of the file", async () => {
    const workspace = createWorkspace();
    const outside = createWorkspace();
    const victim = outside.file("victim", "untouched");
    symlinkSync(victim, join(workspace.root, "a.txt"));
    await expect(writeFileAtomic(join(workspace.root, "a.txt"), Buffer.from("x"))).rejects.toThrow(
      "not a regular file",
    );
    expect(outside.text("victim")).toBe("untouched");
  });

  it("leaves the old content or the new when it is killed while it writes 20 MB, and clears up next time", async () => {
    const workspace = createWorkspace();
    const old = "a".repeat(20 * 1024 * 1024);
    const fresh = "b".repeat(20 * 1024 * 1024);
    const target = workspace.file("big.txt", old);
    const writer = `
      import { writeFileAtomic } from ${JSON.stringify(join(import.meta.dirname, "../../src/tools/atomic-write.ts"))};
      const bytes = Buffer.alloc(${fresh.length}, "b");
      console.log("ready");
      for (;;) await writeFileAtomic(${JSON.stringify(target)}, bytes);`;
    for (const delay of [0, 3, 8, 20]) {
      const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", writer], {
        cwd: join(import.meta.dirname, "../.."),
        stdio: ["ignore", "pipe", "inherit"],
      });
      await once(child.stdout, "data");
      await new Promise((resolve) => setTimeout(resolve, delay));
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
      const text = workspace.text("big.txt");
      expect(text === old || text === fresh).toBe(true);
    }
    workspace.file(".mini-cc-0badcafe-1-4a1f2c3d-0000-4000-8000-000000000000.tmp", "of another machine");
    await workspace.run("write_file", { path: "small.txt", content: "x" });
    expect(readdirSync(workspace.root).sort()).toEqual([
      ".mini-cc-0badcafe-1-4a1f2c3d-0000-4000-8000-000000000000.tmp",
      "big.txt",
      "small.txt",
    ]);
  });
});
