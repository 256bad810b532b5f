import { execFile } from "node:child_process";
import { appendFile, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { EXIT, UserError } from "../../src/errors.js";
import type { SessionRecord } from "../../src/sessions/records.js";
import { createSessionStore } from "../../src/sessions/session-store.js";

const AT = "2026-03-04T05:06:07.000Z";

const user = (text: string): SessionRecord => ({ type: "user", at: AT, text });

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
    calls: [{ id: "c1", name: "run_command", args: { command: "npm test", nested: { list: [1, null, "x"] } } }],
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

async function makeStore() {
  const root = await mkdtemp(join(tmpdir(), "mini-cc-sessions-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const folder = join(root, "state", "sessions");
  const failures: string[] = [];
  const open = (workspaceRoot: string) =>
    createSessionStore({ folder, workspaceRoot, onFailure: (message) => failures.push(message) });
  /** All files below, relative. */
  const files = async () => {
    const entries = await readdir(root, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  };
  const onlyFile = async () => {
    const [path, ...others] = await files();
    expect(others).toEqual([]);
    return path ?? "";
  };
  return { root, folder, failures, open, files, onlyFile, store: open("/home/me/project") };
}

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
    const run = promisify(execFile)(process.execPath, ["--import", "tsx", program, folder, "/home/me/project"]);
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

describe("sessions", () => {
  test("belong to their workspace", async () => {
    const { open } = await makeStore();
    const one = open("/home/me/project");
    const other = open("/home/you/project");
    const log = one.create();
    log.append(user("mine"));
    log.close();
    expect(await one.latest()).toBe(log.id);
    expect(await other.latest()).toBeUndefined();
    await expect(other.read(log.id)).rejects.toBeInstanceOf(UserError);
  });

  test("have ids that sort by time, also within one millisecond apart", async () => {
    const { store } = await makeStore();
    const ids: string[] = [];
    for (let count = 0; count < 4; count++) {
      const log = store.create();
      log.append(user(`session ${count}`));
      log.close();
      ids.push(log.id);
      await new Promise((resolve) => setTimeout(resolve, 3));
    }
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(Array.from({ length: 50 }, () => store.create().id)).size).toBe(50);
    expect(await store.latest()).toBe(ids[3]);
  });

  test("leave no file before their first record", async () => {
    const { store, files } = await makeStore();
    store.create().close();
    expect(await files()).toEqual([]);
    expect(await store.latest()).toBeUndefined();
  });

  test("can be read by their owner alone", async () => {
    const { store, folder, onlyFile } = await makeStore();
    const umask = process.umask(0);
    onTestFinished(() => {
      process.umask(umask);
    });
    store.create().append(user("secret"));
    const path = await onlyFile();
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(path, ".."))).mode & 0o777).toBe(0o700);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });
});

describe("an id from the command line", () => {
  const PATHS = ["../outside", "..", ".", "", "/etc/passwd", "a/b", "a\\b", "../../outside", "a\u0000b", "x.jsonl"];

  test("that names no session is a mistake with a next step", async () => {
    const { store } = await makeStore();
    await expect(store.read("20200101-000000000-abcdef")).rejects.toMatchObject({
      code: "no-session",
      exitCode: EXIT.usage,
      hint: expect.stringContaining("--continue") as string,
    });
  });

  test.each(PATHS)("is not read as a path: %j", async (id) => {
    const { store, root } = await makeStore();
    await writeFile(join(root, "state.jsonl"), `${JSON.stringify(user("not a session"))}\n`);
    const log = store.create();
    log.append(user("a session"));
    log.close();
    await expect(store.read(id)).rejects.toMatchObject({ code: "no-session", exitCode: EXIT.usage });
  });

  test.each(PATHS)("is not written as a path: %j", async (id) => {
    const { store, files } = await makeStore();
    const log = store.create();
    log.append(user("a session"));
    log.close();
    const before = await files();
    try {
      store.reopen(id).append(user("astray"));
    } catch (error) {
      expect(error).toBeInstanceOf(UserError);
    }
    expect(await files()).toEqual(before);
  });
});

describe("a folder that cannot be written", () => {
  test("is reported once, the log then keeps quiet, and nothing is thrown", async () => {
    const { root, store, failures } = await makeStore();
    await writeFile(join(root, "state"), "a file where the folder should be");
    const log = store.create();
    for (let count = 0; count < 3; count++) log.append(user("lost"));
    log.close();
    expect(failures).toHaveLength(1);
    expect(failures[0]).toMatch(/ENOTDIR|EEXIST/);
    expect(await readFile(join(root, "state"), "utf8")).toBe("a file where the folder should be");
  });

  test("is no reason to lose the records before the failure", async () => {
    const { store, failures } = await makeStore();
    const log = store.create();
    const cyclic: Record<string, unknown> = {};
    cyclic["itself"] = cyclic;
    log.append(user("kept"));
    log.append({ type: "call-prepared", id: "c", tool: "t", args: cyclic });
    log.append(user("lost"));
    log.close();
    expect(failures).toHaveLength(1);
    expect((await store.read(log.id)).records).toEqual([user("kept")]);
  });
});
