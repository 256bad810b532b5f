import type { StreamParser } from "@codemirror/streamparser";
import type { Span } from "./span.js";

/** Where the highlighting of a block of code stands between two lines. It is never changed. */
export interface CodeState {
  parser: StreamParser<unknown>;
  state: unknown;
}

/** Colours code line by line. */
export interface Highlighter {
  /** Undefined for a language that is not known. */
  begin(language: string): CodeState | undefined;
  line(text: string, before: CodeState): { spans: Span[]; after: CodeState };
}

/** A highlighter that is loaded when it is first wanted; code that comes before that has no colours. */
export interface LazyHighlighter {
  load: () => void;
  get: () => Highlighter | undefined;
}

export function createLazyHighlighter(): LazyHighlighter {
  let highlighter: Highlighter | undefined;
  let isLoading = false;
  async function load(): Promise<void> {
    const { createHighlighter } = await import("./highlight.js");
    highlighter = createHighlighter();
  }
  return {
    load() {
      // Code without colours is still code.
      if (!isLoading) load().catch(() => undefined);
      isLoading = true;
    },
    get: () => highlighter,
  };
}
