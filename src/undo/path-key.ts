import { relative, sep } from "node:path";

/**
 * A path below the workspace, "/" between names, "" for the workspace itself. Its characters are the bytes on disk
 * (Latin-1), since a name need not be valid UTF-8.
 */
export type PathKey = string;

/** @param real a path inside the root, links followed */
export function keyOf(root: string, real: string): PathKey {
  return Buffer.from(relative(root, real).split(sep).join("/")).toString("latin1");
}

/** The path as the file system takes it; text where that is the same, since it is quicker. */
export function pathOf(root: string, key: PathKey): string | Buffer {
  if (key === "") return root;
  if (isAscii(key)) return `${root}/${key}`;
  return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(key, "latin1")]);
}

/** As a person reads it. */
export function displayOf(key: PathKey): string {
  return isAscii(key) ? key : Buffer.from(key, "latin1").toString("utf8");
}

export function parentOf(key: PathKey): PathKey {
  return key.slice(0, Math.max(0, key.lastIndexOf("/")));
}

export function nameOf(key: PathKey): Buffer {
  return Buffer.from(key.slice(key.lastIndexOf("/") + 1), "latin1");
}

export function depthOf(key: PathKey): number {
  return key.split("/").length;
}

function isAscii(text: string): boolean {
  return !/[\x80-\xff]/.test(text);
}
