import { appendFile, stat, truncate, utimes } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import type { SessionRecord } from "../../src/sessions/records.js";
import { listAllSessions } from "../../src/sessions/session-store.js";
import type { SessionStore } from "../../src/sessions/session-store.js";
import { summariseSession } from "../../src/sessions/session-summary.js";
import { AT, makeStore, START, user } from "./store.js";

const end: SessionRecord = { type: "turn-end", at: AT, outcome: "done" };
const reply = (chars: number): SessionRecord => ({
  type: "assistant",
  text: "a".repeat(chars),
  calls: [],
  promptTokens: 1,
  outputTokens: 1,
});

function write(store: SessionStore, ...records: SessionRecord[]): string {
  const log = store.create();
  for (const record of [START, ...records]) log.append(record);
  log.close();
  return log.id;
}

describe("a list of sessions", () => {
  test("shows what a session is, the one used last first", async () => {
    const { store, files } = await makeStore();
    const first = write(store, user("Fix it."), reply(1), end);
    const second = write(store, user("Explain."), reply(1), end, user("More."));
    for (const path of await files()) {
      if (path.includes(first)) await utimes(path, 2e9, 2e9);
    }
    const list = await store.list();
    expect(list.map(({ id }) => id)).toEqual([first, second]);
    expect(list).toMatchObject([
      {
        cwd: "/home/me/project",
        model: "qwen2.5",
        firstPrompt: "Fix it.",
        turns: 1,
        outcome: "done",
        startedAt: new Date(AT),
        usedAt: new Date(2e12),
      },
      { firstPrompt: "Explain.", turns: 2, outcome: undefined },
    ]);
    expect(list[0]!.bytes).toBe((await stat(list[0]!.path)).size);
  });

  test("is empty where there were none, and holds those of every folder if that is wanted", async () => {
    const { folder, open } = await makeStore();
    expect(await open("/home/me/project").list()).toEqual([]);
    expect(await listAllSessions(folder)).toEqual([]);
    const ids = ["/home/me/project", "/home/you/project"].map((root) => write(open(root), user("Hi.")));
    expect((await open("/home/me/project").list()).map(({ id }) => id)).toEqual([ids[0]]);
    expect((await listAllSessions(folder)).map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  });

  test.each([
    ["small", 10],
    ["large in the middle", 300_000],
  ])("knows turns, title and model of a file that is %s", async (_, chars) => {
    const { store } = await makeStore();
    const id = write(
      store,
      user("Fix it."),
      { type: "title", at: AT, text: "Mend the build" },
      { type: "model", at: AT, model: "qwen3", contextWindow: 1 },
      reply(chars),
      end,
      user("And this."),
      reply(chars),
      end,
      user("And that."),
      end,
    );
    const log = await store.reopen(id);
    log.append(user("And those."));
    log.append({ ...end, outcome: "cancelled" });
    log.close();
    expect(await store.list()).toMatchObject([
      {
        turns: 4,
        title: "Mend the build",
        model: "qwen3",
        firstPrompt: "Fix it.",
        outcome: "cancelled",
        startedAt: new Date(AT),
      },
    ]);
  });

  test("counts turns also where the end of a large file does not tell them", async () => {
    const { store } = await makeStore();
    write(store, user("One."), reply(100_000), user("Two."), reply(100_000));
    expect(await store.list()).toMatchObject([{ turns: 2, outcome: undefined, firstPrompt: "One." }]);
  });

  test.each([
    ["megabytes", 'Fix "this":\n\u2028\ud83d\ude00 ' + "x".repeat(3_000_000)],
    ["half pairs and controls", "\ud83d \u0000 \u0085 \\u00"],
    ["nothing but quotes", '"'.repeat(5000)],
  ])("shows the beginning of a first prompt of %s", async (_, text) => {
    const { store } = await makeStore();
    write(store, user(text), reply(1), end);
    expect(await store.list()).toMatchObject([
      { firstPrompt: text.slice(0, 300), turns: 1, model: "qwen2.5" },
    ]);
  });

  test("holds whatever has become of a file", async () => {
    const { store, onlyFile } = await makeStore();
    write(store, user('Fix "it".'), reply(10), end, user("More."), reply(10), end);
    const path = await onlyFile();
    for (let { size } = await stat(path); size >= 0; size--) {
      await truncate(path, size);
      const { turns, firstPrompt } = await summariseSession(path);
      expect(turns).toBeLessThanOrEqual(2);
      expect('Fix "it".'.startsWith(firstPrompt)).toBe(true);
    }
    await appendFile(
      path,
      '\n{"type":"user","text":"a\u0000\\x"}\n{"type":"turn-end"}\n{"type":"session","v":"x"}',
    );
    expect(await summariseSession(path)).toMatchObject({ turns: 1, firstPrompt: "", cwd: "" });
  });
});

describe("an id", () => {
  test("may be given by its beginning, if only one session begins so", async () => {
    const { store, open } = await makeStore();
    const one = write(store, user("One."));
    expect(await store.find(one.slice(0, 8))).toBe(one);
    expect(await store.find(one)).toBe(one);
    const two = write(store, user("Two."));
    await expect(store.find(one.slice(0, 4))).rejects.toMatchObject({
      code: "many-sessions",
      message: expect.stringContaining(two) as string,
    });
    expect(await store.find(two.slice(0, -1))).toBe(two);
    for (const wrong of ["", "x", `${one}0`]) {
      await expect(store.find(wrong)).rejects.toMatchObject({ code: "no-session" });
    }
    await expect(open("/elsewhere").find(one)).rejects.toMatchObject({ code: "no-session" });
  });
});

describe("a copy of a session", () => {
  test("holds all of it, also what cannot be read here, and goes on by itself", async () => {
    const { store, onlyFile } = await makeStore();
    const from = write(store, user("One."), reply(1), end);
    await appendFile(await onlyFile(), '{"type":"novelty"}\noops\n');
    const id = await store.fork(from);
    const copy = await store.reopen(id);
    copy.append(user("Two."));
    copy.close();
    const before = await store.read(from);
    const after = await store.read(id);
    expect(after).toMatchObject({ damagedLines: 1, unknownRecords: 1 });
    expect(after.records[0]).toMatchObject({ type: "session", id, parent: { id: from } });
    expect(after.records.slice(1)).toEqual([...before.records.slice(1), user("Two.")]);
    expect((await stat(await pathOf(store, id))).mode & 0o777).toBe(0o600);
  });

  test("holds as many turns as wanted", async () => {
    const { store } = await makeStore();
    const from = write(store, user("One."), reply(1), end, user("Two."), end, user("Three."), end);
    const { records } = await store.read(await store.fork(from, 2));
    expect(records[0]).toMatchObject({ parent: { id: from, turns: 2 } });
    expect(records.slice(1).map(({ type }) => type)).toEqual([
      "user",
      "assistant",
      "turn-end",
      "user",
      "turn-end",
    ]);
    await expect(store.fork("20200101-000000000-abcdef")).rejects.toMatchObject({ code: "no-session" });
  });
});

async function pathOf(store: SessionStore, id: string): Promise<string> {
  return (await store.list()).find((summary) => summary.id === id)?.path ?? "";
}
