import { basename, dirname } from "node:path";
import { z } from "zod";
import type { ResolvedPath } from "../permissions/access.js";
import { ignoreState } from "./file-listing.js";
import { trackedThoughIgnored } from "./git-listing.js";
import { globMatcher } from "./list-files.js";
import { missingPath } from "./nearest-paths.js";
import type { SearchAnswer, SearchOutcome, SearchRequest } from "./search-hits.js";
import { prefixOf, reportSearch } from "./search-report.js";
import { searchWithRipgrep } from "./search-with-ripgrep.js";
import { searchWithoutRipgrep } from "./search-without-ripgrep.js";
import { errorCode, failure, fileFailure } from "./tool-failure.js";
import { defineTool } from "./tool.js";
import type { Tool, ToolContext, ToolResult } from "./tool.js";

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
        return failure(
          "pattern must be one line of text.",
          "Each line is searched alone: search for one line at a time.",
        );
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
    wanted: glob === undefined || isFile ? () => true : globMatcher(glob, prefix, context.workspaceRoot),
  };
  const options = { root: context.workspaceRoot, env, signal: context.signal };
  const [state, tracked] = await Promise.all([
    ignoreState(path.real, options),
    isFile ? [] : trackedThoughIgnored(path.real, options),
  ]);
  const ignoring = { ...state, isRoot: path.real === context.workspaceRoot, tracked };

  const withRipgrep = async (literal: boolean): Promise<SearchAnswer | undefined> => {
    for (const program of ripgrep === undefined ? ["rg"] : [ripgrep, "rg"]) {
      try {
        return await searchWithRipgrep(program, { ...request, literal }, ignoring, env, context.signal);
      } catch (error) {
        if (errorCode(error) !== "ENOENT" && errorCode(error) !== "EACCES") throw error;
      }
    }
    return undefined;
  };
  const run = async (literal: boolean): Promise<SearchAnswer> => {
    const answer = await withRipgrep(literal);
    const isPlain = /^[\x00-\x7f]*$/.test(args.pattern);
    // ripgrep reads UTF-8 and compares bytes: other encodings and other accents are left to the own search.
    if (answer !== undefined && (isPlain || !foundNothing(answer))) return answer;
    return searchWithoutRipgrep({ ...request, literal }, options);
  };
  const report = (outcome: SearchOutcome, note?: string): ToolResult =>
    reportSearch(outcome, args.pattern, path, context.maxOutputChars, note);
  const asText = async (why: string): Promise<ToolResult | undefined> => {
    const answer = await run(true);
    if ("invalidPattern" in answer) return undefined;
    return report(answer, `${why}; searched for it as plain text.`);
  };

  if (/(?<!\\)(?:\\\\)*\\n/.test(args.pattern)) {
    const found = await asText("Each line is searched alone, so \\n matches no line break");
    if (found !== undefined) return found;
  }
  const answer = await run(false);
  if ("invalidPattern" in answer) {
    const why = `The pattern is no valid regular expression (${answer.invalidPattern})`;
    return (await asText(why)) ?? failure(`${why}.`, "Search for a simpler pattern.");
  }
  if (foundNothing(answer) && /[\\^$.*+?()[\]{}|]/.test(args.pattern)) {
    const literal = await run(true);
    if (!("invalidPattern" in literal) && literal.total > 0) {
      return report(literal, "As a regular expression it matched nothing; searched for it as plain text.");
    }
  }
  return report(answer);
}

function foundNothing(answer: SearchAnswer): boolean {
  return !("invalidPattern" in answer) && answer.total === 0 && answer.cutBy === undefined;
}
