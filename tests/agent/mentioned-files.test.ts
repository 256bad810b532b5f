import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { withMentionedFiles } from "../../src/agent/mentioned-files.js";
import { createPolicy } from "../../src/permissions/policy.js";
import { createFileMemory } from "../../src/tools/file-memory.js";
import { createReadFileTool } from "../../src/tools/read-file.js";

function setUp(files: Record<string, string | Uint8Array>, maxChars = 10_000) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "mini-cc-mention-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const workspaceRoot = join(root, "workspace");
  mkdirSync(workspaceRoot);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(workspaceRoot, path)), { recursive: true });
    writeFileSync(join(workspaceRoot, path), content);
  }
  const policy = createPolicy({
    workspaceRoot,
    homeDir: root,
    mode: "default",
    allowed: [],
    denied: [],
    readOnlyDefaultsActive: true,
    pathVariable: "",
    shellFound: true,
    platform: process.platform,
  });
  const tools = [createReadFileTool({ memory: createFileMemory(), env: {} })];
  const read = (text: string) =>
    withMentionedFiles(text, {
      tools,
      policy,
      maxChars: () => maxChars,
      workspaceRoot,
      signal: new AbortController().signal,
    });
  return { root, workspaceRoot, read };
}

describe("files that a message names", () => {
  it.each([
    ["look at @a.ts", true],
    ["@a.ts", true],
    ["is @a.ts, perhaps, wrong?", true],
    ["(see @a.ts).", true],
    ["请看 @a.ts。", true],
    ["@./a.ts", true],
    ["me@a.ts", false],
    ["@missing.ts", false],
    ["@src", false],
    ["no files", false],
  ])("%j brings its content: %s", async (text, expected) => {
    const { read } = setUp({ "a.ts": "const a = 1;\n", "src/b.ts": "" });
    const sent = await read(text);
    expect(sent.startsWith(text)).toBe(true);
    expect(sent.slice(text.length)).toBe(expected ? "\n\na.ts lines 1-1 of 1\nconst a = 1;" : "");
  });

  it("takes names with blanks in quotes, several files, and each only once", async () => {
    const { read } = setUp({ "my file.txt": "mine\n", "b.txt": "b\n" });
    expect(await read('compare @"my file.txt" with @b.txt and @b.txt')).toBe(
      'compare @"my file.txt" with @b.txt and @b.txt\n\nmy file.txt lines 1-1 of 1\nmine\n\nb.txt lines 1-1 of 1\nb',
    );
  });

  it("leaves out what does not fit, what is not text, and what is too long to be read at once", async () => {
    const lines = Array.from({ length: 600 }, (_, line) => `line ${line}`).join("\n");
    const { read } = setUp({
      "big.txt": `${"x".repeat(900)}\n`.repeat(20),
      "long.txt": lines,
      "image.png": new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0, 0]),
      "small.txt": "small\n",
    });
    const text = "@big.txt @long.txt @image.png @small.txt";
    expect(await read(text)).toBe(`${text}\n\nsmall.txt lines 1-1 of 1\nsmall`);
  });

  it("gives all files together no more than there is room for", async () => {
    const { read } = setUp(
      { "a.txt": "a\n".repeat(200), "b.txt": "b\n".repeat(200), "c.txt": `${"c".repeat(900)}\n` },
      1_200,
    );
    const sent = await read("@a.txt @b.txt @c.txt");
    expect(sent.match(/lines 1-\d+ of/g)).toHaveLength(2);
    expect(sent).toContain("a.txt lines 1-200 of 200");
    expect(sent).toContain("b.txt lines 1-200 of 200");
  });

  it("reads nothing that a question would be asked about", async () => {
    const { root, workspaceRoot, read } = setUp({ ".env": "SECRET=1\n" });
    writeFileSync(join(root, "outside.txt"), "outside\n");
    symlinkSync(join(root, "outside.txt"), join(workspaceRoot, "link.txt"));
    const text = `@.env @../outside.txt @${join(root, "outside.txt")} @link.txt @/proc/self/environ`;
    expect(await read(text)).toBe(text);
  });
});
