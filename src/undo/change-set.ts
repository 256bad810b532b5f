import { renameSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import { z } from "zod";
import { makePrivateFolder } from "../config/private-folder.js";
import { createPack, readKept } from "./pack.js";
import type { PathKey } from "./path-key.js";
import { sameState, withoutContent } from "./path-state.js";
import type { Kept, PathState } from "./path-state.js";

/** How one path was before something happened, and after. */
export interface Change {
  path: PathKey;
  before: PathState;
  after: PathState;
  /** Something else changed it too, or may have: nobody knows whose the state after is. */
  mixed?: true;
}

/** What one turn changed, or one undo. */
export interface ChangeSet {
  id: string;
  changes: readonly Change[];
  /** Something happened that is not in it: a command in a workspace that is too large, or the disk was full. */
  incomplete: boolean;
}

/** A change set that is being written; its contents lie in a pack of its own, so that it stands alone. */
export interface OpenChangeSet {
  readonly id: string;
  /** Takes content into the pack. */
  keep: (bytes: Buffer, hash: string) => Kept;
  /** Takes in the content of a state that is kept elsewhere; without it, if it is not there any more. */
  adopt(state: PathState): PathState;
  /** Writes what is known by now, for the case that this process does not live to close it. */
  save(draft: Draft): void;
  /** Nothing can be added from then on. Throws what the file system reports. */
  close(set: Omit<ChangeSet, "id">): ChangeSet;
  /** Nothing of it is kept. */
  discard(): void;
}

/** A change set whose turn has not ended. */
export interface Draft extends Omit<ChangeSet, "id"> {
  /** Paths of a change that is being made; their states after it are not known yet. */
  pending?: readonly PathKey[] | undefined;
  /** The scan that was made before the command that runs, by its name. */
  scan?: string | undefined;
}

const place = { mode: z.number() };

/** As in memory, but that the pack is the set's own. */
const savedState = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("absent") }),
  z.object({ kind: z.literal("folder"), ...place }),
  z.object({ kind: z.literal("link"), target: z.string() }),
  z.object({
    kind: z.literal("file"),
    ...place,
    size: z.number(),
    stamp: z.string(),
    hash: z.string().optional(),
    offset: z.number().optional(),
  }),
]);

const savedSet = z.object({
  v: z.literal(1),
  incomplete: z.boolean(),
  pending: z.array(z.string()).optional(),
  scan: z.string().optional(),
  changes: z.array(
    z.object({
      path: z.string(),
      before: savedState,
      after: savedState,
      mixed: z.literal(true).optional(),
    }),
  ),
});

type SavedState = z.infer<typeof savedState>;

/** The files of a change set in the folder of all: what changed, the contents, and a draft while it is open. */
function filesOf(folder: string, id: string): { set: string; pack: string; draft: string } {
  const base = join(folder, id);
  return { set: `${base}.json`, pack: `${base}.pack`, draft: `${base}.draft` };
}

export function openChangeSet(folder: string, id: string = randomUUID()): OpenChangeSet {
  const files = filesOf(folder, id);
  const pack = createPack(files.pack);
  const write = (path: string, { changes, incomplete, pending, scan }: Draft): void => {
    pack.flush();
    const saved: z.input<typeof savedSet> = {
      v: 1,
      incomplete,
      ...(pending && { pending: [...pending] }),
      ...(scan !== undefined && { scan }),
      changes: changes.map(({ path, before, after, mixed }) => ({
        path,
        before: toSaved(before, files.pack),
        after: toSaved(after, files.pack),
        ...(mixed && { mixed }),
      })),
    };
    writeWhole(path, JSON.stringify(saved));
  };
  const keptByHash = new Map<string, Kept>();
  const keep = (bytes: Buffer, hash: string): Kept => {
    const kept = keptByHash.get(hash) ?? pack.append(bytes);
    keptByHash.set(hash, kept);
    return kept;
  };
  const adopt = (state: PathState): PathState => {
    if (state.kind !== "file" || state.kept === undefined || state.kept.pack === files.pack) return state;
    let bytes: Buffer;
    try {
      bytes = readKept(state);
    } catch {
      return withoutContent(state);
    }
    return { ...state, kept: keep(bytes, state.hash ?? "") };
  };
  return {
    id,
    keep,
    adopt,
    save: (draft) => write(files.draft, draft),
    close({ changes, incomplete }) {
      const adopted = changes
        .filter(({ before, after }) => !sameState(before, after))
        .map((change) => ({ ...change, before: adopt(change.before), after: adopt(change.after) }));
      const set = { changes: adopted, incomplete };
      write(files.set, set);
      pack.close();
      rmSync(files.draft, { force: true });
      return { id, ...set };
    },
    discard() {
      pack.close();
      try {
        removeChangeSet(folder, id);
      } catch {
        // What cannot be removed now goes with its age.
      }
    },
  };
}

/** Undefined if it is not there any more, or cannot be read. */
export function readChangeSet(folder: string, id: string): ChangeSet | undefined {
  const { set, pack } = filesOf(folder, id);
  const found = readSaved(set, pack);
  return found && { id, changes: found.changes, incomplete: found.incomplete };
}

/** What an open set had written when its process ended. */
export function readDraft(folder: string, id: string): Draft | undefined {
  const { draft, pack } = filesOf(folder, id);
  return readSaved(draft, pack);
}

function removeChangeSet(folder: string, id: string): void {
  for (const file of Object.values(filesOf(folder, id))) rmSync(file, { force: true });
}

function readSaved(path: string, pack: string): Draft | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
  try {
    const { changes, ...rest } = savedSet.parse(JSON.parse(text));
    return {
      ...rest,
      changes: changes.map(({ path: key, before, after, mixed }) => ({
        path: key,
        before: fromSaved(before, pack),
        after: fromSaved(after, pack),
        ...(mixed && { mixed }),
      })),
    };
  } catch {
    // Torn, or of a newer version.
    return undefined;
  }
}

function toSaved(state: PathState, pack: string): SavedState {
  if (state.kind !== "file") return state;
  const { kept } = state;
  return { ...withoutContent(state), ...(kept?.pack === pack && { offset: kept.offset }) };
}

function fromSaved(state: SavedState, pack: string): PathState {
  if (state.kind !== "file") return state;
  const { offset, hash, ...rest } = state;
  return {
    ...rest,
    ...(hash !== undefined && { hash }),
    ...(offset !== undefined && { kept: { pack, offset } }),
  };
}

/** Replaces the file in one step; its folder appears with the first one. */
export function writeWhole(path: string, text: string): void {
  makePrivateFolder(dirname(path));
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, text, { mode: 0o600 });
  renameSync(temporary, path);
}
