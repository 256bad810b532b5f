import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SessionFile } from "../src/sessions/session-files.js";
import { searchSessions } from "../src/sessions/session-search.js";
import { createSessionStore } from "../src/sessions/session-store.js";
import type { SessionStore } from "../src/sessions/session-store.js";
import type { Figure } from "./bench.js";
import { inTurn } from "./measure.js";

const SESSIONS = 500;
const TURNS = 5;
const WORDS =
  "the file returns value error retry limit connect server build test 数据库 连接 失败 café import".split(
    " ",
  );
const RUNS = 3;

/** What it costs to find words in the sessions of a year, held against reading their files. */
export async function sessionSearchFigures(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "mini-cc-bench-sessions-"));
  try {
    const store = createSessionStore({ folder, workspaceRoot: folder, onFailure: console.error });
    for (let number = 0; number < SESSIONS; number++) writeSession(store, number);
    const files = await store.files();
    const megabytes = files.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6;
    const rare = await inTurn(
      RUNS,
      () => searching(files, "needle-250"),
      () => reading(files),
    );
    const common = await inTurn(
      RUNS,
      () => searching(files, "retry", "limit"),
      () => reading(files),
    );
    const list = await inTurn(
      RUNS,
      () => timed(() => store.list()),
      () => reading(files),
    );
    const of = `of ${SESSIONS} sessions, ${megabytes.toFixed(0)} MB`;
    return [
      { name: `search ${of}: a word that one holds`, value: Math.round(rare.a), unit: "ms" },
      { name: "the same / reading the files", value: rare.ratio, unit: "ratio", budget: 8 },
      { name: `search ${of}: the newest 20 of many`, value: Math.round(common.a), unit: "ms" },
      { name: "the same / reading the files", value: common.ratio, unit: "ratio", budget: 2 },
      { name: `list ${of}`, value: Math.round(list.a), unit: "ms" },
      { name: "the same / reading the files", value: list.ratio, unit: "ratio", budget: 8 },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function writeSession(store: SessionStore, number: number): void {
  const at = new Date().toISOString();
  const log = store.create();
  const header = {
    v: 1,
    at,
    cwd: "/home/me/project",
    model: "qwen3:8b",
    contextWindow: 16_384,
    version: "0.1.0",
  };
  log.append({ type: "session", id: log.id, ...header });
  for (let turn = 0; turn < TURNS; turn++) {
    const id = `call-${turn}`;
    const calls = [{ id, name: "run_command", args: { command: `npm test ${text(number + turn, 3)}` } }];
    log.append({ type: "user", at, text: `${text(number + turn, 20)} needle-${number}` });
    log.append({ type: "assistant", text: text(turn, 40), calls, promptTokens: 1, outputTokens: 1 });
    log.append({ type: "call-finished", id, status: "ok", output: text(number * turn, 4_000) });
    log.append({ type: "assistant", text: text(number, 200), calls: [], promptTokens: 1, outputTokens: 1 });
    log.append({ type: "turn-end", at, outcome: "done" });
  }
  log.close();
}

function text(seed: number, words: number): string {
  return Array.from(
    { length: words },
    (_, index) => WORDS[(seed + index * (1 + (index % 7))) % WORDS.length],
  ).join(" ");
}

async function searching(files: readonly SessionFile[], ...words: string[]): Promise<number> {
  return timed(async () => {
    let hits = 0;
    for await (const hit of searchSessions(files, words)) {
      if (hit.turn > 0 && ++hits === 20) break;
    }
    if (hits === 0) throw new Error(`${words.join(" ")} was not found`);
  });
}

function reading(files: readonly SessionFile[]): Promise<number> {
  return timed(() => Promise.resolve(files.map(({ path }) => readFileSync(path).length)));
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}
