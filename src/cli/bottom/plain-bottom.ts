import { noProgress } from "../render/progress.js";
import { columnsOf, createLineWriter, widthOf } from "../render/terminal.js";
import type { OutputStream } from "../render/terminal.js";
import type { Bottom } from "./bottom.js";

/**
 * For terminals, and people, on which nothing may move: what is printed, and what is typed as it is typed. What was
 * taken away is rubbed out with backspaces; a foot that changes otherwise is written again on a new line.
 */
export function createPlainBottom(output: OutputStream & { rows?: number }): Bottom {
  const writer = createLineWriter(output);
  const nothing = () => undefined;
  /** What stands of the foot on the last line; undefined while there is none. */
  let foot: string | undefined;

  /** Begins a new line if the foot stands on the last one; it comes back when it changes. */
  function write(text: string): void {
    if (foot !== undefined) writer.endLine();
    foot = undefined;
    writer.write(text);
  }

  function becomes(text: string): void {
    const shown = foot ?? "";
    if (foot === undefined) writer.endLine();
    foot = text;
    if (text.startsWith(shown)) {
      writer.write(text.slice(shown.length));
    } else if (shown.startsWith(text) && !shown.slice(text.length).includes("\n")) {
      writer.write("\b \b".repeat(widthOf(shown.slice(text.length))));
    } else {
      writer.endLine();
      writer.write(text);
    }
  }

  return {
    print(...lines) {
      if (lines.length > 0) write("");
      writer.lines(...lines);
    },
    write,
    endLine: () => writer.endLine(),
    setLive: nothing,
    setFoot(area) {
      if (area === undefined) write("");
      else becomes(area.rows.join("\n"));
    },
    leaveFoot(...lines) {
      if (lines.length > 0) becomes(lines.join("\n"));
      writer.endLine();
      foot = undefined;
    },
    isPlain: true,
    redraw: nothing,
    forget: nothing,
    send(sequence) {
      output.write(sequence);
    },
    progress: noProgress,
    get columns() {
      return columnsOf(output);
    },
    get rows() {
      return output.rows || 24;
    },
    flush: nothing,
    hide: () => write(""),
    show: nothing,
    close: () => write(""),
  };
}
