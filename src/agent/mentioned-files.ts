import type { Policy, ResolvedPath } from "../permissions/access.js";
import type { Tool, ToolContext } from "../tools/tool.js";
import { showControlTokens } from "./control-tokens.js";

/** What it takes to read a file for the user as the model would. */
export interface FileReading {
  tools: readonly Tool[];
  policy: Policy;
  /** Most characters of all files together. */
  maxChars: () => number;
}

interface Reader extends FileReading {
  workspaceRoot: string;
  signal: AbortSignal;
}

/** "@path" or "@"path with blanks"", where a word may begin. */
const MENTION = /(?<=^|[\s([{<,;"'，。；：（「“])@(?:"([^"\n]+)"|([^\s"]+))/gu;
/** What may stand right behind a path in a sentence. */
const CLOSING = /[.,;:!?)\]}>'"，。；：！？）」”]+$/u;

/** The header of a file that was read to its end; a line of it may still have been cut. */
const WHOLE_FILE = /^.* lines 1-(\d+) of \1\b/;
const CUT_LINE = /\[… line cut/;

/**
 * Adds the content of the files that a message names behind "@", each as read_file gives it, to its end. Left out is
 * what cannot be read to its end, what a question would be asked about, and what does not fit; the name stays.
 */
export async function withMentionedFiles(text: string, reader: Reader): Promise<string> {
  const found = new Map<string, string>();
  let left = reader.maxChars();
  for (const path of mentionedPaths(text)) {
    const content = await read(path, left, reader);
    if (content === undefined || [...found.values()].includes(content)) continue;
    found.set(path, content);
    left -= content.length;
  }
  return [text, ...found.values()].join("\n\n");
}

/** A path may end in a mark that belongs to the sentence: both readings, the whole first. */
function mentionedPaths(text: string): string[] {
  const paths = [...text.matchAll(MENTION)].flatMap(([, quoted, plain = ""]) =>
    quoted === undefined ? [plain, plain.replace(CLOSING, "")] : [quoted],
  );
  return [...new Set(paths)].filter((path) => path !== "");
}

async function read(path: string, maxChars: number, reader: Reader): Promise<string | undefined> {
  const tool = reader.tools.find(({ name }) => name === "read_file");
  if (!tool || maxChars <= 0) return undefined;
  const verdict = await reader.policy.judge({ kind: "read", path });
  if (verdict.verdict !== "allow" || verdict.path?.kind !== "file") return undefined;
  const result = await tool.run({ path }, contextFor(verdict.path, reader));
  const content = showControlTokens(result.output);
  const isWhole = result.status === "ok" && WHOLE_FILE.test(content) && !CUT_LINE.test(content);
  return isWhole && content.length <= maxChars ? content : undefined;
}

function contextFor(path: ResolvedPath, { workspaceRoot, signal, maxChars }: Reader): ToolContext {
  return {
    workspaceRoot,
    signal,
    maxOutputChars: maxChars(),
    readsOnly: true,
    network: false,
    path: () => path,
    saw: () => undefined,
    onOutput: () => undefined,
  };
}
