import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { EXIT, UserError } from "../../src/errors.js";
import { makeStore, user } from "./store.js";

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
  const PATHS = [
    "../outside",
    "..",
    ".",
    "",
    "/etc/passwd",
    "a/b",
    "a\\b",
    "../../outside",
    "a\u0000b",
    "x.jsonl",
  ];

  test("that names no session is a mistake with a next step", async () => {
    const { store } = await makeStore();
    await expect(store.read("20200101-000000000-abcdef")).rejects.toMatchObject({
      code: "no-session",
      exitCode: EXIT.usage,
      hint: expect.stringContaining("mini-cc sessions") as string,
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

  test.each(["../outside", "../../outside", ".."])("is not written as a path: %j", async (id) => {
    const { store, files } = await makeStore();
    const log = store.create();
    log.append(user("a session"));
    log.close();
    const before = await files();
    await expect(store.reopen(id)).rejects.toBeInstanceOf(UserError);
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
