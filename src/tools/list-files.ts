import { readdir } from "node:fs/promises";
import picomatch from "picomatch";
import { z } from "zod";
import type { ResolvedPath } from "../permissions/access.js";
import { asOneLine, comparePaths, listTree } from "./file-listing.js";
import type { TreeListing } from "./file-listing.js";
import { missingPath } from "./nearest-paths.js";
import { failure, fileFailure } from "./tool-failure.js";
import { defineTool } from "./tool.js";
import type { Tool, ToolContext, ToolResult } from "./tool.js";

const MAX_ENTRIES = 200;
/** Names of skipped entries that are told. */
const MAX_SKIPPED_NAMES = 5;

const schema = z.object({
  path: z.string(),
  pattern: z.string().nullish().describe("glob, such as *.ts"),
});

/** `env` is for git, whose ignore rules decide what is listed. */
export function createListFilesTool(env: NodeJS.ProcessEnv): Tool {
  return defineTool({
    name: "list_files",
    description: 'List the files below a folder. Use "." for the whole project.',
    schema,
    effect: "read",
    // Models write "" for the whole project.
    touches: ({ path }) => [{ kind: "list", path: path || "." }],
    async run(args, context) {
      const path = context.path(args.path || ".");
      if (path.kind === "missing") return missingPath(path, context, env);
      if (path.kind === "file") return failure(`${path.display} is a file.`, "Read it with read_file.");
      try {
        return await list(path, args.pattern || undefined, context, env);
      } catch (error) {
        context.signal.throwIfAborted();
        return fileFailure(`${path.display} cannot be listed`, error);
      }
    },
  });
}

async function list(
  path: ResolvedPath,
  pattern: string | undefined,
  context: ToolContext,
  env: NodeJS.ProcessEnv,
): Promise<ToolResult> {
  const listing = await listTree(path.real, { root: context.workspaceRoot, env, signal: context.signal });
  const prefix = path.display === "." ? "" : `${path.display}/`;
  const wanted = pattern === undefined ? undefined : globMatcher(pattern, prefix, context.workspaceRoot);
  const files = wanted === undefined ? listing.files : listing.files.filter(wanted);
  const found = { files: files.length, ...(listing.truncated && { atLeast: true }) };
  if (files.length === 0) return { status: "ok", output: await describeNone(path, pattern, listing), found };

  const room = context.maxOutputChars - 600;
  const fits = (lines: string[]): boolean => lines.length <= MAX_ENTRIES && lines.join("\n").length <= room;
  let lines = files.map((file) => asOneLine(prefix + file));
  let shortened = "";
  if (!fits(lines) && pattern === undefined) {
    lines = collapse(files, fits).map((line) => asOneLine(prefix + line));
    shortened = "Folders that end in (N files) are not opened here; list them by their path.";
  }
  const shown: string[] = [];
  let chars = 0;
  for (const line of lines) {
    chars += line.length + 1;
    if (shown.length === MAX_ENTRIES || chars > room) break;
    shown.push(line);
  }
  if (shown.length < lines.length) {
    shortened = `${lines.length - shown.length} more are not shown; narrow the path or the pattern.`;
  }
  const total = `${files.length}${listing.truncated ? " or more" : ""} ${files.length === 1 ? "file" : "files"}`;
  const what =
    pattern === undefined ? `${path.display}: ${total}` : `${path.display}: ${total} matching ${pattern}`;
  const notes = [shortened, describeSkipped(listing, prefix)].filter((note) => note !== "");
  return { status: "ok", output: [what, ...shown, ...notes.map((note) => `[${note}]`)].join("\n"), found };
}

/**
 * Matches paths below a listed folder. Without a slash the glob means the last name at any depth; with one it may
 * begin at the listed folder or, as models often write it, at the workspace, even with its whole path.
 */
export function globMatcher(pattern: string, prefix: string, root: string): (path: string) => boolean {
  const below = pattern.startsWith(`${root}/`) ? pattern.slice(root.length) : pattern;
  const glob = below
    .replace(/^\.?\//, "")
    .replace(/\/$/, "/**")
    .normalize("NFC");
  const matches = picomatch(glob, { dot: true, basename: !glob.includes("/") });
  return (written) => {
    const path = written.normalize("NFC");
    return matches(path) || (prefix !== "" && matches(prefix + path));
  };
}

/** Closes folders, the deepest first, until the list fits. */
function collapse(files: readonly string[], fits: (lines: string[]) => boolean): string[] {
  const deepest = files.reduce((most, file) => Math.max(most, file.split("/").length), 1);
  for (let depth = deepest - 1; depth > 1; depth--) {
    const lines = collapseAt(files, depth);
    if (fits(lines)) return lines;
  }
  return collapseAt(files, 1);
}

/** Entries of at most `depth` names; each deeper file counts for its folder. */
function collapseAt(files: readonly string[], depth: number): string[] {
  const counts = new Map<string, number>();
  for (const file of files) {
    const names = file.split("/");
    const entry = names.length <= depth ? file : `${names.slice(0, depth).join("/")}/`;
    counts.set(entry, (counts.get(entry) ?? 0) + 1);
  }
  return [...counts].map(([entry, count]) => (entry.endsWith("/") ? `${entry} (${count} files)` : entry));
}

async function describeNone(
  path: ResolvedPath,
  pattern: string | undefined,
  listing: TreeListing,
): Promise<string> {
  const skipped = describeSkipped(listing, path.display === "." ? "" : `${path.display}/`);
  const note = skipped === "" ? "" : `\n[${skipped}]`;
  if (pattern !== undefined) {
    return `No file in ${path.display === "." ? "the project" : path.display} matches ${pattern} (${listing.files.length} files looked at).${note}`;
  }
  const names = (await readdir(path.real)).filter((name) => name !== ".git").sort(comparePaths);
  return names.length === 0
    ? `${path.display} is an empty folder.`
    : `${path.display} has no files to list. It holds: ${names.slice(0, 20).map(asOneLine).join(", ")}${note}`;
}

function describeSkipped({ skipped, unreadable }: TreeListing, prefix: string): string {
  const notes: string[] = [];
  if (skipped.length > 0) {
    const names = skipped.slice(0, MAX_SKIPPED_NAMES).map((name) => asOneLine(prefix + name));
    const more = skipped.length > names.length ? " and others" : "";
    notes.push(`Skipped as ignored: ${names.join(", ")}${more}. Name such a path to list it.`);
  }
  if (unreadable.length > 0)
    notes.push(`Not readable: ${unreadable.slice(0, MAX_SKIPPED_NAMES).join(", ")}.`);
  return notes.join(" ");
}
