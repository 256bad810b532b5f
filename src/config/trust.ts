import { createHash } from "node:crypto";
import { readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { ConfigWarning } from "./read-config-file.js";
import { readStateFile, stateNotWritable, writeStateFile } from "./state-file.js";

const trustSchema = z.object({
  /** By the file's path, in a folder whose links were followed. */
  files: z.record(
    z.string(),
    z.object({
      sha256: z.string(),
      text: z.string(),
      /** The user was asked and said no to this content. */
      refused: z.boolean().optional(),
    }),
  ),
});

type TrustedFiles = z.infer<typeof trustSchema>["files"];

export interface TrustRecord {
  files: TrustedFiles;
  warnings: ConfigWarning[];
}

/** A project file as it was read: the trust goes to what the user was shown, not to what the disk holds by then. */
export interface TrustableFile {
  path: string;
  sha256: string;
  text: string;
}

/** Every trusted file. A record that cannot be read trusts nothing, and a warning says so. */
export async function readTrust(stateFolder: string): Promise<TrustRecord> {
  const path = recordPath(stateFolder);
  const record = await readStateFile(path, trustSchema);
  switch (record.kind) {
    case "value":
      return { files: record.value.files, warnings: [] };
    case "missing":
      return { files: {}, warnings: [] };
    case "damaged": {
      const text = `${path} cannot be read, so that no folder is trusted.`;
      return { files: {}, warnings: [{ code: "trust-unreadable", text }] };
    }
  }
}

/**
 * Trusts one file with the content it has. A damaged record is set aside, which the returned warnings tell. Of two
 * processes that do this at the same moment one may be forgotten and ask again.
 */
export function trustFile(stateFolder: string, file: TrustableFile): Promise<ConfigWarning[]> {
  return remember(stateFolder, file, false);
}

/** Remembers that the user does not trust this content, so that the question is not repeated. */
export function refuseFile(stateFolder: string, file: TrustableFile): Promise<ConfigWarning[]> {
  return remember(stateFolder, file, true);
}

async function remember(
  stateFolder: string,
  { path, sha256, text }: TrustableFile,
  refused: boolean,
): Promise<ConfigWarning[]> {
  const { files, warnings } = await readTrust(stateFolder);
  const aside = warnings.length > 0 ? [await setAside(recordPath(stateFolder))] : [];
  const entry = { sha256, text, ...(refused && { refused }) };
  await writeStateFile(recordPath(stateFolder), { files: { ...files, [path]: entry } });
  return aside;
}

/** Whether the file was trusted until now, in whatever content. */
export async function revokeTrust(stateFolder: string, path: string): Promise<boolean> {
  const { files } = await readTrust(stateFolder);
  if (!Object.hasOwn(files, path)) return false;
  const others = Object.fromEntries(Object.entries(files).filter(([name]) => name !== path));
  await writeStateFile(recordPath(stateFolder), { files: others });
  return true;
}

function recordPath(stateFolder: string): string {
  return join(stateFolder, "trust.json");
}

async function setAside(path: string): Promise<ConfigWarning> {
  try {
    const digest = createHash("sha256")
      .update(await readFile(path))
      .digest("hex")
      .slice(0, 8);
    const aside = `${path}.damaged-${digest}`;
    await rename(path, aside);
    return { code: "trust-set-aside", text: `${path} was damaged and is now ${aside}.` };
  } catch (cause) {
    throw stateNotWritable(path, cause);
  }
}
