import { createPrintableStream } from "../../printable.js";

/** The output of a command as it comes: how many lines there are, and the last of them. */
export interface CommandOutput {
  write(chunk: string): void;
  /** The last lines, with the one that has not ended yet; printable. */
  last(most: number): string[];
  /** Ends the line that stands open. */
  end(): void;
  readonly lines: number;
}

/** Lines that are remembered. */
const KEPT = 40;

export function createCommandOutput(): CommandOutput {
  const safe = createPrintableStream();
  let kept: string[] = [];
  let open = "";
  let lines = 0;
  /** A carriage return alone: what comes next is written over the line, as progress bars do. */
  let returned = false;
  /** May be the first half of a CRLF. */
  let held = "";

  function endLine(): void {
    kept = [...kept, open].slice(-KEPT);
    lines++;
    open = "";
    returned = false;
  }

  function take(text: string): void {
    if (text === "") return;
    const parts = text.split("\n");
    for (const [index, part] of parts.entries()) {
      if (index > 0) endLine();
      if (part === "") continue;
      open = returned ? part : open + part;
      returned = false;
    }
  }

  return {
    write(chunk) {
      const text = held + chunk;
      held = text.endsWith("\r") ? "\r" : "";
      const whole = held === "" ? text : text.slice(0, -1);
      for (const [index, piece] of whole.split(/\r(?!\n)/).entries()) {
        if (index > 0) {
          // Ends a sequence that stands open, as it does where it is a line end.
          safe.write("\r");
          returned = true;
        }
        take(safe.write(piece));
      }
    },
    last: (most) => [...kept, ...(open === "" ? [] : [open])].slice(-most),
    end() {
      take(safe.end());
      if (open !== "") endLine();
    },
    get lines() {
      return lines;
    },
  };
}
