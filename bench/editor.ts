import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { spawn } from "@lydell/node-pty";
import { fuzzyCandidate, fuzzyMatches } from "../src/cli/editor/fuzzy-match.js";
import { say } from "../src/demo/reply.js";
import { startScriptedOllama } from "../src/demo/scripted-ollama.js";
import { listTree } from "../src/tools/file-listing.js";
import type { Figure } from "./bench.js";
import { CLI, inTurn } from "./measure.js";

const FILES = 20_000;
const KEYS = 100;
/** Milliseconds between two tokens: 200 a second. */
const TOKEN_MS = 5;
/** Milliseconds between two keys. */
const KEY_MS = 60;

/** What the editor costs a user: the time until a key shows while an answer streams in, and the list behind "@". */
export async function editorFigures(): Promise<Figure[]> {
  return [...(await echoFigures()), ...(await completionFigures())];
}

/** Notes how late the event loop of mini-cc runs, and tells the 99th percentile at the end, in milliseconds. */
const MONITOR = `
const { monitorEventLoopDelay } = require("node:perf_hooks");
const delay = monitorEventLoopDelay({ resolution: 1 });
process.on("SIGUSR2", () => { delay.reset(); delay.enable(); });
process.on("exit", () => require("node:fs").writeFileSync(process.env.MINI_CC_BENCH_DELAY, String(delay.percentile(99) / 1e6)));
`;

/** Keys typed on a terminal while 200 tokens a second stream in. */
async function echoFigures(): Promise<Figure[]> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "mini-cc-bench-editor-")));
  const words = Array.from({ length: (KEYS * KEY_MS) / TOKEN_MS + 600 }, (_, index) =>
    index % 12 === 11 ? "word\n" : "word ",
  );
  const server = await startScriptedOllama({ replies: [say(words, { chunkDelay: TOKEN_MS })] });
  const [monitor, noted] = [join(home, "monitor.cjs"), join(home, "delay")];
  writeFileSync(monitor, MONITOR);
  writeFileSync(join(home, "config.json"), '{ "sandbox": "off", "warmStart": false }');
  const terminal = spawn(
    process.execPath,
    ["--require", monitor, CLI, "--host", server.url, "--model", "scripted"],
    {
      name: "xterm-256color",
      cols: 80,
      rows: 24,
      cwd: home,
      env: {
        PATH: process.env["PATH"] ?? "",
        HOME: home,
        MINI_CC_HOME: home,
        LANG: "C.UTF-8",
        MINI_CC_BENCH_DELAY: noted,
      },
    },
  );
  let written = "";
  let onData = (): void => undefined;
  terminal.onData((data) => {
    written += data;
    onData();
  });
  const ended = new Promise<void>((resolve) => {
    terminal.onExit(() => resolve());
  });
  const shows = (text: string, from: number) =>
    new Promise<void>((resolve) => {
      onData = () => {
        if (written.includes(text, from)) resolve();
      };
      onData();
    });
  try {
    await shows("›", 0);
    terminal.write("go\r");
    await shows("word word", 0);
    process.kill(terminal.pid, "SIGUSR2");
    const times: number[] = [];
    for (let key = 0; key < KEYS; key++) {
      // No token holds a digit, and the sequences that move the cursor end in letters.
      const digit = "*";
      const from = written.length;
      const begin = performance.now();
      terminal.write(digit);
      await shows(digit, from);
      times.push(performance.now() - begin);
      await sleep(KEY_MS);
    }
    terminal.write("\x03\x03");
    await ended;
    times.sort((a, b) => a - b);
    const percentile = (share: number) =>
      times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
    return [
      { name: "key to echo at 200 tokens a second, median", value: percentile(0.5), unit: "ms" },
      { name: "key to echo at 200 tokens a second, p99", value: percentile(0.99), unit: "ms" },
      {
        name: "event-loop delay meanwhile, p99",
        value: Number(readFileSync(noted, "utf8")),
        unit: "ms",
        budget: 50,
      },
    ];
  } finally {
    terminal.kill("SIGKILL");
    await server.close();
    rmSync(home, { recursive: true, force: true });
  }
}

/** "@" in 20,000 files: reading the list, and one key in it against one look at every path. */
async function completionFigures(): Promise<Figure[]> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "mini-cc-bench-complete-")));
  try {
    for (let folder = 0; folder < 200; folder++) {
      const path = join(root, `package-${folder}`, "src", "components");
      mkdirSync(path, { recursive: true });
      for (let file = 0; file < FILES / 200; file++)
        writeFileSync(join(path, `someComponent${file}.tsx`), "");
    }
    const begin = performance.now();
    const { files } = await listTree(root, { root, env: process.env, signal: new AbortController().signal });
    const listMs = performance.now() - begin;
    const candidates = files.map(fuzzyCandidate);
    const queries = ["p", "p1", "p19/", "p19/c", "p19/comp4", "zzz", "component42.tsx"];
    const time = (work: (query: string) => unknown) => () => {
      const from = performance.now();
      for (const query of queries) work(query);
      return Promise.resolve((performance.now() - from) / queries.length);
    };
    const { a, b } = await inTurn(
      7,
      time((query) => fuzzyMatches(query, candidates, 50)),
      time((query) => files.filter((path) => path.toLowerCase().includes(query))),
    );
    return [
      { name: `@ completion: listing ${FILES.toLocaleString("en-US")} files`, value: listMs, unit: "ms" },
      { name: "@ completion: one key among them", value: a, unit: "ms" },
      { name: "@ completion: one key against looking at every path", value: a / b, unit: "ratio", budget: 4 },
    ];
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
