import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { SessionRecord } from "../../src/sessions/records.js";
import type { RecordedTurn } from "../../src/undo/change-recorder.js";
import type { ScanLimits } from "../../src/undo/limits.js";
import { SCAN_LIMITS } from "../../src/undo/limits.js";
import type { RestoreQuestion } from "../../src/undo/restore-changes.js";
import type { Undo, UndoAction } from "../../src/undo/undo.js";
import { createUndo } from "../../src/undo/undo.js";

/** A workspace and an undo of it, in temporary folders that go away with the test. */
export interface UndoPlace {
  root: string;
  /** Of everything that undo keeps, of all workspaces. */
  state: string;
  folder: string;
  records: SessionRecord[];
  notices: string[];
  /** What was asked. */
  questions: (RestoreQuestion & { prompt: string })[];
  undo: Undo;
  /** Another process that goes on with the session. */
  restart(): UndoPlace;
  /** Another session in the same workspace. */
  another(): UndoPlace;
  write(path: string, content: string | Buffer, mode?: number): void;
  text(path: string): string;
  /** A turn in which files are changed as the tools do. */
  editTurn(prompt: string, paths: readonly string[], work: () => void): Promise<void>;
  /** A turn with one bash command. */
  commandTurn(prompt: string, command: string): Promise<void>;
  /** What happens in a turn. */
  inTurn(prompt: string, work: (turn: RecordedTurn) => Promise<void>): Promise<void>;
  command(turn: RecordedTurn, command: string): Promise<void>;
  edit(turn: RecordedTurn, paths: readonly string[], work: () => void): Promise<void>;
  back(answer?: boolean): ReturnType<Undo["restore"]>;
  again(answer?: boolean): ReturnType<Undo["restore"]>;
  /** Everything in the workspace with bytes and modes, but for its own .git folder. */
  tree(): Record<string, string>;
}

interface PlaceOptions {
  root: string;
  state: string;
  records?: SessionRecord[];
  isBusy?: () => boolean;
  commandsOff?: string;
  limits?: Partial<ScanLimits>;
}

export function makePlace(
  options: Partial<Omit<PlaceOptions, "records">> & { below?: string } = {},
): UndoPlace {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "mini-cc-undo-")));
  onTestFinished(() => {
    execFileSync("chmod", ["-R", "u+rwx", base]);
    rmSync(base, { recursive: true, force: true });
  });
  const root = join(base, options.below ?? "workspace");
  mkdirSync(root, { recursive: true });
  return openPlace({ root, state: join(base, "state", "undo"), ...options });
}

function openPlace(options: PlaceOptions): UndoPlace {
  const { root, state, records = [], isBusy = () => false, commandsOff, limits } = options;
  const folder = join(state, "workspace-1");
  const notices: string[] = [];
  const questions: UndoPlace["questions"] = [];
  const undo = createUndo({
    root,
    undoFolder: state,
    name: "workspace-1",
    records: [...records],
    append: (record) => records.push(record),
    isBusy,
    commandsOff,
    limits: { ...SCAN_LIMITS, ...limits },
  });
  const turn: RecordedTurn = {
    signal: new AbortController().signal,
    tell: (level, code, text) => notices.push(`${level} ${code}: ${text}`),
  };
  const restore = (action: UndoAction, answer: boolean) =>
    undo.restore(
      action,
      (question) => {
        questions.push(question);
        return Promise.resolve(answer);
      },
      turn.signal,
    );
  const place: UndoPlace = {
    root,
    state,
    folder,
    records,
    notices,
    questions,
    undo,
    restart: () => openPlace({ ...options, records }),
    another: () => openPlace({ ...options, records: [] }),
    write(path, content, mode) {
      const whole = join(root, path);
      mkdirSync(dirname(whole), { recursive: true });
      writeFileSync(whole, content, mode === undefined ? {} : { mode });
    },
    text: (path) => readFileSync(join(root, path), "utf8"),
    editTurn: (prompt, paths, work) => place.inTurn(prompt, (current) => place.edit(current, paths, work)),
    commandTurn: (prompt, command) => place.inTurn(prompt, (current) => place.command(current, command)),
    async inTurn(prompt, work) {
      undo.beginTurn(prompt);
      records.push({ type: "user", at: "", text: prompt });
      await work(turn);
      await undo.endTurn(turn);
      records.push({ type: "turn-end", at: "", outcome: "done" });
    },
    command: (current, command) =>
      undo.around({ kind: "workspace" }, current, () => {
        execFileSync("bash", ["-c", command], { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
        return Promise.resolve();
      }),
    edit: (current, paths, work) =>
      undo.around({ kind: "files", paths: paths.map((path) => join(root, path)) }, current, () => {
        work();
        return Promise.resolve();
      }),
    back: (answer = false) => restore("undo", answer),
    again: (answer = false) => restore("redo", answer),
    tree: () => treeOf(root),
  };
  return place;
}

/** Every path below the folder, as bytes in Latin-1: mode and content, or where the link leads. */
function treeOf(root: string, without: readonly string[] = [".git"]): Record<string, string> {
  const found: Record<string, string> = {};
  const visit = (folder: Buffer, shown: string): void => {
    for (const name of readdirSync(folder, { encoding: "buffer" })) {
      const text = name.toString("latin1");
      if (without.includes(text)) continue;
      const path = Buffer.concat([folder, Buffer.from("/"), name]);
      const stats = lstatSync(path);
      const mode = (stats.mode & 0o7777).toString(8);
      const key = shown + text;
      if (stats.isDirectory()) {
        found[`${key}/`] = mode;
        visit(path, `${key}/`);
      } else if (stats.isSymbolicLink()) {
        found[key] = `-> ${readlinkSync(path, "latin1")}`;
      } else if (stats.isFile()) {
        found[key] = `${mode} ${createHash("sha256").update(readFileSync(path)).digest("hex")}`;
      }
    }
  };
  visit(Buffer.from(root), "");
  return found;
}
