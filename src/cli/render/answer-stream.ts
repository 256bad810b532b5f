import { createPrintableStream } from "../../printable.js";

/** The words of the model as they come in: printable, and each reply without blank lines at its ends. */
export interface AnswerStream {
  /** Whether some of the reply has been shown. */
  readonly open: boolean;
  /** What can be shown of the reply so far. */
  write(delta: string): string;
  /** Ends the reply; the rest of it. */
  end(): string;
  /** Whether the text came in already. */
  holds(text: string): boolean;
}

export function createAnswerStream(): AnswerStream {
  const safe = createPrintableStream();
  let raw = "";
  let open = false;
  /** Blanks that are shown only if more follows. */
  let held = "";

  function show(added: string): string {
    const text = open ? held + added : added.trimStart();
    const shown = text.trimEnd();
    held = text.slice(shown.length);
    open ||= shown !== "";
    return shown;
  }

  return {
    get open() {
      return open;
    },
    write(delta) {
      raw += delta;
      return show(safe.write(delta));
    },
    end() {
      const rest = show(safe.end());
      open = false;
      return rest;
    },
    holds: (text) => raw.includes(text.trim()),
  };
}
