import { chmodSync, readdirSync, statSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyReplacements, matchEdit } from "../../src/tools/edit-match.js";
import { createWorkspace } from "./workspace.js";

interface EditCase {
  title: string;
  before: string | Buffer;
  old: string;
  new: string;
  all?: boolean;
  after: string | Buffer;
  says?: string;
}

const utf16 = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, "utf16le");

const landing: EditCase[] = [
  { title: "an exact text", before: "a\nb\nc\n", old: "b", new: "B", after: "a\nB\nc\n" },
  { title: "dollar signs literally", before: "a:\n\techo $$HOME\n", old: "echo $$HOME", new: "echo $$USER $& $' $1", after: "a:\n\techo $$USER $& $' $1\n" },
  { title: "a text with backslashes as it is", before: "re = /\\u0000/\n", old: "/\\u0000/", new: "/\\u0001\\t/", after: "re = /\\u0001\\t/\n" },
  { title: "only the changed line of a CRLF file", before: "x\r\ny\r\nz\r\n", old: "y", new: "Y\nnew", after: "x\r\nY\r\nnew\r\nz\r\n" },
  { title: "several lines of a CRLF file given with LF", before: "x\r\ny\r\nz\r\n", old: "x\ny", new: "x\nY", after: "x\r\nY\r\nz\r\n" },
  { title: "a text given with CRLF in an LF file", before: "x\ny\n", old: "x\r\ny", new: "x\r\nz", after: "x\nz\n" },
  { title: "added lines of a mixed file with its commonest ending", before: "a\r\nb\nc\r\nd\r\n", old: "c", new: "c\nC", after: "a\r\nb\nc\r\nC\r\nd\r\n" },
  { title: "a first line behind a BOM, which stays", before: "\uFEFFWrite-Host 1\r\n", old: "Write-Host 1", new: "Write-Host 2", after: "\uFEFFWrite-Host 2\r\n" },
  { title: "UTF-16 LE", before: utf16("a\r\nä\r\n"), old: "ä", new: "ü€", after: utf16("a\r\nü€\r\n") },
  { title: "UTF-16 BE", before: utf16("ä\n").swap16(), old: "ä", new: "ö", after: utf16("ö\n").swap16() },
  { title: "a file without a last newline", before: "a\nb", old: "b", new: "c", after: "a\nc" },
  { title: "a last line that the model ends with a newline", before: "a\nb", old: "b\n", new: "c\n", after: "a\nc" },
  { title: "all places with replace_all", before: "x1 x2 x3\n", old: "x", new: "xx", all: true, after: "xx1 xx2 xx3\n" },
  { title: "every blank with replace_all", before: "a b c\n", old: " ", new: "  ", all: true, after: "a  b  c\n" },
  { title: "a line that goes away", before: "a\nb\nc\n", old: "b\n", new: "", after: "a\nc\n" },
  { title: "a text in spite of blanks at line ends", before: "a  \nb\t\nc\n", old: "a\nb\n", new: "A\nb\n", after: "A\nb\nc\n", says: "blanks at line ends" },
  { title: "a text in spite of a blank line around it", before: "a\nb  \nc\n", old: "\nb\n\n", new: "\nB\n\n", after: "a\nB\nc\n", says: "blanks at line ends" },
  { title: "a deletion in spite of blanks at line ends", before: "a\nb  \nc\n", old: "b\n", new: "", after: "a\nc\n", says: "blanks at line ends" },
  { title: "spaces for tabs, re-indented", before: "func f() {\n\tif x {\n\t\treturn 1\n\t}\n}\n", old: "    if x {\n        return 1\n    }", new: "    if x {\n        if y {\n            return 2\n        }\n    }", after: "func f() {\n\tif x {\n\t\tif y {\n\t\t\treturn 2\n\t\t}\n\t}\n}\n", says: "indentation" },
  { title: "a block given without its indentation", before: "class A:\n    def f(self):\n        a = 1\n        return a\n", old: "def f(self):\n    a = 1\n    return a", new: "def f(self):\n    if True:\n        a = 2\n\n    return a", after: "class A:\n    def f(self):\n        if True:\n            a = 2\n\n        return a\n", says: "indentation" },
  { title: "a block given too deep", before: "if a:\n    b()\n    c()\n", old: "        b()\n        c()", new: "        b()\n        d()", after: "if a:\n    b()\n    d()\n", says: "indentation" },
  { title: "two spaces for four", before: "f() {\n    a {\n        b\n    }\n}\n", old: "  a {\n    b\n  }", new: "  a {\n    b\n    c\n  }", after: "f() {\n    a {\n        b\n        c\n    }\n}\n", says: "indentation" },
  { title: "a first line whose blanks were cut", before: "\tfoo()\n\tbar()\n", old: "foo()\n    bar()", new: "foo()\n    baz()", after: "\tfoo()\n\tbaz()\n", says: "indentation" },
  { title: "a file whose real lines begin like line numbers", before: "11| foo\n12| bar\n", old: "12| bar", new: "12| baz", after: "11| foo\n12| baz\n" },
]; // prettier-ignore

describe("edit_file lands", () => {
  it.each(landing)("$title", async ({ before, old, new: replacement, all, after, says }) => {
    const workspace = createWorkspace();
    workspace.file("f.txt", before);
    const args = { path: "f.txt", old_text: old, new_text: replacement, replace_all: all };
    const preview = await workspace.preview("edit_file", args);
    const result = await workspace.run("edit_file", args);
    expect(result.output).toMatch(/^Edited f\.txt/);
    expect(result.status).toBe("ok");
    expect(workspace.bytes("f.txt").toString("hex")).toBe(Buffer.from(after as string).toString("hex"));
    expect(result.changedFiles).toEqual(["f.txt"]);
    expect(preview).toEqual({ diff: result.diff });
    if (says !== undefined) expect(result.output).toContain(says);
    expect(readdirSync(workspace.root)).toEqual(["f.txt"]);
  });
});

const refused: { title: string; before: string | Buffer; old: string; new: string; all?: boolean; says: RegExp }[] = [
  { title: "an ambiguous text, with the line numbers", before: "x\na\nx\n", old: "x", new: "y", says: /occurs 2 times[^]*1: x\n {2}3: x[^]*replace_all/ },
  { title: "overlapping places", before: "aaa\n", old: "aa", new: "b", says: /occurs 2 times/ },
  { title: "a text that is ambiguous without its blanks", before: "a \nb\na  \nb\n", old: "a\nb\n", new: "c\n", says: /occurs 2 times/ },
  { title: "a block that is ambiguous without its indentation", before: "  a\n  b\n\ta\n\tb\n", old: "a\nb", new: "c", says: /occurs 2 times/ },
  { title: "an empty old_text in a file with content", before: "a\n", old: "", new: "b", says: /old_text is empty/ },
  { title: "a text that does not change", before: "a\n", old: "a", new: "a", says: /the same/ },
  { title: "new_text that leaves out existing text", before: "a\nb\n", old: "a", new: "A\n// ... existing code ...\n", says: /stands in for existing text/ },
  { title: "new_text with the rest of the file unwritten", before: "a\nb\n", old: "a", new: "A\n# rest of the code unchanged", says: /stands in for existing text/ },
  { title: "lines in another order of depth", before: "if a:\n  b()\n    c()\n", old: "    b()\n    c()", new: "    d()", says: /does not occur/ },
  { title: "a binary file", before: Buffer.from([1, 0, 2]), old: "a", new: "b", says: /binary file/ },
  { title: "a file in another encoding", before: Buffer.from("print('\xc4\xe3')\n", "latin1"), old: "print", new: "x", says: /encoding other than UTF-8/ },
  { title: "half of a surrogate pair", before: "a\n", old: "a", new: "\ud800", says: /surrogate/ },
]; // prettier-ignore

describe("edit_file refuses and changes nothing:", () => {
  it.each(refused)("$title", async ({ before, old, new: replacement, all, says }) => {
    const workspace = createWorkspace();
    workspace.file("f.txt", before);
    const args = { path: "f.txt", old_text: old, new_text: replacement, replace_all: all };
    const result = await workspace.run("edit_file", args);
    expect(result.status).toBe("error");
    expect(result.output).toMatch(says);
    expect(await workspace.preview("edit_file", args)).toEqual(result);
    expect(workspace.bytes("f.txt").equals(Buffer.from(before as string))).toBe(true);
  });
});

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
});

describe("matchEdit", () => {
  it("puts a unique text exactly where it was and touches nothing else", () => {
    const line = fc.string({
      unit: fc.constantFrom("a", "b", " ", "\t", "$", "é", "中", "\u{1F600}"),
      maxLength: 8,
    });
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1 }),
        fc.nat(),
        fc.array(line, { minLength: 1 }),
        (lines, seed, fresh) => {
          const at = seed % lines.length;
          const marked = lines.map((text, index) => (index === at ? `${text}<unique>${text}` : text));
          const text = marked.join("\n");
          const old = `${lines[at] ?? ""}<unique>`;
          const replacement = fresh.join("\n");
          fc.pre(old !== replacement && !text.includes(replacement.trim() === "" ? "\0" : replacement));
          const match = matchEdit(text, old, replacement, false);
          if (match.kind !== "match") throw new Error(match.kind);
          const start = text.indexOf(old);
          const after = applyReplacements(text, match.replacements);
          expect(after).toBe(text.slice(0, start) + replacement + text.slice(start + old.length));
        },
      ),
    );
  });

  it("never matches a block in which a word differs", () => {
    const text = "f() {\n    one();\n    two();\n}\n";
    expect(matchEdit(text, "one();\n    twoo();", "x", false)).toEqual({ kind: "missing" });
  });
});
