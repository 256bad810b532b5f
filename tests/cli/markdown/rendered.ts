import { createHighlighter } from "../../../src/cli/markdown/highlight.js";
import { createLook } from "../../../src/cli/markdown/look.js";
import { createMarkdownStream } from "../../../src/cli/markdown/markdown-stream.js";

export interface Rendering {
  columns?: number;
  colourLevel?: 0 | 1;
  unicode?: boolean;
}

const highlighter = createHighlighter();

export function markdownStream({ columns = 40, colourLevel = 1, unicode = true }: Rendering = {}) {
  return createMarkdownStream({
    look: createLook({ colourLevel, unicode }),
    columns: () => columns,
    highlighter: () => highlighter,
  });
}

/** A whole text, with the sequences of its styles. */
export function painted(text: string, rendering?: Rendering): string {
  const stream = markdownStream(rendering);
  return stream.write(text) + stream.end();
}

/** The lines that a whole text is shown in, without styles. */
export function shown(text: string, rendering?: Rendering): string[] {
  return withoutStyles(painted(text, rendering)).split("\n").slice(0, -1);
}

export function withoutStyles(text: string): string {
  return text.replace(/\x1b\[\d+m/g, "");
}
