import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { conversationFrom } from "../src/agent/conversation.js";
import type { SessionRecord } from "../src/sessions/records.js";
import { createSessionStore } from "../src/sessions/session-store.js";
import { resumeSession } from "../src/setup/resume.js";
import type { Figure } from "./bench.js";
import { inTurn } from "./measure.js";

const APPENDS = 2_000;
const FLUSHES = 50;
/** Rounds of 20 KB. */
const ROUNDS = 1_000;
const AT = "2026-03-04T05:06:07.000Z";

/** What keeping a session costs: a record, a flush to the disk, and going on with 20 MB. */
export async function sessionFigures(): Promise<Figure[]> {
  const root = mkdtempSync(join(tmpdir(), "mini-cc-bench-sessions-"));
  const workspaceRoot = join(root, "workspace");
  const folder = join(root, "sessions");
  const store = createSessionStore({
    folder,
    workspaceRoot,
    onFailure: (message) => {
      throw new Error(message);
    },
  });
  try {
    const log = store.create();
    const microseconds = (times: number, record: SessionRecord) => {
      log.append(record);
      const begin = performance.now();
      for (let time = 0; time < times; time++) log.append(record);
      return ((performance.now() - begin) * 1000) / times;
    };
    const append = microseconds(APPENDS, {
      type: "user",
      at: AT,
      text: "a prompt of an ordinary length".repeat(10),
    });
    const flush = microseconds(FLUSHES, { type: "call-started", id: "c", effect: "change" });
    log.append({ type: "turn-end", at: AT, outcome: "done" });
    log.close();

    const big = store.create();
    for (const record of bigSession(big.id)) big.append(record);
    big.close();
    const path = (await store.files()).find((file) => file.id === big.id)?.path ?? "";
    const { a, ratio } = await inTurn(
      5,
      () =>
        timed(async () => {
          const { records, log: opened } = await resumeSession(store, big.id, workspaceRoot);
          conversationFrom(records);
          opened.close();
        }),
      () =>
        timed(() =>
          readFileSync(path, "utf8")
            .split("\n")
            .map((line) => line && (JSON.parse(line) as unknown)),
        ),
    );
    const lists = [await timed(() => store.list()), await timed(() => store.list())];
    const { stdout } = await promisify(execFile)(process.execPath, [
      "--expose-gc",
      "--import",
      "tsx",
      join(import.meta.dirname, "resume-session.ts"),
      folder,
      workspaceRoot,
      big.id,
    ]);
    return [
      { name: "append of a record", value: append, unit: "µs", budget: 100 },
      { name: "append that waits for the disk, before an effect", value: flush, unit: "µs" },
      { name: "resume of 20 MB", value: a, unit: "ms" },
      { name: "resume of 20 MB, against parsing its lines", value: ratio, unit: "times", budget: 2 },
      { name: "list of two sessions, one of 20 MB", value: Math.min(...lists), unit: "ms" },
      { name: "memory held by a session of 20 MB", value: Number(stdout), unit: "MB", budget: 40 },
    ];
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function timed(work: () => unknown): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

function* bigSession(id: string): Generator<SessionRecord> {
  yield { type: "session", v: 1, id, at: AT, cwd: "/w", model: "m", contextWindow: 1, version: "0" };
  for (let round = 0; round < ROUNDS; round++) {
    const call = `c${round}`;
    if (round % 20 === 0) yield { type: "user", at: AT, text: `Turn ${round / 20}` };
    yield {
      type: "assistant",
      text: "",
      calls: [{ id: call, name: "read_file", args: { path: `src/file-${round}.ts` } }],
      promptTokens: 1,
      outputTokens: 1,
    };
    yield { type: "call-prepared", id: call, tool: "read_file", args: { path: `src/file-${round}.ts` } };
    yield { type: "call-started", id: call, effect: "read" };
    yield { type: "call-finished", id: call, status: "ok", output: "a line of a file\n".repeat(1_200) };
    if (round % 20 === 19) {
      yield { type: "assistant", text: "Done.", calls: [], promptTokens: 1, outputTokens: 1 };
      yield { type: "turn-end", at: AT, outcome: "done" };
    }
  }
}
