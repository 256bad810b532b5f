import { chmodSync, statSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createWorkspace } from "./workspace.js";

describe("edit_file", () => {
  it("shows the nearest place as a line diff with numbers", async () => {
    const workspace = createWorkspace();
    workspace.file("a.ts", "// head\n\nfunction add(a, b) {\n  return a + b;\n}\n");
    const { status, output } = await workspace.run("edit_file", {
      path: "a.ts",
      old_text: "function add(a, b) {\n  return a+b\n}",
      new_text: "x",
    });
    expect(status).toBe("error");
    expect(output).toContain("Nearest: lines 3-5, 2 of 3 lines equal");
    expect(output).toContain(
      "     3 function add(a, b) {\n-        return a+b\n+    4   return a + b;\n     5 }",
    );
    expect(output).toContain("Nothing was changed");
  });

  it("makes blanks visible where only they differ", async () => {
    const workspace = createWorkspace();
    workspace.file("a.py", "if a:\n\tb()\n    c()\n");
    const args = { path: "a.py", old_text: "if a:\n  b()\n\t\tc()", new_text: "x" };
    const { output } = await workspace.run("edit_file", args);
    expect(output).toContain("-      ··b()");
    expect(output).toContain("+    2 →b()");
  });

  it("names where a word of the text occurs if no place comes near", async () => {
    const workspace = createWorkspace();
    workspace.file("a.ts", `${"// filler line\n".repeat(60)}const distinctiveName = 1;\n`);
    const args = {
      path: "a.ts",
      old_text: "while (distinctiveName) { callSomething(else, entirely); }",
      new_text: "x",
    };
    const { output } = await workspace.run("edit_file", args);
    expect(output).toContain('"distinctiveName" occurs at:\n  61: const distinctiveName = 1;');
  });

  it("keeps the answer to a miss under 60 lines", async () => {
    const workspace = createWorkspace();
    const lines = Array.from({ length: 300 }, (_, index) => `line number ${index}`);
    workspace.file("a.txt", lines.join("\n"));
    const old = lines.map((line, index) => (index % 2 === 0 ? line : `${line}!`)).join("\n");
    const { output } = await workspace.run("edit_file", { path: "a.txt", old_text: old, new_text: "x" });
    expect(output.split("\n").length).toBeLessThanOrEqual(60);
    expect(output).toContain("more lines");
  });

  it("recognises an edit that was applied already", async () => {
    const workspace = createWorkspace();
    workspace.file("a.ts", "const answer = 42;\n");
    const args = { path: "a.ts", old_text: "const answer = 41;", new_text: "const answer = 42;" };
    const result = await workspace.run("edit_file", args);
    expect(result).toMatchObject({
      status: "ok",
      output: expect.stringMatching(/Nothing was changed: new_text is in a\.ts already, at line 1/) as string,
    });
    expect(result.changedFiles).toBeUndefined();
  });

  it("does not insert the same line twice", async () => {
    const workspace = createWorkspace();
    workspace.file("a.ts", "import a\nrest\n");
    const args = { path: "a.ts", old_text: "import a\n", new_text: "import a\nimport b\n" };
    await workspace.run("edit_file", args);
    const again = await workspace.run("edit_file", args);
    expect(again.output).toContain("already");
    expect(workspace.text("a.ts")).toBe("import a\nimport b\nrest\n");
  });

  it("shows the lines around the change and the lines it stands on", async () => {
    const workspace = createWorkspace();
    workspace.file("a.txt", Array.from({ length: 20 }, (_, index) => `l${index + 1}\n`).join(""));
    const { output, diff } = await workspace.run("edit_file", {
      path: "a.txt",
      old_text: "l10\nl11",
      new_text: "A\nB\nC",
    });
    expect(output).toBe("Edited a.txt lines 10-11. Now lines 7-15 are:\nl7\nl8\nl9\nA\nB\nC\nl12\nl13\nl14");
    expect(diff).toContain(
      "--- a/a.txt\n+++ b/a.txt\n@@ -7,8 +7,9 @@\n l7\n l8\n l9\n-l10\n-l11\n+A\n+B\n+C\n l12",
    );
  });

  it("makes a missing or empty file from an empty old_text", async () => {
    const workspace = createWorkspace();
    workspace.file("empty.txt", "");
    for (const path of ["new/deep/a.txt", "empty.txt"]) {
      const result = await workspace.run("edit_file", { path, old_text: "", new_text: "hello\n" });
      expect(result.status).toBe("ok");
      expect(workspace.text(path)).toBe("hello\n");
    }
  });

  it("names the nearest existing paths if there is no such file", async () => {
    const workspace = createWorkspace();
    workspace.file("src/config.ts", "a");
    workspace.file("src/other.ts", "a");
    const { status, output } = await workspace.run("edit_file", {
      path: "src/confg.ts",
      old_text: "a",
      new_text: "b",
    });
    expect(status).toBe("error");
    expect(output).toBe("src/confg.ts does not exist.\nDid you mean: src/config.ts?");
  });

  it("keeps the mode of the file", async () => {
    const workspace = createWorkspace();
    chmodSync(workspace.file("run.sh", "#!/bin/sh\necho a\n"), 0o751);
    await workspace.run("edit_file", { path: "run.sh", old_text: "echo a", new_text: "echo b" });
    expect(statSync(`${workspace.root}/run.sh`).mode & 0o7777).toBe(0o751);
  });

  it("changes one line of 2 MB and does not send the line back", async () => {
    const workspace = createWorkspace();
    workspace.file("min.js", `${"x".repeat(1_000_000)}MARK${"y".repeat(1_000_000)}`);
    const { output } = await workspace.run("edit_file", {
      path: "min.js",
      old_text: "MARK",
      new_text: "DONE",
    });
    expect(workspace.text("min.js")).toBe(`${"x".repeat(1_000_000)}DONE${"y".repeat(1_000_000)}`);
    expect(output.length).toBeLessThan(2_000);
  });

  it("helps more with each miss: a diff, the lines to copy, then another way", async () => {
    const workspace = createWorkspace();
    workspace.file("a.ts", "// head\n\nfunction add(a, b) {\n  return a + b;\n}\n");
    const args = { path: "a.ts", old_text: "function add(a, b) {\n  return a+b\n}", new_text: "x" };
    const outputs: string[] = [];
    for (let count = 0; count < 3; count++) outputs.push((await workspace.run("edit_file", args)).output);
    expect(outputs[0]).toContain('"-" is your text, "+" is the file');
    expect(outputs[1]).toContain(
      "Lines 1-5 of the file are:\n// head\n\nfunction add(a, b) {\n  return a + b;\n}\n",
    );
    expect(outputs[2]).toContain("write all of it with write_file");
  });

  it("advises a shorter text for a long file, and begins anew after an edit that landed", async () => {
    const workspace = createWorkspace();
    const lines = Array.from({ length: 300 }, (_, index) => `line number ${index}\n`).join("");
    workspace.file("a.txt", lines);
    const miss = () =>
      workspace.run("edit_file", { path: "a.txt", old_text: "line number 7!\nline number 8", new_text: "x" });
    for (let count = 0; count < 2; count++) await miss();
    expect((await miss()).output).toContain("Use an old_text of 1 to 3 lines");
    await workspace.run("edit_file", { path: "a.txt", old_text: "line number 50\n", new_text: "" });
    expect((await miss()).output).toContain("Nearest: lines 8-9");
  });
});
