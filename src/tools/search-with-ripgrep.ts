import { sep } from "node:path";
import { z } from "zod";
import { runHelper } from "../processes/run-helper.js";
import { HEAVY_FOLDERS } from "./file-listing.js";
import { createLineSplitter } from "./line-splitter.js";
import type { IgnoreState } from "./file-listing.js";
import { addHit, cutAround, MAX_HITS, MAX_SEARCHED_BYTES, SEARCH_TIMEOUT_MS } from "./search-hits.js";
import type { SearchAnswer, SearchOutcome, SearchRequest } from "./search-hits.js";
import { decodeText } from "./text-file.js";

/** Text of ripgrep's JSON output: base64 if it is not UTF-8. */
const textOrBytes = z
  .object({ text: z.string() })
  .or(z.object({ bytes: z.base64() }))
  .transform((value) => ("text" in value ? Buffer.from(value.text) : Buffer.from(value.bytes, "base64")));

const matchMessage = z.object({
  data: z.object({
    path: textOrBytes,
    lines: textOrBytes,
    line_number: z.number(),
    submatches: z.array(z.object({ start: z.number(), end: z.number() })),
  }),
});

/** Comes after the matches of a file; a NUL anywhere makes the file binary. */
const endMessage = z.object({
  data: z.object({ path: textOrBytes, binary_offset: z.number().nullish() }),
});

/**
 * Searches with ripgrep. Rejects with code "ENOENT" if there is no such program. Patterns are Rust regular
 * expressions; look-around and back references work where ripgrep was built with PCRE2.
 */
export async function searchWithRipgrep(
  program: string,
  request: SearchRequest,
  ignoring: IgnoreRules,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<SearchAnswer> {
  const outcome: SearchOutcome = { files: new Map(), total: 0, problems: [] };
  const onLine = (line: string): boolean => {
    if (line.startsWith('{"type":"end"')) {
      const { path, binary_offset } = endMessage.parse(JSON.parse(line)).data;
      if (binary_offset !== null && binary_offset !== undefined) dropFile(outcome, pathOf(path));
    }
    if (!line.startsWith('{"type":"match"')) return true;
    const { path, lines, line_number, submatches } = matchMessage.parse(JSON.parse(line)).data;
    const name = pathOf(path);
    if (!request.wanted(name)) return true;
    const [first] = submatches;
    const decoded = decodeText(lines);
    const whole = decoded.kind === "text" ? decoded.original : lines.toString("utf8");
    const text = whole.replace(/\r?\n$/, "");
    const start = lines.subarray(0, first?.start ?? 0).toString("utf8").length;
    const length = lines.subarray(first?.start ?? 0, first?.end ?? 0).toString("utf8").length;
    addHit(outcome, name, { line: line_number, text: cutAround(text, start, start + length) });
    return outcome.total < MAX_HITS;
  };

  const splitter = createLineSplitter((line) => onLine(line.toString("utf8")));
  const end = await runHelper({
    argv: [program, ...ripgrepArguments(request, ignoring)],
    cwd: request.folder,
    env,
    signal,
    timeoutMs: SEARCH_TIMEOUT_MS,
    onStdout: splitter,
  });
  if (end.timedOut) outcome.cutBy = "time";
  else if (end.stopped) outcome.cutBy = "count";
  else if (end.code !== 0 && end.code !== 1) {
    if (
      /regex parse error|PCRE2: error compiling|is not allowed in a regex|regex could not be/i.test(
        end.stderr,
      )
    ) {
      return { invalidPattern: end.stderr.trim().split("\n").at(-1) ?? "" };
    }
    outcome.problems = end.stderr.trim().split("\n");
  }
  return outcome;
}

function pathOf(bytes: Buffer): string {
  const path = bytes.toString("utf8");
  return (sep === "/" ? path : path.replaceAll(sep, "/")).replace(/^\.\//, "");
}

function dropFile(outcome: SearchOutcome, path: string): void {
  outcome.total -= outcome.files.get(path)?.length ?? 0;
  outcome.files.delete(path);
}

/** What of the tree counts for a search. */
export interface IgnoreRules extends Pick<IgnoreState, "ignored" | "inRepository"> {
  /** The searched folder is the workspace. */
  isRoot: boolean;
  /** Files that count although the rules ignore them; paths below the folder. */
  tracked: readonly string[];
}

/** More are left out: a command line has its limits. */
const MAX_TRACKED = 1_000;

function ripgrepArguments(request: SearchRequest, ignoring: IgnoreRules): string[] {
  const flags = ["--no-config", "--json", "--crlf", "--hidden", "--no-require-git", "--no-ignore-dot"];
  flags.push(`--max-filesize=${MAX_SEARCHED_BYTES}`);
  if (request.literal) flags.push("--fixed-strings");
  else flags.push("--engine=auto");
  if (ignoring.ignored) flags.push("--no-ignore");
  // Outside a repository ripgrep would take a .gitignore of any folder above, for example of the home folder.
  else if (!ignoring.inRepository && ignoring.isRoot) flags.push("--no-ignore-parent");
  if (request.file === undefined) {
    flags.push(...HEAVY_FOLDERS.map((name) => `--glob=!${name}`));
    const nameGlob = lastNameGlob(request.glob);
    if (nameGlob !== undefined) flags.push(`--type-add=wanted:${nameGlob}`, "--type=wanted");
  }
  const tracked = ignoring.ignored ? [] : ignoring.tracked.filter(request.wanted).slice(0, MAX_TRACKED);
  const paths =
    request.file === undefined ? [".", ...tracked.map((path) => `./${path}`)] : [`./${request.file}`];
  return [...flags, `--regexp=${request.pattern}`, "--", ...paths];
}

/**
 * The part of the glob that judges a file's own name, so that ripgrep opens fewer files. It goes in as a file type,
 * since a `--glob` would bring back ignored files. All paths are judged by the whole glob afterwards.
 */
function lastNameGlob(glob: string | undefined): string | undefined {
  const name = glob?.split("/").at(-1);
  return name !== undefined && !name.includes("**") && /^[\w.*?-]+(?:\{[\w.,*-]+\})?$/.test(name)
    ? name
    : undefined;
}
