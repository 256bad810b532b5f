import type { Bottom } from "../bottom/bottom.js";
import type { LazyHighlighter } from "../markdown/highlighter.js";
import { createLook } from "../markdown/look.js";
import { createMarkdownStream } from "../markdown/markdown-stream.js";
import { createAnswerStream } from "./answer-stream.js";
import { widthOf, wrap } from "./terminal.js";
import type { LineWriter, TerminalTraits } from "./terminal.js";

/** The words of the model, one reply after another. */
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
  /** A turn begins: what came in is forgotten. */
  restart(): void;
}

export interface AnswerViewOptions {
  bottom: Bottom;
  traits: Pick<TerminalTraits, "colourLevel" | "unicode">;
  highlighter: LazyHighlighter;
  /** Called before anything of a reply is shown. */
  onBegin: () => void;
}

/** Replies as they come in, for what is no terminal. */
export function createRawAnswerView(writer: LineWriter, onBegin: () => void): AnswerView {
  return createView({ onBegin, add: writer.write, finish: writer.endLine });
}

/** Replies as Markdown on a terminal. What is final is printed; what may still change stands in the live rows. */
export function createAnswerView({ bottom, traits, highlighter, onBegin }: AnswerViewOptions): AnswerView {
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

  return createView({
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

/** `add` gets what can be shown of a reply, `finish` is called at the end of one of which something was shown. */
function createView(shows: {
  onBegin: () => void;
  onRestart?: () => void;
  add: (text: string) => void;
  finish: () => void;
}): AnswerView {
  let spoken = createAnswerStream();

  function write(delta: string): void {
    const begins = !spoken.open;
    const text = spoken.write(delta);
    if (text === "") return;
    if (begins) shows.onBegin();
    shows.add(text);
  }

  function end(): void {
    const wasOpen = spoken.open;
    const rest = spoken.end();
    if (rest !== "") shows.add(rest);
    if (wasOpen || rest !== "") shows.finish();
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
      shows.onRestart?.();
    },
  };
}

/** A style of ours; it takes no cell. */
const STYLE = /\x1b\[\d+m/g;

/** A row in as many as it needs, with spaces for its tabs. */
function fitted(row: string, columns: number): string[] {
  const spaced = row.replaceAll("\t", "        ");
  return widthOf(spaced.replace(STYLE, "")) > columns ? wrap(spaced, columns) : [spaced];
}
