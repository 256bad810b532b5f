import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { z } from "zod";
import type { ResolvedPath } from "../permissions/access.js";
import { imageKind } from "./image-file.js";
import { endsLinesWithCr, linesToLf } from "./line-endings.js";
import type { FileMemory } from "./file-memory.js";
import { missingPath } from "./nearest-paths.js";
import { MAX_TEXT_BYTES, openRegularFile } from "./open-file.js";
import { readImage } from "./read-image.js";
import { CUT_MARK_END, cutMark, readLines } from "./read-lines.js";
import type { LineLimits, LineWindow } from "./read-lines.js";
import { decodeText, hashOf, unicodeEncoding } from "./text-file.js";
import { failure, fileFailure } from "./tool-failure.js";
import { defineTool } from "./tool.js";
import type { Tool, ToolContext, ToolResult } from "./tool.js";

/** A file up to this length is shown whole, a longer one by windows. */
const WHOLE_FILE_LINES = 250;
const WINDOW_LINES = 200;
const MAX_LINE_CHARS = 2_000;
/** Left of the result for the header and the footer. */
const FRAME_CHARS = 400;
/** A NUL among the first bytes makes a file binary, as for git. */
const BINARY_CHECK_BYTES = 8_000;
/** Enough for the header of an image, behind what cameras write before it. */
const START_BYTES = 256 * 1024;

const schema = z.object({
  path: z.string(),
  start_line: z.int().nullish(),
  end_line: z.int().nullish(),
});

interface ReadFileOptions {
  memory: FileMemory;
  /** For git, which lists the files when a path does not exist. */
  env: NodeJS.ProcessEnv;
}

export function createReadFileTool({ memory, env }: ReadFileOptions): Tool {
  return defineTool({
    name: "read_file",
    description: "Read a text file. Of a long file it shows 200 lines and the next start_line.",
    schema,
    effect: "read",
    touches: ({ path }) => [{ kind: "read", path }],
    async run(args, context) {
      const path = context.path(args.path);
      if (path.kind === "missing") return missingPath(path, context, env);
      if (path.kind === "directory") {
        return failure(`${path.display} is a folder.`, "List it with list_files.");
      }
      try {
        const handle = await openRegularFile(path.real);
        try {
          return await show(handle, path, args, context, memory);
        } finally {
          await handle.close();
        }
      } catch (error) {
        context.signal.throwIfAborted();
        return fileFailure(`${path.display} cannot be read`, error);
      }
    },
  });
}

async function show(
  handle: FileHandle,
  { real, display }: ResolvedPath,
  args: z.infer<typeof schema>,
  context: ToolContext,
  memory: FileMemory,
): Promise<ToolResult> {
  const start = await readStart(handle, START_BYTES);
  if (start.length === 0) {
    memory.saw(context, real, hashOf(start));
    return {
      status: "ok",
      output: `${display} is empty (0 lines).`,
      found: { lines: { from: 0, to: 0, total: 0 } },
    };
  }
  // Some systems tell no size of files that they make up as they are read.
  const { size: told } = await handle.stat();
  const size = told > 0 ? told : MAX_TEXT_BYTES;
  const image = imageKind(start);
  if (image !== undefined) {
    return readImage(
      handle,
      { name: display, kind: image, start, bytes: told },
      context.maxImageTokens?.(image.mediaType),
    );
  }
  const { encoding } = unicodeEncoding(start);
  if (isPdf(start) || (encoding === "utf-8" && start.subarray(0, BINARY_CHECK_BYTES).includes(0))) {
    return failure(
      `${display} is a ${isPdf(start) ? "PDF document" : "binary file"} of ${told} bytes.`,
      isPdf(start)
        ? "Its text can be had with run_command, for example with pdftotext."
        : "It has no text to read. run_command can examine it, for example with file or xxd.",
    );
  }

  // Small models write 0 for "from the start" and 0 or -1 for "to the end".
  const first = Math.max(1, args.start_line ?? 1);
  const end = args.end_line ?? 0;
  const givenLast = end > 0 ? end : undefined;
  if (givenLast !== undefined && givenLast < first) {
    return failure(`end_line ${givenLast} is before start_line ${first}.`, "Give end_line a larger number.");
  }
  const ranged = first > 1 || givenLast !== undefined;
  const last = givenLast ?? first - 1 + (ranged ? WINDOW_LINES : WHOLE_FILE_LINES);
  const limits = {
    lineChars: Math.min(MAX_LINE_CHARS, Math.floor(context.maxOutputChars / 2)),
    totalChars: Math.max(1, context.maxOutputChars - FRAME_CHARS),
    bytes: size,
  };
  const hash = createHash("sha256");
  const streamed = await readLines(handle, first, last, limits, context.signal, (chunk) => {
    if (size <= MAX_TEXT_BYTES) hash.update(chunk);
  });
  const needsDecoding = streamed.lossy || encoding !== "utf-8" || endsLinesWithCr(start.toString("latin1"));
  const decoded = needsDecoding ? await readDecoded(handle, size, first, last, limits) : undefined;
  if (decoded === undefined && encoding !== "utf-8") {
    return failure(
      `${display} is UTF-16 and too large to read here (${size} bytes).`,
      "Convert it with run_command and iconv, then read the copy.",
    );
  }
  const window = decoded ?? streamed;
  if (first > window.total) {
    return failure(
      `${display} has only ${window.total} ${window.total === 1 ? "line" : "lines"}; start_line ${first} is past its end.`,
      "Give a smaller start_line.",
    );
  }
  // Only what can be changed here needs to be known again.
  if (told > 0 && told <= MAX_TEXT_BYTES) memory.saw(context, real, hash.digest("hex"));
  if (!ranged && window.total > WHOLE_FILE_LINES)
    window.lines.length = Math.min(window.lines.length, WINDOW_LINES);
  return { status: "ok", ...frame(display, window, first, givenLast, limits.totalChars) };
}

async function readStart(handle: FileHandle, most: number): Promise<Buffer> {
  const bytes = Buffer.alloc(most);
  const { bytesRead } = await handle.read(bytes, 0, most, 0);
  return bytes.subarray(0, bytesRead);
}

function isPdf(start: Buffer): boolean {
  return start.toString("latin1", 0, 5) === "%PDF-";
}

interface DecodedWindow extends LineWindow {
  encoding?: string;
}

/** Lines of a file that is not UTF-8. Such files are rare and small: read whole. */
async function readDecoded(
  handle: FileHandle,
  size: number,
  first: number,
  last: number,
  { lineChars }: LineLimits,
): Promise<DecodedWindow | undefined> {
  if (size > MAX_TEXT_BYTES) return undefined;
  const bytes = await readStart(handle, size);
  const decoded = decodeText(bytes);
  const { encoding: unicode } = unicodeEncoding(bytes);
  const lossy = decoded.kind !== "text";
  if (lossy && unicode === "utf-8") return undefined;
  const text = lossy ? linesToLf(new TextDecoder(unicode).decode(bytes)) : decoded.text;
  const encoding = lossy ? unicode : decoded.encoding;
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const shown = lines
    .slice(first - 1, last)
    .map((line) =>
      line.length <= lineChars ? line : `${line.slice(0, lineChars)}${cutMark(line.length, "characters")}`,
    );
  return { lines: shown, total: lines.length, lossy, encoding };
}

/** The header, as many lines as there is room for, and how to go on. */
function frame(
  display: string,
  window: DecodedWindow,
  first: number,
  givenLast: number | undefined,
  room: number,
): Pick<ToolResult, "output" | "found"> {
  let chars = 0;
  let count = window.lines.findIndex((line) => (chars += line.length + 1) > room);
  if (count === -1) count = window.lines.length;
  count = Math.max(1, count);
  const last = first + count - 1;
  const isPlain = window.encoding === undefined || window.encoding === "utf-8" || window.lossy;
  const encoding = isPlain ? "" : ` (${window.encoding})`;
  const lossy = window.lossy
    ? ` (some bytes are not ${window.encoding ?? "UTF-8"} and are shown as \uFFFD)`
    : "";
  const header = `${display} lines ${first}-${last} of ${window.total}${encoding}${lossy}`;
  const footer: string[] = [];
  if (last < Math.min(givenLast ?? Infinity, window.total)) footer.push(`[next: start_line=${last + 1}]`);
  if (window.lines.slice(0, count).some((line) => line.endsWith(CUT_MARK_END)))
    footer.push("[a cut line has more: search_code with this path shows the part around a match]");
  return {
    output: [header, ...window.lines.slice(0, count), ...footer].join("\n"),
    found: { lines: { from: first, to: last, total: window.total } },
  };
}
