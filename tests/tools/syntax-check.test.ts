import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createWorkspace } from "./workspace.js";

const hasPython = spawnSync("python3", ["-c", "pass"]).status === 0;

const broken = [
  { path: "a.json", before: '{\n  "a": 1\n}\n', old: "1", new: "1,", says: "line 3: " },
  { path: "tsconfig.json", before: '{\n  // note\n  "a": 1,\n}\n', old: "1,", new: "1 2", says: "line 3: " },
  { path: "a.jsonc", before: '{"a": [1, 2]}\n', old: "]", new: "", says: "line 1: " },
  { path: "a.mjs", before: "export const a = 1;\n", old: "1", new: "", says: "line 1: Unexpected token. Mend it" },
  { path: "a.cjs", before: "const a = 1;\nreturn;\n", old: "return", new: "let a = 2", says: "line 2: Identifier 'a'" },
  { path: "a.js", before: "import a from 'a';\nlet b = 1;\n", old: "1", new: "", says: "line 2: Unexpected token. Mend it" },
  { path: "b.js", before: "#!/usr/bin/env node\nwith (a) { b }\n", old: " }", new: "", says: "line 3: " },
  { path: "a.jsx", before: "export const a = <p>x</p>;\n", old: "</p>", new: "</b>", says: "line 1: Expected corresponding JSX closing tag" },
  { path: "a.ts", before: "enum A { B }\nexport const a: A = A.B;\n", old: "A.B;", new: "(A.B;", says: "line 2: Unexpected token" },
  { path: "a.mts", before: "export type A = { a?: 1 };\n", old: " };", new: ";", says: "line 2: Unexpected token" },
  { path: "a.tsx", before: "const a = <A<string> b={1} />;\n", old: " />", new: "", says: "line 1: " },
  { path: "a.ts", before: "@A() export class B { constructor(@C() private d: D) {} }\n", old: ") {}", new: " {}", says: "line 1: " },
  { path: "a.ts", before: "export @A class B { @c d = 1 }\n", old: " = 1", new: " = ", says: "line 1: " },
  { path: "a.yaml", before: "a:\n  b: 1\n  c: !tag [2]\n", old: "  c:", new: " c:", says: "line 3: " },
  { path: "a.yml", before: "a: 1\n---\nb: 2\n", old: "b: 2", new: "b: 2\nb: 3", says: "line 4: Map keys must be unique" },
  { path: "a.yml", before: "a:\n  - b\n", old: "  - b", new: "\t- b", says: "line 2: " },
  { path: "a.toml", before: "[a]\nb = 1\nc = 99999999999999999\n", old: "b = 1", new: "b = ", says: "line 2: " },
  { path: "a.toml", before: "[a]\nb = 1\n", old: "b = 1", new: "b = 1\nb = 2", says: "line 3: " },
]; // prettier-ignore

const fine = [
  { title: "what still parses", path: "a.json", before: '{"a": 1}', old: "1", new: "2" },
  { title: "a comment in a file that may have some", path: ".vscode/settings.json", before: "{}", old: "{}", new: "{ // x\n}" },
  { title: "what did not parse before", path: "a.json", before: '{"a": }', old: "a", new: "b" },
  { title: "a module where scripts are usual too", path: "a.js", before: "const a = 1;\n", old: "const", new: "export const" },
  { title: "a language that nothing here parses", path: "a.rb", before: "a = 1\n", old: "1", new: "(" },
  { title: "TypeScript that still parses", path: "a.ts", before: "let a = <T,>(b: T): b is T & {} => b!;\n", old: "b!", new: "b as never" },
  { title: "declarations", path: "a.d.ts", before: "declare const a: 1;\n", old: "1", new: "2; export = a" },
  { title: "a template of YAML", path: "a.yaml", before: "a: {{ .Values.a }}\nb:\n", old: "b:", new: "{{- end }}" },
  { title: "anchors and several documents", path: "a.yaml", before: "a: &x {b: 1}\nc: *x\n", old: "c: *x", new: "c:\n  <<: *x\n---\nd: 1" },
  { title: "a dialect of JavaScript", path: "a.js", before: "const a = <p>x</p>;\n", old: "x", new: "y" },
]; // prettier-ignore

describe("after an edit the model is told", () => {
  it.each(broken)("that $path no longer parses, with the line", async ({ path, before, old, new: next, says }) => {
    const workspace = createWorkspace();
    workspace.file(path, before);
    const result = await workspace.run("edit_file", { path, old_text: old, new_text: next });
    expect(result.status).toBe("ok");
    expect(result.output).toContain(`Warning: ${path} parsed before and no longer does: ${says}`);
    expect(workspace.text(path)).not.toBe(before);
  });

  it.each(fine)("nothing of $title", async ({ path, before, old, new: next }) => {
    const workspace = createWorkspace();
    workspace.file(path, before);
    const result = await workspace.run("edit_file", { path, old_text: old, new_text: next });
    expect(result.status).toBe("ok");
    expect(result.output).not.toContain("Warning");
  });

  it.skipIf(!hasPython)("that a Python file no longer parses, with the line", async () => {
    const workspace = createWorkspace();
    workspace.file("a.py", "def f():\n    return 1\n");
    const result = await workspace.run("edit_file", { path: "a.py", old_text: "return 1", new_text: "return (1" });
    expect(result.output).toContain("a.py parsed before and no longer does: line 2: '(' was never closed");
  });

  it("nothing of Python where there is none", async () => {
    const workspace = createWorkspace({ env: { PATH: "/nonexistent" } });
    workspace.file("a.py", "a = 1\n");
    const result = await workspace.run("edit_file", { path: "a.py", old_text: "1", new_text: "(" });
    expect(result.output).not.toContain("Warning");
  });

  it("that a new file does not parse", async () => {
    const workspace = createWorkspace();
    const result = await workspace.run("write_file", { path: "a.json", content: '{"a": 1' });
    expect(result.output).toContain("Warning: a.json does not parse: line 1: close brace expected. Mend it.");
    for (const [path, content] of [
      ["b.js", "const a = <p style={{ b: 1 }}/>;"],
      ["flow.js", "/* @flow */\nconst a: number = (b: any);"],
      ["chart.yaml", "{{- if .Values.a }}\na: 1\n{{- end }}"],
      ["page.json", '{"a": <%= b %>}'],
    ] as const) {
      expect((await workspace.run("write_file", { path, content })).output).not.toContain("Warning");
    }
  });
}); // prettier-ignore

describe("a syntax check", () => {
  it("runs nothing of the file, and no module of the folder", async () => {
    const workspace = createWorkspace();
    const touch = (name: string): string => `require("fs").writeFileSync(${JSON.stringify(name)}, "")`;
    workspace.file("ast.py", `open(${JSON.stringify(`${workspace.root}/ran-python`)}, "w")\n`);
    workspace.file("a.py", "x = 1\n");
    workspace.file("a.cjs", `${touch(`${workspace.root}/ran-node`)};\nlet x = 1;\n`);
    await workspace.run("edit_file", { path: "a.py", old_text: "1", new_text: "(" });
    await workspace.run("edit_file", { path: "a.cjs", old_text: "let x = 1", new_text: "let x = " });
    expect(readdirSync(workspace.root).sort()).toEqual(["a.cjs", "a.py", "ast.py"]);
  });
});

describe("write_file, where a model wrote a backslash and an n for each line break,", () => {
  const written = async (path: string, content: string) => {
    const workspace = createWorkspace();
    const { output } = await workspace.run("write_file", { path, content });
    return { output, text: workspace.text(path) };
  };

  it.each([
    { path: "a.py", content: "import os\\nprint(1)\\n", text: "import os\nprint(1)\n" },
    { path: "a.py", content: 'print("a\\n")\\nprint(2)\\n', text: 'print("a\\n")\nprint(2)\n' },
    { path: "a.json", content: '{\\n  \\"a\\": 1\\n}\\n', text: '{\n  "a": 1\n}\n' },
    { path: "a.js", content: "const a = 1;\\nconst b = 2;\\n", text: "const a = 1;\nconst b = 2;\n" },
    { path: "a.ts", content: "const a: number = 1;\\nexport function f() {\\n\\treturn a;\\n}\\n", text: "const a: number = 1;\nexport function f() {\n\treturn a;\n}\n" },
    { path: "a.md", content: "# Title\\n\\nSome text.\\n", text: "# Title\n\nSome text.\n" },
  ])("puts the line breaks in: $content in $path", async ({ path, content, text }) => {
    const result = await written(path, content);
    expect(result.text).toBe(text);
    expect(result.output).toContain("real line breaks were written");
  }); // prettier-ignore

  it.each([
    { path: "pattern.js", content: "module.exports = /a\\nb\\n/;" },
    { path: "a.py", content: 'print("a\\nb\\n")' },
    { path: "pattern.ts", content: "export const lines: RegExp = /\\r?\\n\\s*\\n/;" },
    { path: "pattern.txt", content: "a\\nb\\nc" },
    { path: "a.json", content: '{"text": "a\\nb"}' },
    { path: "a.sh", content: "printf a\\\\n; printf b\\\\n" },
    { path: "a.md", content: "Use \\n for a line break, and \\n\\n for two." },
    { path: "a.py", content: "import os\\nprint(1)\nprint(2)\n" },
    { path: "a.tex", content: "\\newcommand{\\name}{x} \\noindent" },
  ])("leaves as it is what may be meant so: $content in $path", async ({ path, content }) => {
    const result = await written(path, content);
    expect(result.text).toBe(content);
    expect(result.output).not.toContain("line breaks");
  });
});
