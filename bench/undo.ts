import {
  closeSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Undo } from "../src/undo/undo.js";
import { createUndo } from "../src/undo/undo.js";
import type { Figure } from "./bench.js";
import { inTurn } from "./measure.js";

const FOLDERS = 200;
const FILES_PER_FOLDER = 50;
const RUNS = 3;
/** Milliseconds until the times of new files are old enough to be relied on. */
const SETTLE_MS = 2_200;

/** What undo costs round a command in a workspace of 10,000 files, beside the least that the same work can cost. */
export async function undoFigures(): Promise<Figure[]> {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "mini-cc-bench-undo-")));
  try {
    const root = join(place, "workspace");
    fill(root);
    await delay(SETTLE_MS);
    let store = 0;
    const newUndo = () => open(root, join(place, `store${store++}`));
    const first = await inTurn(
      RUNS,
      () => timeOf(() => command(newUndo())),
      () => timeOf(() => copyAll(root, join(place, "copy"))),
    );
    const undo = newUndo();
    await command(undo);
    const later = await inTurn(
      RUNS,
      () => timeOf(() => command(undo)),
      () => timeOf(() => lookTwice(root)),
    );
    const restored = await restoreTime(newUndo(), root);
    return [
      {
        name: "undo, first command in 10,000 files, against copying them",
        value: first.ratio,
        unit: "×",
        budget: 5,
      },
      { name: "undo, first command in 10,000 files", value: first.a, unit: "ms" },
      {
        name: "undo, later commands, against looking at each file",
        value: later.ratio,
        unit: "×",
        budget: 3,
      },
      { name: "undo, later commands in 10,000 files", value: later.a, unit: "ms" },
      { name: "taking back 2,000 changed files", value: restored, unit: "ms" },
    ];
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

function fill(root: string): void {
  for (let folder = 0; folder < FOLDERS; folder++) {
    const path = join(root, `part${folder % 20}`, `folder${folder}`);
    mkdirSync(path, { recursive: true });
    for (let file = 0; file < FILES_PER_FOLDER; file++) {
      const line = `export const value${file} = ${folder * FILES_PER_FOLDER + file};\n`;
      writeFileSync(join(path, `file${file}.ts`), line.repeat(20 + ((file * 7) % 230)));
    }
  }
  writeFileSync(
    join(root, ".gitignore"),
    "node_modules/\ndist/\n*.log\n/build\n!keep.log\n.env\ncoverage/\n",
  );
}

function open(root: string, folder: string): Undo {
  return createUndo({
    root,
    undoFolder: folder,
    name: "bench",
    records: [],
    append: () => undefined,
    isBusy: () => false,
  });
}

const turn = {
  signal: new AbortController().signal,
  tell: (...said: string[]) => console.log(said.join(" ")),
};

/** A turn with one command, which `work` stands for. */
async function command(undo: Undo, work: () => void = () => undefined): Promise<void> {
  undo.beginTurn("bench");
  await undo.around({ kind: "workspace" }, turn, () => {
    work();
    return Promise.resolve();
  });
  await undo.endTurn(turn);
}

async function timeOf(work: () => Promise<void> | void): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

function filesOf(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function copyAll(root: string, copy: string): void {
  const file = openSync(copy, "w");
  for (const path of filesOf(root)) writeSync(file, readFileSync(path));
  closeSync(file);
}

/** As often as a command makes it necessary: before and after. */
function lookTwice(root: string): void {
  for (let look = 0; look < 2; look++) for (const path of filesOf(root)) lstatSync(path);
}

async function restoreTime(undo: Undo, root: string): Promise<number> {
  const files = filesOf(root).slice(0, 2_000);
  await command(undo, () => {
    for (const path of files) writeFileSync(path, "changed\n");
  });
  return timeOf(async () => {
    const outcome = await undo.restore("undo", () => Promise.resolve(false), turn.signal);
    if (outcome.kind !== "done" || outcome.files.length !== files.length)
      throw new Error(JSON.stringify(outcome).slice(0, 400));
  });
}
