import { execFile } from "node:child_process";
import { appendFile, readFile, stat, truncate } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SessionHeader, SessionRecord } from "../../src/sessions/records.js";
import { sessionRecord } from "../../src/sessions/records.js";
import { AT, makeStore, START, user } from "./store.js";

const whole = (records: SessionRecord[]) => ({
  records,
  damagedLines: 0,
  unknownRecords: 0,
  isNewer: false,
});

const ALL_KINDS: SessionRecord[] = [
  START,
  {
    type: "notes",
    at: AT,
    files: [{ path: "AGENTS.md", isUsers: false, text: "Use tabs.", isWhole: true }],
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
  { type: "call-started", id: "c1", effect: "change" },
  {
    type: "call-finished",
    id: "c1",
    status: "error",
    output: "1 failed",
    changedFiles: ["a.ts"],
    files: [{ path: "/home/me/project/a.ts", hash: "ab12" }],
    command: { command: "npm test", exitCode: null },
  },
  { type: "snapshot", id: "u1" },
  { type: "changes", id: "u1", snapshot: "u1", files: 2 },
  {
    type: "restored",
    at: AT,
    action: "undo",
    of: "u1",
    as: "u2",
    files: [
      { path: "/home/me/project/a.ts", hash: "cd" },
      { path: "/home/me/project/new.ts", hash: null },
    ],
    more: 1,
  },
  { type: "notice", level: "warning", code: "reload", text: "The model was loaded anew." },
  { type: "retried", because: "empty" },
  { type: "nudge", text: "Continue." },
  { type: "steering", at: AT, text: "Only a.ts." },
  {
    type: "compaction",
    at: AT,
    tokensBefore: 100,
    tokensAfter: 10,
    messages: [
      { role: "user", text: "Fix it." },
      { role: "assistant", text: "", thinking: "Hm.", calls: [{ id: "c1", name: "t", args: {} }] },
      { role: "tool", id: "c1", name: "t", ok: true, text: "done" },
    ],
  },
  {
    type: "turn-end",
    at: AT,
    outcome: "failed",
    error: { code: "internal", message: "boom" },
    usage: { promptTokens: 100, outputTokens: 5, steps: 1 },
    changedFiles: ["a.ts"],
    session: { turns: 1, model: "qwen2.5" },
  },
  { type: "protocol", protocol: "text", model: "qwen2.5" },
  { type: "title", at: AT, text: "Mend the build" },
  { type: "model", at: AT, model: "qwen3", contextWindow: 8_192 },
  {
    type: "resumed",
    at: AT,
    model: "qwen3",
    contextWindow: 8_192,
    version: "0.2.0",
    damagedLines: 1,
    unknownRecords: 2,
  },
  {
    ...user("And this."),
    note: "a.ts has changed.",
    files: [{ path: "/home/me/project/a.ts", hash: null }],
  } as SessionRecord,
  {
    type: "turn-end",
    at: AT,
    outcome: "done",
    session: { turns: 2, model: "qwen3", title: "Mend the build" },
  },
  {
    type: "background-ended",
    command: { command: "npm run dev", exitCode: 1, background: "c1", state: "exited" },
  },
];

describe("what was appended", () => {
  test("is read back as it was, in order", async () => {
    const { store } = await makeStore();
    const log = store.create();
    for (const record of ALL_KINDS) log.append(record);
    log.close();
    expect(await store.read(log.id)).toEqual(whole(ALL_KINDS));
    const kinds = sessionRecord.options.map((option) => option.shape.type.value);
    expect(new Set(ALL_KINDS.map(({ type }) => type))).toEqual(new Set(kinds));
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
    expect(await store.read(log.id)).toEqual(whole([user(text), user("next")]));
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
    expect(await store.read(log.id)).toEqual(whole([big, user("after")]));
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
    expect(await store.read((await store.latest()) ?? "")).toEqual(whole([user("one"), user("two")]));
  });

  test("goes on where a saved session ended", async () => {
    const { store } = await makeStore();
    const log = store.create();
    log.append(user("first run"));
    log.close();
    const again = await store.reopen(log.id);
    again.append(user("second run"));
    again.close();
    expect(again.id).toBe(log.id);
    expect(await store.read(log.id)).toEqual(whole([user("first run"), user("second run")]));
  });
});

describe("a file of a newer version", () => {
  test("is read but for the records that are not known here, which stay in it", async () => {
    const { store, onlyFile } = await makeStore();
    const novelty = '{"type":"novelty","at":"2030"}';
    const log = store.create();
    log.append({ ...(ALL_KINDS[0] as SessionHeader), v: 2 });
    await appendFile(await onlyFile(), `${novelty}\n`);
    log.append(user("before"));
    log.close();
    const again = await store.reopen(log.id);
    again.append(user("after"));
    again.close();
    expect(await store.read(log.id)).toMatchObject({ damagedLines: 0, unknownRecords: 1, isNewer: true });
    expect((await store.read(log.id)).records.slice(1)).toEqual([user("before"), user("after")]);
    expect(await readFile(await onlyFile(), "utf8")).toContain(novelty);
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
    expect(await store.read(log.id)).toEqual({ ...whole([user("whole")]), damagedLines: 1 });

    const again = await store.reopen(log.id);
    again.append(user("after"));
    again.close();
    expect(await store.read(log.id)).toEqual({ ...whole([user("whole"), user("after")]), damagedLines: 1 });
  });

  test.each([
    ["not JSON", "oops"],
    ["JSON of another shape", '{"type":"user","text":7}'],
    ["no object", "[1]"],
    ["an object without a type", '{"type":7}'],
    ["bytes of a broken disk", "\u0000\u0000\u0000\u0000"],
  ])("with a line in the middle that is %s is read but for that line, which is counted", async (_, line) => {
    const { store, onlyFile } = await makeStore();
    const log = store.create();
    log.append(user("before"));
    await appendFile(await onlyFile(), `${line}\n`);
    log.append(user("after"));
    log.close();
    expect(await store.read(log.id)).toEqual({ ...whole([user("before"), user("after")]), damagedLines: 1 });
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
