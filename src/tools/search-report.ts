import { dirname } from "node:path";
import type { ResolvedPath } from "../permissions/access.js";
import { asOneLine, comparePaths } from "./file-listing.js";
import type { SearchOutcome } from "./search-hits.js";
import { failure } from "./tool-failure.js";
import type { ToolResult } from "./tool.js";

const MAX_SHOWN_PER_FILE = 30;
const MAX_SHOWN = 150;

/** What stands before the path of each hit, so that it can be used as a path. */
export function prefixOf(path: ResolvedPath): string {
  const folder = path.kind === "file" ? dirname(path.display) : path.display;
  return folder === "." ? "" : `${folder}/`;
}

/** What the model is told: hits by file, as many as there is room for, and what was not searched. */
export function reportSearch(
  outcome: SearchOutcome,
  pattern: string,
  path: ResolvedPath,
  maxChars: number,
  note?: string,
): ToolResult {
  const notes = note === undefined ? [] : [note];
  if (outcome.problems.length > 0)
    notes.push(`Could not be searched: ${outcome.problems.slice(0, 5).join("; ")}`);
  if (outcome.cutBy === "time")
    notes.push("The time limit ended the search; narrow the path or the glob, or simplify the pattern.");
  if (outcome.total === 0) {
    if (outcome.problems.length > 0)
      return failure(notes.join("\n"), "No line was found elsewhere. Try another path.");
    const hint =
      "Ignored and binary files, and those above 20 MB, are not searched; name a path to search it all the same.";
    return {
      status: "ok",
      output: [
        `No matches for ${pattern} in ${path.display === "." ? "the project" : path.display}.`,
        ...notes,
        hint,
      ].join("\n"),
      found: { matches: 0, files: 0 },
    };
  }
  const prefix = prefixOf(path);
  const files = [...outcome.files].sort(([a], [b]) => comparePaths(a, b));
  const room = maxChars - notes.join("\n").length - 300;
  const lines: string[] = [];
  let shown = 0;
  let chars = 0;
  for (const [file, hits] of files) {
    const group = [`${asOneLine(prefix + file)} (${hits.length})`];
    hits.sort((a, b) => a.line - b.line);
    group.push(...hits.slice(0, MAX_SHOWN_PER_FILE).map(({ line, text }) => `  ${line}: ${text}`));
    if (hits.length > MAX_SHOWN_PER_FILE)
      group.push(`  and ${hits.length - MAX_SHOWN_PER_FILE} more in this file`);
    for (const line of group) {
      chars += line.length + 1;
      if (chars > room || shown >= MAX_SHOWN) break;
      lines.push(line);
      if (/^ {2}\d/.test(line)) shown++;
    }
    if (chars > room || shown >= MAX_SHOWN) break;
  }
  const atLeast = outcome.cutBy === undefined ? "" : "at least ";
  const count = `${atLeast}${outcome.total} matching ${outcome.total === 1 ? "line" : "lines"}`;
  const head = `${count} in ${files.length} ${files.length === 1 ? "file" : "files"} for ${pattern}`;
  if (shown < outcome.total)
    notes.push(`${shown} shown. Narrow the pattern, the path or the glob to see others.`);
  return {
    status: "ok",
    output: [head, ...lines, ...notes.map((text) => `[${text}]`)].join("\n"),
    found: {
      matches: outcome.total,
      files: files.length,
      ...(outcome.cutBy !== undefined && { atLeast: true }),
    },
  };
}
