import { execFileSync, spawn } from "node:child_process";
import { openSync, ftruncateSync, writeSync, closeSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readLines } from "../../src/tools/read-lines.js";
import { createWorkspace } from "./workspace.js";

const numbered = (count: number): string =>
  Array.from({ length: count }, (_, index) => `l${index + 1}\n`).join("");

/** Headers as the formats prescribe them. */
const images = [
  { kind: "PNG", bytes: hex("89504e470d0a1a0a 0000000d 49484452 00000320 00000258 0806000000"), size: "800 × 600" },
  { kind: "GIF", bytes: hex("474946383961 2003 5802 f70000"), size: "800 × 600" },
  { kind: "JPEG", bytes: hex("ffd8 ffe00010 4a46494600010100000100010000 ffc0 0011 08 0258 0320 03011100"), size: "800 × 600" },
  { kind: "WebP", bytes: hex("52494646 24000000 57454250 56503820 18000000 300100 9d012a 2003 5802 0000"), size: "800 × 600" },
  { kind: "WebP", bytes: hex("52494646 24000000 57454250 5650384c 18000000 2f 1fc39500 00000000000000000000"), size: "800 × 600" },
  { kind: "WebP", bytes: hex("52494646 24000000 57454250 56503858 0a000000 00000000 1f0300 570200 0000"), size: "800 × 600" },
]; // prettier-ignore

function hex(text: string): Buffer {
  return Buffer.from(text.replaceAll(" ", ""), "hex");
}

describe("read_file", () => {
  it.each([
    { title: "a short file whole", content: "a\nb\n", output: "f lines 1-2 of 2\na\nb" },
    { title: "a last line without a newline", content: "a\nb", output: "f lines 1-2 of 2\na\nb" },
    { title: "CRLF as line ends", content: "a\r\nb\r\n", output: "f lines 1-2 of 2\na\nb" },
    { title: "no BOM", content: "\uFEFFa\n", output: "f lines 1-1 of 1\na" },
    {
      title: "UTF-16 LE",
      content: Buffer.from("\uFEFFä\r\nb\n", "utf16le"),
      output: "f lines 1-2 of 2 (utf-16le)\nä\nb",
    },
    {
      title: "UTF-16 BE",
      content: Buffer.from("\uFEFFä\n", "utf16le").swap16(),
      output: "f lines 1-1 of 1 (utf-16be)\nä",
    },
    { title: "an empty file", content: "", output: "f is empty (0 lines)." },
    { title: "a single empty line", content: "\n", output: "f lines 1-1 of 1\n" },
    {
      title: "bytes that are not UTF-8, marked",
      content: Buffer.concat([Buffer.from("größe ca"), Buffer.of(0xff, 0x0a)]),
      output: "f lines 1-1 of 1 (some bytes are not UTF-8 and are shown as \uFFFD)\ngröße ca\uFFFD",
    },
    {
      title: "half a character of UTF-16, marked",
      content: Buffer.from("\uFEFFab\ud800\n", "utf16le"),
      output: "f lines 1-1 of 1 (some bytes are not utf-16le and are shown as \uFFFD)\nab\uFFFD",
    },
    { title: "line ends of the old Macintosh", content: "a\rb\rc", output: "f lines 1-3 of 3\na\nb\nc" },
    { title: "a lone carriage return as it is", content: "a\rb\nc\n", output: "f lines 1-2 of 2\na\rb\nc" },
    ...images.map(({ kind, bytes, size }) => ({
      title: `a ${kind} image by type and size`,
      content: bytes,
      output: `f is a ${kind} image of ${size} pixels (${bytes.length} bytes). It cannot be shown to you.`,
    })),
    {
      title: "an image with a damaged header by its type",
      content: Buffer.from("\x89PNG\r\n\x1a\n\0\0", "latin1"),
      output: "f is a PNG image (10 bytes). It cannot be shown to you.",
    },
  ])("shows $title", async ({ content, output }) => {
    const workspace = createWorkspace();
    workspace.file("f", content);
    expect(await workspace.run("read_file", { path: "f" })).toMatchObject({ status: "ok", output });
  });

  it("shows 250 lines whole", async () => {
    const workspace = createWorkspace();
    workspace.file("f", numbered(250));
    const { output } = await workspace.run("read_file", { path: "f" });
    expect(output).toBe(`f lines 1-250 of 250\n${numbered(250).trimEnd()}`);
  });

  it("shows a window of a longer file and how to go on, to the end", async () => {
    const workspace = createWorkspace();
    workspace.file("f", numbered(412));
    const first = await workspace.run("read_file", { path: "f" });
    expect(first.output).toBe(`f lines 1-200 of 412\n${numbered(200)}[next: start_line=201]`);
    const second = await workspace.run("read_file", { path: "f", start_line: 201 });
    expect(second.output).toMatch(/^f lines 201-400 of 412\nl201\n[^]*\nl400\n\[next: start_line=401\]$/);
    const third = await workspace.run("read_file", { path: "f", start_line: 401 });
    expect(third.output).toMatch(/^f lines 401-412 of 412\nl401\n[^]*\nl412$/);
  });

  it.each([
    { args: { start_line: 2, end_line: 3 }, output: "f lines 2-3 of 5\nl2\nl3" },
    { args: { end_line: 2 }, output: "f lines 1-2 of 5\nl1\nl2" },
    { args: { start_line: 4, end_line: 99 }, output: "f lines 4-5 of 5\nl4\nl5" },
    { args: { start_line: 0, end_line: -1 }, output: `f lines 1-5 of 5\n${numbered(5).trimEnd()}` },
    { args: { start_line: null, end_line: null }, output: `f lines 1-5 of 5\n${numbered(5).trimEnd()}` },
  ])("takes the range $args", async ({ args, output }) => {
    const workspace = createWorkspace();
    workspace.file("f", numbered(5));
    expect((await workspace.run("read_file", { path: "f", ...args })).output).toBe(output);
  });

  it.each([
    { args: { start_line: 6 }, says: "f has only 5 lines; start_line 6 is past its end." },
    { args: { start_line: 3, end_line: 2 }, says: "end_line 2 is before start_line 3." },
  ])("explains why $args is out of range", async ({ args, says }) => {
    const workspace = createWorkspace();
    workspace.file("f", numbered(5));
    const result = await workspace.run("read_file", { path: "f", ...args });
    expect(result.status).toBe("error");
    expect(result.output.split("\n")[0]).toBe(says);
  });

  it("cuts a line of 2 MB with a marker, and says how to see more of it", async () => {
    const workspace = createWorkspace();
    workspace.file("min.js", "é".repeat(1_000_000));
    const { output } = await workspace.run("read_file", { path: "min.js", start_line: 1, end_line: 1 });
    expect(output).toBe(
      `min.js lines 1-1 of 1\n${"é".repeat(2_000)}[… line cut, 2000000 bytes in all]\n[a cut line has more: search_code with this path shows the part around a match]`,
    );
  });

  it("ends although the file grows as fast as it is read", async () => {
    const workspace = createWorkspace();
    const path = workspace.file("f", "a line\n".repeat(1_000));
    const writer = spawn("sh", ["-c", 'exec yes "a line" >> "$0"', path], { stdio: "ignore" });
    try {
      const { output } = await workspace.run("read_file", { path: "f" });
      expect(output).toMatch(/^f lines 1-200 of \d+\na line\n/);
    } finally {
      writer.kill("SIGKILL");
    }
  });

  it.skipIf(process.platform !== "linux")("reads files whose size the system does not tell", async () => {
    const handle = await open("/proc/self/status");
    const window = await readLines(
      handle,
      1,
      3,
      { lineChars: 100, totalChars: 1_000, bytes: 1_000_000 },
      new AbortController().signal,
      () => undefined,
    );
    await handle.close();
    expect(window.lines[0]).toMatch(/^Name:\t/);
    expect(window.total).toBeGreaterThan(10);
  });

  it("refuses a named pipe without waiting for a writer", async () => {
    const workspace = createWorkspace();
    execFileSync("mkfifo", [join(workspace.root, "pipe")]);
    const { status, output } = await workspace.run("read_file", { path: "pipe" });
    expect(status).toBe("error");
    expect(output).toBe(
      "pipe cannot be read: it is not a regular file.\nUse another path, or tell the user.",
    );
  });

  it("points from a PDF to a program that gets its text", async () => {
    const workspace = createWorkspace();
    workspace.file("a.pdf", "%PDF-1.7\n1 0 obj\n");
    const { status, output } = await workspace.run("read_file", { path: "a.pdf" });
    expect(status).toBe("error");
    expect(output).toContain("a.pdf is a PDF document of 17 bytes.\nIts text can be had with run_command");
  });

  it("shrinks the window to the result limit and says where to go on", async () => {
    const workspace = createWorkspace();
    workspace.file("f", `${"x".repeat(99)}\n`.repeat(200));
    const { output } = await workspace.run(
      "read_file",
      { path: "f", start_line: 11, end_line: 150 },
      { maxOutputChars: 3_200 },
    );
    expect(output.length).toBeLessThanOrEqual(3_200);
    expect(output).toMatch(/^f lines 11-38 of 200\n[^]*\n\[next: start_line=39\]$/);
  });

  it("reads the end of a file of 1 GB without loading it", async () => {
    const workspace = createWorkspace();
    const size = 1024 ** 3;
    const file = openSync(join(workspace.root, "big.log"), "w");
    writeSync(file, "first\n");
    ftruncateSync(file, size);
    writeSync(file, "\nlast line\n", size);
    closeSync(file);
    const before = process.memoryUsage().rss;
    // The hole is one line of NULs, so the file counts as binary unless it begins with text.
    const head = await workspace.run("run_command", {
      command: "yes text | head -c 9000 | dd of=big.log conv=notrunc status=none",
    });
    expect(head.output).toContain("exit code 0");
    const { output } = await workspace.run("read_file", { path: "big.log", start_line: 1802 });
    expect(output).toMatch(/last line$/);
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
  });

  it("says that a binary file has no text", async () => {
    const workspace = createWorkspace();
    workspace.file("a.bin", Buffer.from([0x7f, 0x45, 0, 1]));
    const result = await workspace.run("read_file", { path: "a.bin" });
    expect(result.status).toBe("error");
    expect(result.output).toContain("a.bin is a binary file of 4 bytes.");
  });

  it("sends a folder to list_files", async () => {
    const workspace = createWorkspace();
    workspace.file("src/a.ts", "");
    const result = await workspace.run("read_file", { path: "src" });
    expect(result).toEqual({ status: "error", output: "src is a folder.\nList it with list_files." });
  });

  it.each([
    { wanted: "src/Config.ts", nearest: "src/config.ts" },
    { wanted: "config.ts", nearest: "src/config.ts" },
    { wanted: "lib/confg.ts", nearest: "src/config.ts" },
    { wanted: "sorc", nearest: "src" },
    { wanted: "Sch\u00e4tzung.md", nearest: "Scha\u0308tzung.md" },
  ])("names $nearest for the missing $wanted", async ({ wanted, nearest }) => {
    const workspace = createWorkspace();
    workspace.file("src/config.ts", "");
    workspace.file("Scha\u0308tzung.md", "");
    workspace.file("zzz.txt", "");
    const result = await workspace.run("read_file", { path: wanted });
    expect(result).toEqual({
      status: "error",
      output: `${wanted} does not exist.\nDid you mean: ${nearest}?`,
    });
  });

  it.each(["a b.txt", "it's.txt", '"q".txt', "-x.txt", "配置.md", "\u{1F600}.txt", "[slug].ts"])(
    "reads %s",
    async (path) => {
      const workspace = createWorkspace();
      workspace.file(path, "hello\n");
      expect((await workspace.run("read_file", { path })).output).toBe(`${path} lines 1-1 of 1\nhello`);
    },
  );

  it("ends when the turn is cancelled", async () => {
    const workspace = createWorkspace();
    workspace.file("f", "a\n");
    const signal = AbortSignal.abort(new Error("cancelled"));
    await expect(workspace.run("read_file", { path: "f" }, { signal })).rejects.toThrow("cancelled");
  });
});
