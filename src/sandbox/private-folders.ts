import { realpathSync, statSync } from "node:fs";
import { sep } from "node:path";

/**
 * Where programs leave temporary files, sockets and keys. Commands get an empty folder of their own instead: a socket
 * can be connected to through a read-only mount.
 */
const SHARED_FOLDERS: readonly string[] = ["/tmp", "/var/tmp", "/run", "/var/run", "/root", "/mnt/wslg"];

/** Whether `path` is `folder` or below it; both absolute and without "..". */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** Real paths of the existing folders that commands must not see, parents before their children. */
export function privateFolders(place: { homeDir: string; temporaryFolder?: string }): string[] {
  const folders = [...SHARED_FOLDERS, place.homeDir, place.temporaryFolder ?? place.homeDir].flatMap(
    (path) => {
      const real = realFolder(path);
      return real === undefined || real === "/" ? [] : [real];
    },
  );
  return [...new Set(folders)].sort((a, b) => a.length - b.length);
}

function realFolder(path: string): string | undefined {
  try {
    const real = realpathSync(path);
    return statSync(real).isDirectory() ? real : undefined;
  } catch {
    // Not on this system, or closed to this user: nothing to hide.
    return undefined;
  }
}
