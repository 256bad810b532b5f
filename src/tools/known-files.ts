import { MAX_TEXT_BYTES, openRegularFile } from "./open-file.js";
import { hashOf } from "./text-file.js";
import { errorCode } from "./tool-failure.js";

/** Newest files that are looked at. */
const MOST_FILES = 200;

/**
 * The files whose content is no longer the known one, with the hash of what it is now; null stands for no file.
 * Those that cannot be read are left out.
 * @param known hash by real path, the newest last
 */
export async function changedFiles(
  known: ReadonlyMap<string, string | null>,
): Promise<Map<string, string | null>> {
  const changed = new Map<string, string | null>();
  for (const [path, hash] of [...known].slice(-MOST_FILES)) {
    const present = await presentHash(path);
    if (present !== undefined && present !== hash) changed.set(path, present);
  }
  return changed;
}

async function presentHash(path: string): Promise<string | null | undefined> {
  try {
    const file = await openRegularFile(path);
    try {
      const { size } = await file.stat();
      return size > MAX_TEXT_BYTES ? undefined : hashOf(await file.readFile());
    } finally {
      await file.close();
    }
  } catch (error) {
    return ["ENOENT", "ENOTDIR"].includes(errorCode(error) ?? "") ? null : undefined;
  }
}
