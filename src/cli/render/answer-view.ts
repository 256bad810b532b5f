import { createAnswerStream } from "./answer-stream.js";
import type { LineWriter } from "./terminal.js";

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

/** Replies as they come in, for what is no terminal. */
export function createRawAnswerView(writer: LineWriter, onBegin: () => void): AnswerView {
  return createAnswerView({ onBegin, add: writer.write, finish: writer.endLine });
}

/** `add` gets what can be shown of a reply, `finish` is called at the end of one of which something was shown. */
export function createAnswerView(shows: {
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
