import { execFileSync } from "node:child_process";
import { chmodSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { rgPath } from "@vscode/ripgrep";
import { describe, expect, it } from "vitest";
import { permissionsHold, runUnprivileged } from "./unprivileged.js";
import { createWorkspace } from "./workspace.js";

const denied = expect.stringContaining("permission denied (EACCES)") as string;

/** Needs a user for whom permissions hold: not root, or root and a setpriv that may take capabilities away. */
describe.skipIf(!permissionsHold)("without permission", () => {
  it("nothing in a folder is written, and the file is as it was", () => {
    const workspace = createWorkspace();
    workspace.file("dir/a.txt", "old\n");
    chmodSync(join(workspace.root, "dir"), 0o555);
    const results = runUnprivileged(workspace.root, [
      { tool: "write_file", args: { path: "dir/a.txt", content: "new" } },
      { tool: "edit_file", args: { path: "dir/a.txt", old_text: "old", new_text: "new" } },
      { tool: "write_file", args: { path: "dir/fresh.txt", content: "new" } },
      { tool: "write_file", args: { path: "dir/deep/fresh.txt", content: "new" } },
    ]);
    chmodSync(join(workspace.root, "dir"), 0o755);
    expect(results).toEqual(results.map(() => ({ status: "error", output: denied })));
    expect(results[0]?.output).toMatch(/^dir\/a\.txt cannot be written and is as it was before: /);
    expect(readdirSync(join(workspace.root, "dir"))).toEqual(["a.txt"]);
    expect(workspace.text("dir/a.txt")).toBe("old\n");
  });

  it("a read-only file is not replaced, although its folder would allow it", () => {
    const workspace = createWorkspace();
    chmodSync(workspace.file("a.txt", "old\n"), 0o444);
    const results = runUnprivileged(workspace.root, [
      { tool: "write_file", args: { path: "a.txt", content: "new" } },
      { tool: "edit_file", args: { path: "a.txt", old_text: "old", new_text: "new" } },
    ]);
    expect(results).toEqual(results.map(() => ({ status: "error", output: denied })));
    expect(readdirSync(workspace.root)).toEqual(["a.txt"]);
    expect(workspace.text("a.txt")).toBe("old\n");
    expect(statSync(join(workspace.root, "a.txt")).mode & 0o777).toBe(0o444);
  });

  it("what cannot be read is said to be so, by each tool that meets it", () => {
    const workspace = createWorkspace();
    chmodSync(workspace.file("secret.txt", "needle\n"), 0);
    const [read, edit, write, search] = runUnprivileged(workspace.root, [
      { tool: "read_file", args: { path: "secret.txt" } },
      { tool: "edit_file", args: { path: "secret.txt", old_text: "a", new_text: "b" } },
      { tool: "write_file", args: { path: "secret.txt", content: "b" } },
      { tool: "search_code", args: { pattern: "needle" } },
    ]);
    for (const result of [read, edit, write]) expect(result).toEqual({ status: "error", output: denied });
    expect(search?.output).toContain("Could not be searched: secret.txt: permission denied");
  });

  it.each([
    { place: "a plain folder", repository: false, ripgrep: rgPath },
    { place: "a git repository", repository: true, ripgrep: rgPath },
    { place: "a plain folder, without ripgrep,", repository: false, ripgrep: "/nonexistent/rg" },
    { place: "a git repository, without ripgrep,", repository: true, ripgrep: "/nonexistent/rg" },
  ])("a folder in $place that cannot be read is named, and the others are listed and searched", (given) => {
    const workspace = createWorkspace();
    if (given.repository) execFileSync("git", ["init", "-q"], { cwd: workspace.root });
    workspace.file("secret/a.txt", "needle\n");
    workspace.file("b.txt", "needle\n");
    chmodSync(join(workspace.root, "secret"), 0);
    const calls = [
      { tool: "list_files", args: { path: "." } },
      { tool: "list_files", args: { path: "secret" } },
      { tool: "search_code", args: { pattern: "needle" } },
      { tool: "search_code", args: { pattern: "needle", path: "secret" } },
    ];
    const [list, listAlone, search, searchAlone] = runUnprivileged(workspace.root, calls, given.ripgrep);
    chmodSync(join(workspace.root, "secret"), 0o755);
    expect(list).toMatchObject({ status: "ok", output: ".: 1 file\nb.txt\n[Not readable: secret.]" });
    expect(listAlone).toEqual({ status: "error", output: denied });
    expect(search?.output).toMatch(
      /b\.txt \(1\)\n {2}1: needle\n\[Could not be searched: .*secret.*ermission denied/,
    );
    expect(searchAlone?.status).toBe("error");
    expect(searchAlone?.output).toMatch(/permission denied/i);
  });
});
