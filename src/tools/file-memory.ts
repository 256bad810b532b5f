import type { ToolContext } from "./tool.js";

/** What the tools of one session know of files, by real path: what the model saw of them, and which edits missed. */
export interface FileMemory {
  /** The model has read this content in a call, or written it. */
  saw(context: ToolContext, real: string, hash: string): void;
  /** What the content is to the model. */
  compare(real: string, hash: string): "unread" | "as-seen" | "changed";
  /** The user is shown a change of this content ("" for no file) and may take time to answer. */
  showed(context: ToolContext, hash: string): void;
  /** The content has changed since the user was shown a change of it in this call. */
  changedSinceShown(context: ToolContext, hash: string): boolean;
  /** Counts edits of the file that found no place since the last change of it. */
  missed(real: string): number;
  /** A change has landed. */
  landed(real: string): void;
}

/** @param known hash by path of what the model saw in an earlier part of the session */
export function createFileMemory(known: ReadonlyMap<string, string> = new Map()): FileMemory {
  const seen = new Map(known);
  const misses = new Map<string, number>();
  const shown = new WeakMap<ToolContext, string>();
  return {
    saw(context, real, hash) {
      seen.set(real, hash);
      context.saw(real, hash);
    },
    compare(real, hash) {
      const known = seen.get(real);
      if (known === undefined) return "unread";
      return known === hash ? "as-seen" : "changed";
    },
    showed(context, hash) {
      shown.set(context, hash);
    },
    changedSinceShown(context, hash) {
      return (shown.get(context) ?? hash) !== hash;
    },
    missed(real) {
      const count = (misses.get(real) ?? 0) + 1;
      misses.set(real, count);
      return count;
    },
    landed(real) {
      misses.delete(real);
    },
  };
}
