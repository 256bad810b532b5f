import { listTree } from "../../tools/file-listing.js";
import { mentionOf } from "../editor/completion.js";
import type { CompletionItem } from "../editor/completion.js";
import { fuzzyCandidate, fuzzyMatches } from "../editor/fuzzy-match.js";
import type { FuzzyCandidate } from "../editor/fuzzy-match.js";

/** Milliseconds; an older list is read again when it is next asked for, and used meanwhile. */
const FRESH_MS = 3_000;
const MOST_ITEMS = 50;

/** The files and folders of the workspace behind "@", by git's ignore rules. */
export interface FileCompletion {
  items(query: string): CompletionItem[];
  close(): void;
}

export function createFileCompletion(options: {
  workspaceRoot: string;
  env: NodeJS.ProcessEnv;
  /** A list has come, or a newer one. */
  onChange: () => void;
}): FileCompletion {
  const { workspaceRoot, env, onChange } = options;
  const ended = new AbortController();
  let candidates: FuzzyCandidate[] = [];
  let readAt = -Infinity;
  let isReading = false;

  async function read(): Promise<void> {
    isReading = true;
    try {
      const { files } = await listTree(workspaceRoot, { root: workspaceRoot, env, signal: ended.signal });
      candidates = [...foldersOf(files), ...files].map(fuzzyCandidate);
    } catch {
      // A folder that cannot be listed offers nothing; why, the tools say when they need it.
      candidates = [];
    }
    isReading = false;
    readAt = performance.now();
    if (!ended.signal.aborted) onChange();
  }

  return {
    items(query) {
      if (!isReading && performance.now() - readAt > FRESH_MS) void read();
      return fuzzyMatches(query, candidates, MOST_ITEMS).map(({ text }) => ({
        label: text,
        text: text.endsWith("/") ? mentionOf(text) : `${mentionOf(text)} `,
      }));
    },
    close: () => ended.abort(),
  };
}

function foldersOf(files: readonly string[]): string[] {
  const folders = new Set<string>();
  for (const file of files) {
    for (let end = file.lastIndexOf("/"); end > 0; end = file.lastIndexOf("/", end - 1)) {
      const folder = file.slice(0, end + 1);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return [...folders].sort();
}
