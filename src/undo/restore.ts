import { chmod, constants, mkdir, open, rmdir, symlink, unlink } from "node:fs/promises";
import { putFile, replaceAt } from "../tools/atomic-write.js";
import { holdFolder, statsAt } from "../tools/held-folder.js";
import type { HeldFolder } from "../tools/held-folder.js";
import { errorCode } from "../tools/tool-failure.js";
import { readKept } from "./pack.js";
import { depthOf, nameOf, parentOf, pathOf } from "./path-key.js";
import type { PathKey } from "./path-key.js";
import type { PathState } from "./path-state.js";
import type { Step } from "./restore-plan.js";

const FILES_AT_ONCE = 16;
/** What the owner needs in a folder to change what lies in it. */
const OWNER_ALL = 0o700;

/**
 * Does the steps, in an order in which each is possible. Every one goes through an opened folder, so that a link that
 * was put in the place of a folder leads nowhere. Rejects at the first that fails; the ones before it are done then.
 */
export async function restore(root: string, steps: readonly Step[]): Promise<void> {
  const folders = createFolders(root);
  const deepestFirst = [...steps].sort((a, b) => depthOf(b.path) - depthOf(a.path));
  const shallowFirst = [...deepestFirst].reverse();
  try {
    for (const { path, from } of shallowFirst) {
      if (from.kind !== "folder" || (from.mode & OWNER_ALL) === OWNER_ALL) continue;
      await setMode(await folders.above(path), nameOf(path), from.mode | OWNER_ALL);
    }
    for (const { path, from, to } of deepestFirst) {
      if (from.kind === "absent" || isReplaced(from, to)) continue;
      const place = (await folders.above(path)).at(nameOf(path));
      await folders.leave(path);
      await (from.kind === "folder" ? rmdir(place) : unlink(place));
    }
    for (const { path, from, to } of shallowFirst) {
      if (to.kind !== "folder" || from.kind === "folder") continue;
      await mkdir((await folders.above(path)).at(nameOf(path)), { mode: to.mode | OWNER_ALL });
    }
    const contents = steps.filter(({ to }) => to.kind === "file" || to.kind === "link");
    for (const [folder, inside] of groupByFolder(contents)) {
      const held = await folders.open(folder);
      for (let at = 0; at < inside.length; at += FILES_AT_ONCE) {
        const some = await Promise.allSettled(
          inside.slice(at, at + FILES_AT_ONCE).map((step) => putBack(held, step)),
        );
        for (const each of some) if (each.status === "rejected") throw each.reason;
      }
    }
    for (const { path, to } of deepestFirst) {
      if (to.kind === "folder") await setMode(await folders.above(path), nameOf(path), to.mode);
    }
  } finally {
    await folders.close();
  }
}

/** The new comes in the place of the old in one step, or the old stays. */
function isReplaced(from: PathState, to: PathState): boolean {
  return to.kind !== "absent" && (from.kind === "folder") === (to.kind === "folder");
}

function groupByFolder(steps: readonly Step[]): Map<PathKey, Step[]> {
  const groups = new Map<PathKey, Step[]>();
  for (const step of steps) {
    const folder = parentOf(step.path);
    const group = groups.get(folder);
    if (group === undefined) groups.set(folder, [step]);
    else group.push(step);
  }
  return groups;
}

async function putBack(folder: HeldFolder, { path, from, to }: Step): Promise<void> {
  const name = nameOf(path);
  if (to.kind === "link") {
    const target = Buffer.from(to.target, "latin1");
    await replaceAt(folder, name, (temporary) => symlink(target, temporary));
  } else if (to.kind === "file") {
    if (from.kind === "file" && from.hash !== undefined && from.hash === to.hash) {
      await setMode(folder, name, to.mode);
      return;
    }
    const owner = from.kind === "file" ? await statsAt(folder.at(name)) : undefined;
    await putFile(folder, name, { bytes: readKept(to), like: { mode: to.mode, owner }, sync: false });
  }
}

async function setMode(folder: HeldFolder, name: Buffer, mode: number): Promise<void> {
  const place = folder.at(name);
  try {
    const handle = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      await handle.chmod(mode);
    } finally {
      await handle.close();
    }
  } catch (error) {
    // It may not be read, only changed.
    if (errorCode(error) !== "EACCES") throw error;
    if ((await statsAt(place))?.isSymbolicLink() === true) throw error;
    await chmod(place, mode);
  }
}

interface OpenedFolders {
  open(folder: PathKey): Promise<HeldFolder>;
  /** The opened folder that a path lies in. */
  above(path: PathKey): Promise<HeldFolder>;
  /** The path itself is about to go. */
  leave(path: PathKey): Promise<void>;
  close(): Promise<void>;
}

/** Keeps the newest open: steps of one folder stand together. */
function createFolders(root: string): OpenedFolders {
  let newest: { path: PathKey; folder: HeldFolder } | undefined;
  const close = async (): Promise<void> => {
    await newest?.folder.close();
    newest = undefined;
  };
  const openFolder = async (path: PathKey): Promise<HeldFolder> => {
    if (newest?.path !== path) {
      await close();
      newest = { path, folder: await holdFolder(pathOf(root, path)) };
    }
    return newest.folder;
  };
  return {
    open: openFolder,
    above: (path) => openFolder(parentOf(path)),
    async leave(path) {
      if (newest?.path === path) await close();
    },
    close,
  };
}
