import { appendFile, rm } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import type { SessionRecord } from "../../src/sessions/records.js";
import { searchSessions } from "../../src/sessions/session-search.js";
import type { SessionStore } from "../../src/sessions/session-store.js";
import { AT, makeStore, user } from "./store.js";

const START = {
  type: "session" as const,
  v: 1,
  at: AT,
  cwd: "/home/me/project",
  model: "qwen2.5",
  contextWindow: 16_384,
  version: "0.1.0",
};
const reply = (text: string, args?: Record<string, unknown>): SessionRecord => ({
  type: "assistant",
  text,
  calls: args ? [{ id: "c", name: "run_command", args }] : [],
  promptTokens: 1,
  outputTokens: 1,
});
const result = (output: string): SessionRecord => ({ type: "call-finished", id: "c", status: "ok", output });
const end: SessionRecord = { type: "turn-end", at: AT, outcome: "done" };

function write(store: SessionStore, ...records: SessionRecord[]): string {
  const log = store.create();
  log.append({ ...START, id: log.id });
  for (const record of records) log.append(record);
  log.close();
  return log.id;
}

async function search(store: SessionStore, ...words: string[]) {
  const hits = [];
  for await (const { session, turn, place, excerpt, marks } of searchSessions(await store.files(), words)) {
    const marked = marks.map(([start, end]) => excerpt.slice(start, end));
    hits.push({ id: session.id, turn, place, excerpt, marked });
  }
  return hits;
}

describe("a search", () => {
  test("finds turns that hold all words, in prompts, replies, calls and their results", async () => {
    const { store } = await makeStore();
    const id = write(
      store,
      user("Raise the retry LIMIT."),
      reply("I look.", { command: "grep -n retries src/client.ts" }),
      result("14: const retries = 3; // timeout"),
      reply("It is 3; now 5."),
      end,
      user("Thanks."),
      reply("You are welcome."),
      end,
    );
    for (const [words, place] of [
      [["limit"], "prompt"],
      [["Client.TS"], "call"],
      [["now 5"], "reply"],
      [["TIMEOUT"], "result"],
    ] as const) {
      expect(await search(store, ...words), words[0]).toMatchObject([{ id, turn: 1, place }]);
    }
    expect(await search(store, "limit", "timeout")).toMatchObject([{ id, turn: 1 }]);
    expect(await search(store, "limit", "welcome"), "words of two turns").toEqual([]);
    expect(await search(store, "absent")).toEqual([]);
  });

  test("shows an excerpt of one line with every word marked in it", async () => {
    const { store } = await makeStore();
    write(store, user(`${"before ".repeat(50)}the\n\tRetry limit of retries\x1b[31m ${"after ".repeat(50)}`));
    const [hit] = await search(store, "limit", "retr");
    expect(hit?.excerpt).toMatch(/^….*the Retry limit of retries after.*…$/);
    expect(hit?.excerpt).not.toMatch(/\n|\x1b/);
    expect(hit?.marked).toEqual(["Retr", "limit", "retr"]);
  });

  test("shows the place where the words stand together", async () => {
    const { store } = await makeStore();
    write(store, user(`alpha ${"x ".repeat(300)} beta ${"x ".repeat(300)} alpha and beta`));
    expect((await search(store, "alpha", "beta"))[0]?.excerpt).toContain("alpha and beta");
  });

  test.each([
    ["a part of Chinese text", "数据库连接失败了", "连接失败"],
    ["a part of a word", "unbelievable", "BELIEV"],
    ["composed where the text is decomposed", "cafe\u0301 au lait", "caf\u00e9"],
    ["decomposed where the text is composed", "CAF\u00c9 au lait", "cafe\u0301"],
    ["two accents in an odd order", "Ti\u00ea\u0301ng Vi\u00ea\u0323t", "vi\u1ec7t"],
    ["another case beyond ASCII", "ÜBERGRÖßE ДОМ", "übergröße дом"],
    ["Hangul", "데이터베이스 연결", "베이스"],
    ["half of a flag's neighbour", "go 🇩🇪 go", "🇩🇪"],
    ["what JSON escapes", 'say "hi" to C:\\temp\tnow', '"HI" C:\\temp'],
    ["what a regular expression would take for itself", "a.b* (c|d)[0]", "(c|d)[0] b*"],
  ])("finds %s", async (_, text, words) => {
    const { store } = await makeStore();
    write(store, user("Something else."), end, user(text), end);
    const hits = await search(store, ...words.split(" "));
    expect(hits).toMatchObject([{ turn: 2 }]);
    expect(hits[0]?.marked.length).toBeGreaterThan(0);
  });

  test("goes through the session used last first, its newest turn first", async () => {
    const { store } = await makeStore();
    const first = write(store, user("needle one"), end, user("needle two"), end);
    const second = write(store, user("needle three"), end);
    const log = await store.reopen(first);
    await new Promise((resolve) => setTimeout(resolve, 20));
    log.append(user("needle four"));
    log.close();
    expect((await search(store, "needle")).map(({ id, turn }) => [id, turn])).toEqual([
      [first, 3],
      [first, 2],
      [first, 1],
      [second, 1],
    ]);
  });

  test("shows a turn once that a copy holds, too, and the turns that came after in the copy", async () => {
    const { store } = await makeStore();
    const from = write(store, user("needle one"), end, user("needle two"), end);
    const copy = await store.fork(from, 1);
    const log = await store.reopen(copy);
    log.append(user("needle three"));
    log.close();
    const hits = (await search(store, "needle")).map(
      ({ id, turn }) => `${id === copy ? "copy" : "original"} ${turn}`,
    );
    expect(hits.toSorted()).toEqual(["copy 2", "original 1", "original 2"]);
    await rm((await store.files()).find(({ id }) => id === from)?.path ?? "");
    expect(await search(store, "needle")).toHaveLength(2);
  });

  test("is not disturbed by damaged lines, unknown records or a compaction, which only repeats", async () => {
    const { store, onlyFile } = await makeStore();
    write(
      store,
      user("needle"),
      {
        type: "compaction",
        at: AT,
        tokensBefore: 2,
        tokensAfter: 1,
        messages: [{ role: "user", text: "needle" }],
      },
      end,
    );
    await appendFile(
      await onlyFile(),
      '{"type":"user","text":"needle\n{"type":"novelty","text":"needle"}\n\0\n',
    );
    expect(await search(store, "needle")).toMatchObject([{ turn: 1 }]);
  });

  test("finds a word that lies across the pieces in which a large file is read", async () => {
    const { store } = await makeStore();
    const piece = 1 << 20;
    for (const before of [piece - 260, piece - 250, piece - 240]) {
      write(store, user(`${"x".repeat(before)}${"needle".repeat(1)}${"y".repeat(300)}`));
    }
    expect(await search(store, "needle")).toHaveLength(3);
  });

  test("without words finds nothing", async () => {
    const { store } = await makeStore();
    write(store, user("x"));
    expect(await search(store, " ", "")).toEqual([]);
  });
});
