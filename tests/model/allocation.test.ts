import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { allocationOf, rememberedWindow, rememberWindow } from "../../src/model/allocation.js";

const GIB = 1024 ** 3;
const loaded = (size: number, sizeVram: number, contextLength?: number) => ({
  name: "qwen:latest",
  size: size * GIB,
  sizeVram: sizeVram * GIB,
  contextLength,
});

function stateFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "mini-cc-windows-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe("what the server gave a model", () => {
  test.each([
    { what: "all of it in the GPU's memory", entry: loaded(8, 8, 16_384), spilled: 0, smaller: undefined },
    { what: "a quarter of it on the CPU", entry: loaded(8, 6, 16_384), spilled: 0.25, smaller: 8192 },
    { what: "no GPU at all", entry: loaded(8, 0, 16_384), spilled: 0, smaller: undefined },
    { what: "nothing known", entry: loaded(0, 0), spilled: 0, smaller: undefined },
  ])("is read from the list of loaded ones: $what", ({ entry, spilled, smaller }) => {
    expect(allocationOf("qwen", [entry], 16_384)).toEqual({
      window: entry.contextLength,
      spilled,
      smallerWindow: smaller,
    });
  });

  test("is unknown while it is not in the list", () => {
    expect(allocationOf("llama", [loaded(8, 8, 8192)], 8192)).toBeUndefined();
    expect(allocationOf("qwen", [], 8192)).toBeUndefined();
  });

  test("does not lead to a window that is of no use", () => {
    expect(allocationOf("qwen", [loaded(8, 4, 8191)], 8191)?.smallerWindow).toBeUndefined();
    expect(allocationOf("qwen", [loaded(8, 4, 8192)], 8192)?.smallerWindow).toBe(4096);
  });
});

describe("a window that was found to fit", () => {
  test("is remembered for its server and its model, beside the others", async () => {
    const folder = stateFolder();
    expect(await rememberedWindow(folder, "http://a", "qwen")).toBeUndefined();
    await rememberWindow(folder, "http://a", "qwen", 8192);
    await rememberWindow(folder, "http://b", "qwen", 4096);
    await rememberWindow(folder, "http://a", "llama", 16_384);
    expect(await rememberedWindow(folder, "http://a", "qwen")).toBe(8192);
    expect(await rememberedWindow(folder, "http://b", "qwen")).toBe(4096);
    expect(await rememberedWindow(folder, "http://b", "qwen:latest")).toBe(4096);
    expect(await rememberedWindow(folder, "http://a", "llama")).toBe(16_384);
    expect(await rememberedWindow(folder, "http://b", "llama")).toBeUndefined();
  });

  test("is unknown where the file is damaged, and is remembered anew", async () => {
    const folder = stateFolder();
    writeFileSync(join(folder, "windows.json"), "{");
    expect(await rememberedWindow(folder, "http://a", "qwen")).toBeUndefined();
    await rememberWindow(folder, "http://a", "qwen", 8192);
    expect(await rememberedWindow(folder, "http://a", "qwen")).toBe(8192);
  });
});
