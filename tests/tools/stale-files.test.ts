import { utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ToolContext } from "../../src/tools/tool.js";
import { createFileMemory } from "../../src/tools/file-memory.js";
import { createWriteFileTool } from "../../src/tools/write-file.js";
import { createWorkspace } from "./workspace.js";

const numbered = (count: number): string =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");

describe("a file that something else changed since it was read", () => {
  it("is not written over until it is read again", async () => {
    const workspace = createWorkspace();
    workspace.file("a.txt", "one\ntwo\n");
    await workspace.run("read_file", { path: "a.txt" });
    workspace.file("a.txt", "one\ntwo\nby the user\n");
    const write = () => workspace.run("write_file", { path: "a.txt", content: "mine\n" });
    const refused = await write();
    expect(refused.status).toBe("error");
    expect(refused.output).toBe(
      "a.txt was changed by something else since you read it.\nNothing was written. Read it again, then decide what to write.",
    );
    expect(await workspace.preview("write_file", { path: "a.txt", content: "mine\n" })).toEqual(refused);
    expect(workspace.text("a.txt")).toBe("one\ntwo\nby the user\n");
    await workspace.run("read_file", { path: "a.txt" });
    expect((await write()).status).toBe("ok");
  });

  it("takes an edit whose text is still there exactly, keeps what changed, and the answer says so", async () => {
    const workspace = createWorkspace();
    workspace.file("a.txt", "one\ntwo\n");
    await workspace.run("read_file", { path: "a.txt" });
    workspace.file("a.txt", "one\ntwo\nby the user\n");
    const edit = await workspace.run("edit_file", { path: "a.txt", old_text: "one", new_text: "ONE" });
    expect(edit.output).toContain("something else changed the file since you read it");
    expect(workspace.text("a.txt")).toBe("ONE\ntwo\nby the user\n");
    const write = await workspace.run("write_file", { path: "a.txt", content: "mine\n" });
    expect(write.status).toBe("error");
  });

  it("takes no edit whose text is there only nearly", async () => {
    const workspace = createWorkspace();
    workspace.file("a.txt", "two\n");
    await workspace.run("read_file", { path: "a.txt" });
    workspace.file("a.txt", "  two \t\n");
    const loose = await workspace.run("edit_file", { path: "a.txt", old_text: "two\n", new_text: "three\n" });
    expect(loose).toMatchObject({
      status: "error",
      output: expect.stringContaining("Read the file again") as string,
    });
    expect(workspace.text("a.txt")).toBe("  two \t\n");
  });

  it("is named as changed when an edit finds no place in it", async () => {
    const workspace = createWorkspace();
    workspace.file("a.txt", "one\n");
    await workspace.run("read_file", { path: "a.txt" });
    workspace.file("a.txt", "something else altogether\n");
    const { output } = await workspace.run("edit_file", { path: "a.txt", old_text: "one", new_text: "two" });
    expect(output).toMatch(/^a\.txt was changed by something else since you read it\.\nold_text does not occur/);
  });

  it("is not mistaken for one that was only touched, or changed by the tools themselves", async () => {
    const workspace = createWorkspace();
    workspace.file("a.txt", "one\ntwo\n");
    await workspace.run("read_file", { path: "a.txt" });
    for (const [old, next] of [["one", "1"], ["two", "2"], ["1", "uno"]] as const) {
      const { output } = await workspace.run("edit_file", { path: "a.txt", old_text: old, new_text: next });
      expect(output).not.toContain("something else");
    }
    utimesSync(join(workspace.root, "a.txt"), new Date(), new Date(Date.now() + 60_000));
    const { output } = await workspace.run("write_file", { path: "a.txt", content: "all new\n" });
    expect(output).toBe("Replaced a.txt (1 line).");
  });

  it("is not written if it changes while the user is asked", async () => {
    const workspace = createWorkspace();
    const real = workspace.file("a.txt", "one\n");
    const memory = createFileMemory();
    const tool = createWriteFileTool({ memory, env: {} });
    const context: ToolContext = {
      workspaceRoot: workspace.root,
      signal: new AbortController().signal,
      path: (written) => ({ written, real, display: written, inside: true, kind: "file" }),
      maxOutputChars: 1_000,
      saw: () => undefined,
      readsOnly: false,
      network: false,
      onOutput: () => undefined,
    };
    const args = { path: "a.txt", content: "mine\n" };
    expect(await tool.preview?.(args, context)).toHaveProperty("diff");
    workspace.file("a.txt", "by the user\n");
    const result = await tool.run(args, context);
    expect(result.output).toContain("changed while the user was asked");
    expect(workspace.text("a.txt")).toBe("by the user\n");
  });
}); // prettier-ignore

describe("what the user should see before a file is replaced", () => {
  it("is said of one that was not read, with both sizes", async () => {
    const workspace = createWorkspace();
    workspace.file("a.txt", "one\ntwo\n");
    const warning =
      "a.txt existed and was not read in this session: 2 lines (8 bytes) become 1 line (5 bytes).";
    const args = { path: "a.txt", content: "mine\n" };
    expect(await workspace.preview("write_file", args)).toMatchObject({ warning });
    expect((await workspace.run("write_file", args)).output).toBe(`Replaced a.txt (1 line). ${warning}`);
  });

  it("is said of one that shrinks to less than half", async () => {
    const workspace = createWorkspace();
    workspace.file("a.txt", numbered(400));
    await workspace.run("read_file", { path: "a.txt" });
    const preview = await workspace.preview("write_file", { path: "a.txt", content: numbered(20) });
    expect(preview).toMatchObject({
      warning: "a.txt gets much shorter: 400 lines (3492 bytes) become 20 lines (151 bytes).",
    });
  });

  it.each([
    { title: "a new file", before: undefined, read: false, after: 1 },
    { title: "an empty file", before: 0, read: false, after: 1 },
    { title: "a short file", before: 20, read: true, after: 1 },
    { title: "a file that keeps half of its lines", before: 40, read: true, after: 20 },
    { title: "a file that grows", before: 40, read: true, after: 100 },
  ])("is nothing for $title", async ({ before, read, after }) => {
    const workspace = createWorkspace();
    if (before !== undefined) workspace.file("a.txt", numbered(before));
    if (read) await workspace.run("read_file", { path: "a.txt" });
    const preview = await workspace.preview("write_file", {
      path: "a.txt",
      content: `x\n${numbered(after)}`,
    });
    expect(Object.keys(preview)).toEqual(["diff"]);
  });

  it("counts a file that the model made itself as known", async () => {
    const workspace = createWorkspace();
    await workspace.run("write_file", { path: "a.txt", content: "one\n" });
    const preview = await workspace.preview("write_file", { path: "a.txt", content: "two\n" });
    expect(Object.keys(preview)).toEqual(["diff"]);
  });
});
