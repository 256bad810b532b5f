import { createHash } from "node:crypto";
import { appendFile, open, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { makePrivateFolder } from "../../config/private-folder.js";
import { messageOf } from "../../errors.js";
import type { Pasted, Unit } from "../editor/draft.js";
import { textOf, unitsOf } from "../editor/draft.js";

/** One message: text, and pasted text that is shown folded. */
const entrySchema = z.array(
  z.union([z.string(), z.object({ pasted: z.string(), label: z.string().optional() })]),
);

const MOST_ENTRIES = 1_000;
/** Bytes; a file that is larger is cut to its newest half. */
const MOST_BYTES = 1024 * 1024;
/** Longer messages are not kept. */
const MOST_ENTRY_BYTES = 64 * 1024;
/** Milliseconds; an older lock belongs to a process that died. */
const STALE_LOCK_MS = 60_000;

/** What was sent in this workspace, in this session and in others. */
export interface PromptHistory {
  /** The newest first; none is the same as its neighbour. */
  entries(): readonly (readonly Unit[])[];
  /** Adds a message at once, and to the file behind it. */
  add(units: readonly Unit[]): void;
  /** Settles when everything is written. */
  saved(): Promise<void>;
}

export interface PromptHistoryOptions {
  /** Folder of the user's state. */
  stateFolder: string;
  /** Real path. */
  workspaceRoot: string;
  /** Told once when the history can no longer be kept. */
  onFailure: (message: string) => void;
}

/**
 * The history of a workspace: one message a line, appended in one write, so that sessions side by side do not mix
 * their lines. Only its owner can read the file.
 */
export async function openPromptHistory(options: PromptHistoryOptions): Promise<PromptHistory> {
  const { stateFolder, workspaceRoot, onFailure } = options;
  const name = createHash("sha256").update(workspaceRoot).digest("hex").slice(0, 16);
  const path = join(stateFolder, "history", `${name}.jsonl`);
  let failed = false;
  const fail = (error: unknown) => {
    if (!failed) onFailure(`${path}: ${messageOf(error)}`);
    failed = true;
  };
  let entries: (readonly Unit[])[] = [];
  let saving = Promise.resolve();

  function remember(units: readonly Unit[]): boolean {
    const [newest] = entries;
    if (newest && textOf(newest) === textOf(units)) return false;
    entries = [units, ...entries].slice(0, MOST_ENTRIES);
    return true;
  }

  async function save(units: readonly Unit[]): Promise<void> {
    const line = `${JSON.stringify(partsOf(units))}\n`;
    if (line.length > MOST_ENTRY_BYTES) return;
    makePrivateFolder(dirname(path));
    await appendFile(path, line, { mode: 0o600 });
    if ((await stat(path)).size > MOST_BYTES) await shorten(path);
  }

  try {
    for (const units of readEntries(await readFile(path, "utf8"))) remember(units);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") fail(error);
  }
  return {
    entries: () => entries,
    add(units) {
      if (units.length === 0 || !remember(units)) return;
      saving = saving.then(() => save(units)).catch(fail);
    },
    saved: () => saving,
  };
}

/** Lines that cannot be read are left out: a crash may have cut one. */
function readEntries(text: string): (readonly Unit[])[] {
  return text.split("\n").flatMap((line) => {
    try {
      const parts = entrySchema.parse(JSON.parse(line));
      return [parts.flatMap((part): Unit[] => (typeof part === "string" ? unitsOf(part) : [folded(part)]))];
    } catch {
      return [];
    }
  });
}

function folded({ pasted, label }: { pasted: string; label?: string | undefined }): Pasted {
  return label === undefined ? { pasted } : { pasted, label };
}

/** Characters in a row are one part. */
function partsOf(units: readonly Unit[]): (string | Pasted)[] {
  const parts: (string | Pasted)[] = [];
  for (const unit of units) {
    const last = parts.at(-1);
    if (typeof unit !== "string") parts.push(unit);
    else if (typeof last === "string") parts[parts.length - 1] = last + unit;
    else parts.push(unit);
  }
  return parts;
}

/** Keeps the newest half. One process at a time does it, and what others append meanwhile is taken over. */
async function shorten(path: string): Promise<void> {
  const lock = `${path}.lock`;
  try {
    await (await open(lock, "wx", 0o600)).close();
  } catch {
    const since = await stat(lock).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (since > STALE_LOCK_MS) await rm(lock, { force: true });
    return;
  }
  const temporary = `${path}.new`;
  const old = await open(path, "r");
  try {
    const bytes = await old.readFile();
    const begin = bytes.indexOf(10, Math.floor(bytes.length / 2)) + 1;
    await writeFile(temporary, bytes.subarray(begin), { mode: 0o600 });
    await rename(temporary, path);
    const { size } = await old.stat();
    if (size > bytes.length) {
      const late = Buffer.alloc(size - bytes.length);
      await old.read(late, 0, late.length, bytes.length);
      await appendFile(path, late);
    }
  } finally {
    await old.close();
    await rm(lock, { force: true });
  }
}
