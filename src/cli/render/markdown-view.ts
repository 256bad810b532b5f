import type { Bottom } from "../bottom/bottom.js";
import type { LazyHighlighter } from "../markdown/highlighter.js";
import { createLook } from "../markdown/look.js";
import { createMarkdownStream } from "../markdown/markdown-stream.js";
import { createAnswerView } from "./answer-view.js";
import type { AnswerView } from "./answer-view.js";
import { widthOf, withoutStyles, withoutTabs, wrap } from "./terminal.js";
import type { TerminalTraits } from "./terminal.js";

export interface MarkdownViewOptions {
  bottom: Bottom;
  traits: Pick<TerminalTraits, "colourLevel" | "unicode">;
  highlighter: LazyHighlighter;
  /** Called before anything of a reply is shown. */
  onBegin: () => void;
}

/** Replies as Markdown on a terminal. What is final is printed; what may still change stands in the live rows. */
export function createMarkdownView({
  bottom,
  traits,
  highlighter,
  onBegin,
}: MarkdownViewOptions): AnswerView {
  // The rightmost column of what may change stays empty.
  const columns = () => bottom.columns - 1;
  const markdown = createMarkdownStream({ look: createLook(traits), columns, highlighter: highlighter.get });
  /** The live rows as they were made last, and the width they were made for. */
  let live: { rows: readonly string[]; columns: number } | undefined;

  function liveRows(): readonly string[] {
    if (live?.columns !== columns()) {
      const text = markdown.open();
      const rows = text === "" ? [] : text.slice(0, -1).split("\n");
      live = { rows: rows.flatMap((row) => fitted(row, columns())), columns: columns() };
    }
    return live.rows;
  }

  return createAnswerView({
    onBegin,
    // While the model reads is the time to load it.
    onRestart() {
      if (traits.colourLevel > 0) highlighter.load();
    },
    add(text) {
      bottom.write(markdown.write(text));
      live = undefined;
      bottom.setLive(liveRows);
    },
    finish() {
      bottom.setLive([]);
      bottom.write(markdown.end());
      bottom.endLine();
    },
  });
}

/** A row in as many as it needs. */
function fitted(row: string, columns: number): string[] {
  const spaced = withoutTabs(row);
  return widthOf(withoutStyles(spaced)) > columns ? wrap(spaced, columns) : [spaced];
}
