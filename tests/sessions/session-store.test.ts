import { execFile } from "node:child_process";
import { appendFile, stat, truncate } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SessionRecord } from "../../src/sessions/records.js";
import { AT, makeStore, user } from "./store.js";

const ALL_KINDS: SessionRecord[] = [
  {
    type: "session",
    v: 1,
    id: "s",
    at: AT,
    cwd: "/home/me/project",
    model: "qwen2.5",
    contextWindow: 16_384,
    version: "0.1.0",
  },
  user("Fix it."),
  {
    type: "assistant",
    text: "Looking.",
    thinking: "Hm.",
    calls: [
      { id: "c1", name: "run_command", args: { command: "npm test", nested: { list: [1, null, "x"] } } },
    ],
    promptTokens: 100,
    outputTokens: 5,
    cut: "cut off",
  },
  { type: "call-prepared", id: "c1", tool: "run_command", args: { command: "npm test" } },
  { type: "permission", id: "c1", verdict: "allow", by: "rule", because: "npm test is allowed" },
  { type: "call-started", id: "c1" },
  {
    type: "call-finished",
    id: "c1",
    status: "error",
    output: "1 failed",
    changedFiles: ["a.ts"],
    command: { command: "npm test", exitCode: null },
  },
  { type: "turn-end", at: AT, outcome: "failed", error: "boom" },
];

describe("what was appended", () => {
  test("is read back as it was, in order", async () => {
    const { store } = await makeStore();
    const log = store.create();
    for (const record of ALL_KINDS) log.append(record);
    log.close();
    expect(await store.read(log.id)).toEqual({ records: ALL_KINDS, damagedLines: 0 });
  });

  test.each([
    ["separators that some readers take for line ends", "a\u2028b\u2029c\u0085d\r\ne\nf"],
    ["half of a surrogate pair", "a\ud83d b\ude00 c"],
    ["characters that end strings elsewhere", "a\u0000b\u001bc\u007f"],
    ["text that looks like a record", '{"type":"turn-end"}\n{"type":"user"'],
    ["a byte order mark", "\ufeffa"],
  ])("keeps %s", async (_, text) => {
    const { store } = await makeStore();
    const log = store.create();
    log.append(user(text));
    log.append(user("next"));
    log.close();
    expect(await store.read(log.id)).toEqual({ records: [user(text), user("next")], damagedLines: 0 });
  });

  test("may be any text", async () => {
    const { store } = await makeStore();
    const log = store.create();
    const texts = fc.sample(fc.string({ unit: "binary" }), { numRuns: 200, seed: 7 });
    for (const text of texts) log.append(user(text));
    log.close();
    expect((await store.read(log.id)).records).toEqual(texts.map(user));
  });

  test("may be megabytes long", async () => {
    const { store } = await makeStore();
    const log = store.create();
    const big = user("0123456789 äöü\n".repeat(300_000));
    log.append(big);
    log.append(user("after"));
    log.close();
    expect(await store.read(log.id)).toEqual({ records: [big, user("after")], damagedLines: 0 });
  });

  test("is there for others before the log is closed, also if the process is killed", async () => {
    const { store, folder } = await makeStore();
    const program = fileURLToPath(new URL("append-and-die.ts", import.meta.url));
    const run = promisify(execFile)(process.execPath, [
      "--import",
      "tsx",
      program,
      folder,
      "/home/me/project",
    ]);
    await expect(run).rejects.toMatchObject({ signal: "SIGKILL" });
    expect(await store.read((await store.latest()) ?? "")).toEqual({
      records: [user("one"), user("two")],
      damagedLines: 0,
    });
  });

  test("goes on where a saved session ended", async () => {
    const { store } = await makeStore();
    const log = store.create();
    log.append(user("first run"));
    log.close();
    const again = store.reopen(log.id);
    again.append(user("second run"));
    again.close();
    expect(again.id).toBe(log.id);
    expect(await store.read(log.id)).toEqual({
      records: [user("first run"), user("second run")],
      damagedLines: 0,
    });
  });
});

describe("a damaged file", () => {
  test("with a torn last line loses that line only, and takes what is appended", async () => {
    const { store, onlyFile } = await makeStore();
    const log = store.create();
    log.append(user("whole"));
    log.append(user("torn by a crash"));
    log.close();
    const path = await onlyFile();
    await truncate(path, (await stat(path)).size - 9);
    expect(await store.read(log.id)).toEqual({ records: [user("whole")], damagedLines: 1 });

    const again = store.reopen(log.id);
    again.append(user("after"));
    again.close();
    expect(await store.read(log.id)).toEqual({ records: [user("whole"), user("after")], damagedLines: 1 });
  });

  test.each([
    ["not JSON", "oops"],
    ["JSON of another shape", '{"type":"user","text":7}'],
    ["a record of a newer version", '{"type":"novelty","at":"2030"}'],
    ["bytes of a broken disk", "\u0000\u0000\u0000\u0000"],
  ])("with a line in the middle that is %s is read but for that line, which is counted", async (_, line) => {
    const { store, onlyFile } = await makeStore();
    const log = store.create();
    log.append(user("before"));
    await appendFile(await onlyFile(), `${line}\n`);
    log.append(user("after"));
    log.close();
    expect(await store.read(log.id)).toEqual({ records: [user("before"), user("after")], damagedLines: 1 });
  });

  test("may have fields that a newer version added", async () => {
    const { store, onlyFile } = await makeStore();
    const log = store.create();
    log.append(user("before"));
    await appendFile(await onlyFile(), `${JSON.stringify({ ...user("newer"), mood: "good" })}\n`);
    log.close();
    const { records, damagedLines } = await store.read(log.id);
    expect(records).toMatchObject([user("before"), user("newer")]);
    expect(damagedLines).toBe(0);
  });
});
