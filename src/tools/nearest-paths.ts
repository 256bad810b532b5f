import { basename } from "node:path";
import { editDistance } from "../edit-distance.js";
import type { ToolContext, ToolResult } from "./tool.js";
import type { ResolvedPath } from "../permissions/access.js";
import { asOneLine, listTree } from "./file-listing.js";
import { failure } from "./tool-failure.js";

const MAX_SUGGESTIONS = 3;
const MAX_LISTING_MS = 3_000;

/** The answer to a path that does not exist: names the existing ones that come nearest. */
export async function missingPath(
  path: ResolvedPath,
  context: ToolContext,
  env: NodeJS.ProcessEnv,
): Promise<ToolResult> {
  const files = await knownFiles(context, env);
  const nearest = nearestPaths(path.display, [...files, ...foldersOf(files)]);
  const next =
    nearest.length > 0
      ? `Did you mean: ${nearest.map(asOneLine).join(", ")}?`
      : 'Look at what exists with list_files, path ".".';
  return failure(`${path.display} does not exist.`, next);
}

/** Empty where listing takes too long for a hint. */
async function knownFiles(
  { workspaceRoot: root, signal }: ToolContext,
  env: NodeJS.ProcessEnv,
): Promise<string[]> {
  const hurry = AbortSignal.timeout(MAX_LISTING_MS);
  try {
    return (await listTree(root, { root, env, signal: AbortSignal.any([signal, hurry]) })).files;
  } catch (error) {
    signal.throwIfAborted();
    if (hurry.aborted) return [];
    throw error;
  }
}

function foldersOf(files: readonly string[]): Set<string> {
  const folders = new Set<string>();
  for (const file of files) {
    for (let at = file.lastIndexOf("/"); at > 0; at = file.lastIndexOf("/", at - 1))
      folders.add(file.slice(0, at));
  }
  return folders;
}

/** Paths with the same or nearly the same last name, best first; among equals those that share more folders. */
function nearestPaths(wanted: string, existing: readonly string[]): string[] {
  const name = folded(basename(wanted));
  const folders = wanted.split("/").slice(0, -1);
  const limit = Math.max(2, Math.floor(name.length / 3));
  return existing
    .map((path) => {
      const distance = editDistance(name, folded(basename(path)));
      const shared = folders.filter((folder) => path.split("/").includes(folder)).length;
      return { path, distance, shared };
    })
    .filter(({ distance }) => distance <= limit && distance < name.length)
    .sort((a, b) => a.distance - b.distance || b.shared - a.shared || a.path.length - b.path.length)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ path }) => path);
}

function folded(name: string): string {
  return name.normalize("NFC").toLowerCase();
}
