import type { Bottom } from "../bottom/bottom.js";
import { widthOfText } from "../markdown/wrap-spans.js";
import type { LazyHighlighter } from "../markdown/highlighter.js";
import { createLook } from "../markdown/look.js";
import { createMarkdownStream } from "../markdown/markdown-stream.js";
import { createAnswerStream } from "./answer-stream.js";
import { wrap } from "./terminal.js";
import type { TerminalTraits } from "./terminal.js";

/** The words of the model on a terminal, as Markdown, one reply after another. */
export interface AnswerView {
  /** Whether some of the reply has been shown. */
  readonly open: boolean;
  write(delta: string): void;
  /** Ends the reply; all of it is printed. */
  end(): void;
  /** Shows a text that did not come in as a reply. */
  show(text: string): void;
  /** Whether the text came in already. */
  holds(text: string): boolean;
  /** Forgets what came in. */
  restart(): void;
}

export interface AnswerViewOptions {
  bottom: Bottom;
  traits: Pick<TerminalTraits, "colourLevel" | "unicode">;
  highlighter: LazyHighlighter;
  /** Called before anything of a reply is shown. */
  onBegin: () => void;
}

/** What is final is printed; what may still change stands in the live rows above the spinner. */
export function createAnswerView({ bottom, traits, highlighter, onBegin }: AnswerViewOptions): AnswerView {
  const look = createLook(traits);
  // The rightmost column of what may change stays empty.
  const columns = () => bottom.columns - 1;
  const markdown = createMarkdownStream({ look, columns, highlighter: highlighter.get });
  let spoken = createAnswerStream();
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

  function add(text: string): void {
    if (text === "") return;
    bottom.write(markdown.write(text));
    live = undefined;
    bottom.setLive(liveRows);
  }

  function write(delta: string): void {
    const begins = !spoken.open;
    const text = spoken.write(delta);
    if (text === "") return;
    if (traits.colourLevel > 0) highlighter.load();
    if (begins) onBegin();
    add(text);
  }

  function end(): void {
    add(spoken.end());
    bottom.setLive([]);
    bottom.write(markdown.end());
    bottom.endLine();
  }

  return {
    get open() {
      return spoken.open;
    },
    write,
    end,
    show(text) {
      write(text);
      end();
    },
    holds: (text) => spoken.holds(text),
    restart() {
      spoken = createAnswerStream();
    },
  };
}

/** A row in as many as it needs, with spaces for its tabs. */
function fitted(row: string, columns: number): string[] {
  const spaced = row.replaceAll("\t", "        ");
  return widthOfText(spaced) > columns ? wrap(spaced, columns) : [spaced];
}
