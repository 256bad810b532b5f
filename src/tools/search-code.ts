import { basename, dirname } from "node:path";
import { z } from "zod";
import type { ResolvedPath } from "../permissions/access.js";
import { comparePaths, ignoreState } from "./file-listing.js";
import { globMatcher } from "./list-files.js";
import { missingPath } from "./nearest-paths.js";
import type { SearchAnswer, SearchOutcome, SearchRequest } from "./search-hits.js";
import { searchWithRipgrep } from "./search-with-ripgrep.js";
import { searchWithoutRipgrep } from "./search-without-ripgrep.js";
import { errorCode, failure, fileFailure } from "./tool-failure.js";
import { defineTool } from "./tool.js";
import type { Tool, ToolContext, ToolResult } from "./tool.js";

const MAX_SHOWN_PER_FILE = 30;
const MAX_SHOWN = 150;

const schema = z.object({
  pattern: z.string().describe("regular expression"),
  path: z.string().nullish(),
  glob: z.string().nullish(),
});

/** The path of a ripgrep program; undefined if there is none. */
export type FindRipgrep = () => Promise<string | undefined>;

/** What `findRipgrep` finds goes before the `rg` of PATH; without either an own search gives the same hits. */
export function createSearchCodeTool(findRipgrep: FindRipgrep, env: NodeJS.ProcessEnv): Tool {
  return defineTool({
    name: "search_code",
    description:
      "Find lines in the files of the project (case-sensitive). Narrow it by path, or by glob such as *.ts.",
    schema,
    effect: "read",
    touches: ({ path }) => [{ kind: "read", path: orProject(path) }],
    async run(args, context) {
      const path = context.path(orProject(args.path));
      if (path.kind === "missing") return missingPath(path, context, env);
      if (args.pattern === "" || args.pattern.includes("\n")) {
        return failure("pattern must be one line of text.", "Search for one line at a time.");
      }
      try {
        return await search(args, path, context, await findRipgrep(), env);
      } catch (error) {
        context.signal.throwIfAborted();
        return fileFailure(`${path.display} cannot be searched`, error);
      }
    },
  });
}

/** Models send "" for an optional path that they leave out. */
function orProject(path: string | null | undefined): string {
  return path || ".";
}

async function search(
  args: z.infer<typeof schema>,
  path: ResolvedPath,
  context: ToolContext,
  ripgrep: string | undefined,
  env: NodeJS.ProcessEnv,
): Promise<ToolResult> {
  const prefix = prefixOf(path);
  const glob = args.glob || undefined;
  const isFile = path.kind === "file";
  const request: SearchRequest = {
    pattern: args.pattern,
    literal: false,
    folder: isFile ? dirname(path.real) : path.real,
    file: isFile ? basename(path.real) : undefined,
    glob,
    wanted: glob === undefined || isFile ? () => true : globMatcher(glob, prefix),
  };
  const options = { root: context.workspaceRoot, env, signal: context.signal };
  const ignoring = await ignoreState(path.real, options);
  const isRoot = path.real === context.workspaceRoot;

  async function run(literal: boolean): Promise<SearchAnswer> {
    for (const program of ripgrep === undefined ? ["rg"] : [ripgrep, "rg"]) {
      try {
        return await searchWithRipgrep(
          program,
          { ...request, literal },
          ignoring,
          isRoot,
          env,
          context.signal,
        );
      } catch (error) {
        if (errorCode(error) !== "ENOENT" && errorCode(error) !== "EACCES") throw error;
      }
    }
    return searchWithoutRipgrep({ ...request, literal }, options);
  }

  const answer = await run(false);
  const hasMeta = /[\\^$.*+?()[\]{}|]/.test(args.pattern);
  if ("invalidPattern" in answer) {
    const literal = await run(true);
    const note = `The pattern is no valid regular expression (${answer.invalidPattern}); searched for it as plain text.`;
    return "invalidPattern" in literal
      ? failure(note, "Search for a simpler pattern.")
      : report(literal, args, path, context, note);
  }
  if (answer.total === 0 && answer.cutBy === undefined && hasMeta) {
    const literal = await run(true);
    if (!("invalidPattern" in literal) && literal.total > 0) {
      return report(
        literal,
        args,
        path,
        context,
        "As a regular expression it matched nothing; searched for it as plain text.",
      );
    }
  }
  return report(answer, args, path, context);
}

/** What stands before the path of each hit, so that it can be used as a path. */
function prefixOf(path: ResolvedPath): string {
  const folder = path.kind === "file" ? dirname(path.display) : path.display;
  return folder === "." ? "" : `${folder}/`;
}

function report(
  outcome: SearchOutcome,
  { pattern }: z.infer<typeof schema>,
  path: ResolvedPath,
  context: ToolContext,
  note?: string,
): ToolResult {
  const notes = note === undefined ? [] : [note];
  if (outcome.problems.length > 0)
    notes.push(`Could not be searched: ${outcome.problems.slice(0, 5).join("; ")}`);
  if (outcome.cutBy === "time") notes.push("The time limit ended the search; narrow the path or the glob.");
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
    };
  }
  const prefix = prefixOf(path);
  const files = [...outcome.files].sort(([a], [b]) => comparePaths(a, b));
  const room = context.maxOutputChars - notes.join("\n").length - 300;
  const lines: string[] = [];
  let shown = 0;
  let chars = 0;
  for (const [file, hits] of files) {
    const group = [`${prefix}${file} (${hits.length})`];
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
  return { status: "ok", output: [head, ...lines, ...notes.map((text) => `[${text}]`)].join("\n") };
}
