import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { listTree } from "./file-listing.js";
import type { ListingOptions } from "./file-listing.js";
import { createLineSplitter } from "./line-splitter.js";
import { openRegularFile } from "./open-file.js";
import { addHit, cutAround, MAX_HITS, MAX_SEARCHED_BYTES, SEARCH_TIMEOUT_MS } from "./search-hits.js";
import type { SearchAnswer, SearchOutcome, SearchRequest } from "./search-hits.js";
import { decodeText } from "./text-file.js";
import { describeError } from "./tool-failure.js";

const FILES_AT_ONCE = 16;
const CHUNK_BYTES = 1024 * 1024;

/**
 * The same search without ripgrep. Patterns are JavaScript regular expressions; the differences are rare (inline
 * flags such as `(?i)` are unknown here and lead to a literal search).
 */
export async function searchWithoutRipgrep(
  request: SearchRequest,
  options: ListingOptions,
): Promise<SearchAnswer> {
  const expression = compile(request);
  if (typeof expression === "string") return { invalidPattern: expression };
  const outcome: SearchOutcome = { files: new Map(), total: 0, problems: [] };
  const deadline = Date.now() + SEARCH_TIMEOUT_MS;
  if (request.file !== undefined && (await isLarge(request.folder, request.file))) {
    await searchLarge(request.folder, request.file, expression, outcome, {
      deadline,
      signal: options.signal,
    });
    return outcome;
  }
  const paths = await filesOf(request, options, outcome);
  for (let at = 0; at < paths.length && outcome.cutBy === undefined; at += FILES_AT_ONCE) {
    options.signal.throwIfAborted();
    if (Date.now() > deadline) outcome.cutBy = "time";
    const batch = paths.slice(at, at + FILES_AT_ONCE);
    const texts = await Promise.all(batch.map((path) => searchable(request.folder, path, outcome)));
    for (const [index, path] of batch.entries()) {
      if (outcome.cutBy === undefined) searchText(texts[index] ?? "", path, expression, outcome);
    }
  }
  return outcome;
}

/** The expression, or what is wrong with the pattern. */
function compile({ pattern, literal }: SearchRequest): RegExp | string {
  const source = literal ? pattern.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&") : pattern;
  try {
    return new RegExp(source, "u");
  } catch {
    // Without "u" more escapes are accepted, such as \- and \_.
  }
  try {
    return new RegExp(source);
  } catch (error) {
    return describeError(error);
  }
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
      if (decoded.kind === "text") return decoded.text;
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
  expression: RegExp,
  outcome: SearchOutcome,
  { deadline, signal }: { deadline: number; signal: AbortSignal },
): Promise<void> {
  let number = 0;
  const splitter = createLineSplitter((bytes) => {
    const line = bytes.toString("utf8").replace(/\r$/, "");
    return searchLine(line, ++number, path, expression, outcome);
  });
  const handle = await openRegularFile(join(folder, path));
  try {
    const chunk = Buffer.alloc(CHUNK_BYTES);
    let wants = true;
    let endsInNewline = true;
    while (wants) {
      signal.throwIfAborted();
      if (Date.now() > deadline) outcome.cutBy = "time";
      const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, null);
      if (outcome.cutBy !== undefined || bytesRead === 0) break;
      endsInNewline = chunk[bytesRead - 1] === 0x0a;
      // What the splitter keeps must outlast the chunk.
      wants = splitter(Buffer.from(chunk.subarray(0, bytesRead)));
    }
    if (wants && !endsInNewline) splitter(Buffer.from("\n"));
  } finally {
    await handle.close();
  }
}

function searchText(text: string, path: string, expression: RegExp, outcome: SearchOutcome): void {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  for (const [index, line] of lines.entries()) {
    if (!searchLine(line, index + 1, path, expression, outcome)) return;
  }
}

/** False once there are enough hits. */
function searchLine(
  line: string,
  number: number,
  path: string,
  expression: RegExp,
  outcome: SearchOutcome,
): boolean {
  const match = expression.exec(line);
  if (match === null) return true;
  const end = match.index + match[0].length;
  addHit(outcome, path, { line: number, text: cutAround(line, match.index, end) });
  if (outcome.total < MAX_HITS) return true;
  outcome.cutBy = "count";
  return false;
}
