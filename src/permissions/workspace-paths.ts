import { lstat, readdir, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { ResolvedPath } from "./access.js";

export interface PathRefusal {
  /** "impossible": no file can have this path. "unsafe": following it is not safe. */
  kind: "impossible" | "unsafe";
  /** A clause that names the path. */
  refused: string;
}

/** Device names, streams (`a.txt:b`) and network shares: on Windows they are no files of the folder. */
const WINDOWS_SPECIAL =
  /^[/\\]{2}|^(?![a-z]:[/\\]).*:|^..+:|(^|[/\\])(con|prn|aux|nul|com\d|lpt\d)(\.[^/\\]*)?([/\\]|$)/is;

/**
 * The one way from a written path to the file that is opened. Links are followed as far as the path exists; a path
 * that cannot be followed for certain is refused, never repaired. No `~`, `%` or URL is decoded.
 *
 * @param workspaceRoot real path of the workspace; relative paths start there
 */
export async function resolvePath(
  workspaceRoot: string,
  written: string,
  platform: NodeJS.Platform = process.platform,
): Promise<ResolvedPath | PathRefusal> {
  if (written === "") return { kind: "impossible", refused: "the path is empty" };
  if (written.includes("\0")) return { kind: "impossible", refused: "the path contains a NUL character" };
  if (platform === "win32" && WINDOWS_SPECIAL.test(written)) {
    return { kind: "unsafe", refused: `"${written}" is a device, stream or network path of Windows` };
  }
  // A link is never passed before ".." is taken away, so ".." means what the text says.
  const absolute = resolve(workspaceRoot, written);
  const found = await deepestExisting(absolute, written);
  if ("refused" in found) return found;

  const real = join(found.real, ...found.missing);
  const inside = isInside(workspaceRoot, real);
  const display = inside ? relative(workspaceRoot, real).split(sep).join("/") || "." : real;
  return { written, real, display, inside, kind: found.missing.length > 0 ? "missing" : found.kind };
}

/** Both are real paths; a sibling whose name merely begins like the root is outside. */
export function isInside(root: string, real: string): boolean {
  return real === root || real.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** Whether the text names an absolute path under /proc, whose links lead anywhere. */
export function isUnderProc(workspaceRoot: string, written: string): boolean {
  return isAbsolute(written) && isInside("/proc", resolve(workspaceRoot, written));
}

type Existing = { real: string; kind: "file" | "directory"; missing: string[] };

async function deepestExisting(absolute: string, written: string): Promise<Existing | PathRefusal> {
  const missing: string[] = [];
  let path = absolute;
  for (;;) {
    // lstat and not a test for existence, which takes a link without a target for a free name.
    const step = await follow(path, written);
    if (step === "missing") {
      missing.unshift(basename(path));
      path = dirname(path);
      continue;
    }
    if ("refused" in step) return step;
    if (step.kind === "file" && missing.length > 0) {
      return { kind: "impossible", refused: `"${written}" goes through a file as if it were a folder` };
    }
    const other = step.kind === "directory" ? await sameName(step.real, missing[0]) : undefined;
    if (other !== undefined) return deepestExisting(join(step.real, other, ...missing.slice(1)), written);
    return { ...step, missing };
  }
}

/** The one entry whose name is canonically the same: accents may be composed or not. */
async function sameName(folder: string, name: string | undefined): Promise<string | undefined> {
  if (name === undefined || name.normalize("NFC") === name.normalize("NFD")) return undefined;
  const entries = await readdir(folder).catch(() => []);
  const same = entries.filter((entry) => entry.normalize("NFC") === name.normalize("NFC"));
  return same.length === 1 ? same[0] : undefined;
}

async function follow(
  path: string,
  written: string,
): Promise<{ real: string; kind: "file" | "directory" } | "missing" | PathRefusal> {
  let isLink = false;
  try {
    isLink = (await lstat(path)).isSymbolicLink();
    const real = await realpath(path);
    const stats = await lstat(real);
    if (stats.isFile()) return { real, kind: "file" };
    if (stats.isDirectory()) return { real, kind: "directory" };
    return { kind: "unsafe", refused: `"${written}" is neither a regular file nor a folder` };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (isLink && (code === "ENOENT" || code === "ENOTDIR")) {
      return { kind: "unsafe", refused: `"${written}" goes through a link without a target` };
    }
    if (code === "ENOENT" || code === "ENOTDIR") return "missing";
    if (code === "ELOOP")
      return { kind: "unsafe", refused: `"${written}" goes through links that form a loop` };
    if (code === "ENAMETOOLONG")
      return { kind: "impossible", refused: `"${written}" is too long for a path` };
    return { kind: "unsafe", refused: `"${written}" cannot be followed (${code ?? String(error)})` };
  }
}
