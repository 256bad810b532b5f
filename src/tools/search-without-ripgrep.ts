import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { createContext, Script } from "node:vm";
import { listTree } from "./file-listing.js";
import type { ListingOptions } from "./file-listing.js";
import { createLineSplitter } from "./line-splitter.js";
import { openRegularFile } from "./open-file.js";
import { addHit, cutAround, MAX_HITS, MAX_SEARCHED_BYTES, SEARCH_TIMEOUT_MS } from "./search-hits.js";
import type { SearchAnswer, SearchOutcome, SearchRequest } from "./search-hits.js";
import { compilePattern } from "./search-pattern.js";
import { decodeText } from "./text-file.js";
import { describeError } from "./tool-failure.js";

const FILES_AT_ONCE = 32;
const CHUNK_BYTES = 1024 * 1024;
/** Matching that takes longer at a stretch will not end: some patterns need time without bounds. */
const MATCH_TIMEOUT_MS = 2_000;

/**
 * The same search without ripgrep. Files are decoded first, so it also finds text in encodings that ripgrep does not
 * know and accents that are composed otherwise than in the pattern.
 */
export async function searchWithoutRipgrep(
  request: SearchRequest,
  options: ListingOptions,
): Promise<SearchAnswer> {
  const expression = compilePattern(request.pattern.normalize("NFC"), request.literal);
  if (typeof expression === "string") return { invalidPattern: expression };
  const outcome: SearchOutcome = { files: new Map(), total: 0, problems: [] };
  const search: Search = { outcome, expression, within: createTimeLimit(outcome) };
  const deadline = Date.now() + SEARCH_TIMEOUT_MS;
  if (request.file !== undefined && (await isLarge(request.folder, request.file))) {
    await searchLarge(request.folder, request.file, search, { deadline, signal: options.signal });
    return outcome;
  }
  const paths = await filesOf(request, options, outcome);
  for (let at = 0; at < paths.length && outcome.cutBy === undefined; at += FILES_AT_ONCE) {
    options.signal.throwIfAborted();
    if (Date.now() > deadline) outcome.cutBy = "time";
    const batch = paths.slice(at, at + FILES_AT_ONCE);
    const texts = await Promise.all(batch.map((path) => searchable(request.folder, path, outcome)));
    search.within(() => {
      for (const [index, path] of batch.entries()) {
        if (outcome.cutBy === undefined) searchText(texts[index] ?? "", path, search);
      }
    });
  }
  return outcome;
}

interface Search {
  outcome: SearchOutcome;
  expression: RegExp;
  /** Matches, and ends the search if that takes too long. */
  within(match: () => void): void;
}

/** Only the engine itself can break off an expression that runs away. */
function createTimeLimit(outcome: SearchOutcome): Search["within"] {
  const globals: { match?: () => void } = {};
  const context = createContext(globals);
  const script = new Script("match()");
  return (match) => {
    globals.match = match;
    try {
      script.runInContext(context, { timeout: MATCH_TIMEOUT_MS });
    } catch (error) {
      // It comes from the other context, where Error is another class.
      if ((error as { code?: unknown }).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
      outcome.cutBy = "time";
    }
  };
}

async function filesOf(
  request: SearchRequest,
  options: ListingOptions,
  outcome: SearchOutcome,
): Promise<string[]> {
  if (request.file !== undefined) return [request.file];
  const { files, unreadable } = await listTree(request.folder, options);
  outcome.problems.push(...unreadable.map((path) => `${path}: permission denied (EACCES)`));
  return files.filter(request.wanted);
}

/** The text of a file; undefined if it is binary, too large, no regular file, or (a problem) not readable. */
async function searchable(folder: string, path: string, outcome: SearchOutcome): Promise<string | undefined> {
  try {
    const whole = join(folder, path);
    const stats = await lstat(whole);
    if (!stats.isFile() || stats.size > MAX_SEARCHED_BYTES) return undefined;
    const handle = await openRegularFile(whole);
    try {
      const bytes = await handle.readFile();
      const decoded = decodeText(bytes);
      if (decoded.kind === "text") return decoded.original;
      return decoded.kind === "binary" ? undefined : bytes.toString("utf8");
    } finally {
      await handle.close();
    }
  } catch (error) {
    outcome.problems.push(`${path}: ${describeError(error)}`);
    return undefined;
  }
}

async function isLarge(folder: string, file: string): Promise<boolean> {
  return (await lstat(join(folder, file))).size > MAX_SEARCHED_BYTES;
}

/** Searches a file that was named, line by line as it is read. */
async function searchLarge(
  folder: string,
  path: string,
  search: Search,
  { deadline, signal }: { deadline: number; signal: AbortSignal },
): Promise<void> {
  const { outcome } = search;
  let number = 0;
  const splitter = createLineSplitter((line) => searchLine(line.toString("utf8"), ++number, path, search));
  const handle = await openRegularFile(join(folder, path));
  try {
    const chunk = Buffer.alloc(CHUNK_BYTES);
    let endsInNewline = true;
    while (outcome.cutBy === undefined) {
      signal.throwIfAborted();
      if (Date.now() > deadline) outcome.cutBy = "time";
      const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, null);
      if (bytesRead === 0) break;
      endsInNewline = chunk[bytesRead - 1] === 0x0a;
      // What the splitter keeps must outlast the chunk.
      const bytes = Buffer.from(chunk.subarray(0, bytesRead));
      search.within(() => splitter(bytes));
    }
    if (outcome.cutBy === undefined && !endsInNewline) search.within(() => splitter(Buffer.from("\n")));
  } finally {
    await handle.close();
  }
}

function searchText(text: string, path: string, search: Search): void {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  for (const [index, line] of lines.entries()) {
    if (!searchLine(line, index + 1, path, search)) return;
  }
}

/** False once there are enough hits. */
function searchLine(written: string, number: number, path: string, { expression, outcome }: Search): boolean {
  const line = (written.endsWith("\r") ? written.slice(0, -1) : written).normalize("NFC");
  const match = expression.exec(line);
  if (match === null) return true;
  const end = match.index + match[0].length;
  addHit(outcome, path, { line: number, text: cutAround(line, match.index, end) });
  if (outcome.total < MAX_HITS) return true;
  outcome.cutBy = "count";
  return false;
}
