import type { Messages } from "../messages/catalogue.js";
import type { Progress } from "../render/progress.js";
import type { Area, PaintedStream } from "./painter.js";
import { createPainter } from "./painter.js";
import { createSpinner } from "./spinner.js";

/**
 * The one writer of an interactive session. What is printed scrolls away; below it stands an area that changes: live
 * rows, the spinner, the editor or a question. Texts are printable and close their own styles.
 */
export interface Bottom {
  /** Lines of their own. */
  print(...lines: string[]): void;
  /** Goes on with the line that stands open; "\n" ends it. */
  write(text: string): void;
  /** Ends the open line if anything stands on it. */
  endLine(): void;
  /**
   * Rows above the spinner that may change until they are printed or dropped; each is cut to the width. A function is
   * asked for them whenever the area is drawn.
   */
  setLive(rows: readonly string[] | (() => readonly string[])): void;
  /** What the keyboard belongs to: the editor, a question, a list. `fit`: sets it anew for another size of the window. */
  setFoot(foot: Area | undefined, fit?: () => void): void;
  /** Takes the foot away; these lines, with which it ended, are printed. */
  leaveFoot(...lines: string[]): void;
  /** Nothing is drawn over: rows are not broken to the width, and there are no menus. */
  readonly isPlain: boolean;
  /** Draws the area anew. */
  redraw(): void;
  /** Draws the area anew where the cursor is: others have written to the terminal. */
  forget(): void;
  readonly progress: Progress;
  readonly columns: number;
  readonly rows: number;
  /** Writes what is waiting to be written. */
  flush(): void;
  /** Takes the area away and holds back what is printed, until `show`: the terminal belongs to others. */
  hide(): void;
  show(): void;
  /** Writes a sequence that shows nothing, such as a bell. */
  send(sequence: string): void;
  close(): void;
}

export interface BottomOptions {
  output: PaintedStream & Pick<NodeJS.EventEmitter, "on" | "off">;
  messages: Messages;
  styles: { spinner: (text: string) => string };
}

/** Milliseconds between two paints of output; a key is shown at once. */
const FRAME_MS = 16;

export function createBottom({ output, messages, styles }: BottomOptions): Bottom {
  const painter = createPainter(output);
  let text = "";
  let lineIsOpen = false;
  let live: readonly string[] | (() => readonly string[]) = [];
  let spinning = "";
  let foot: Area | undefined;
  let fitFoot = (): void => undefined;
  let hidden = false;
  /** What comes later comes from work that was left behind. */
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let paintedAt = 0;

  const columns = () => output.columns || 80;

  function area(): Area {
    const above = [...(typeof live === "function" ? live() : live), ...(spinning === "" ? [] : [spinning])];
    if (foot === undefined) {
      return { rows: above, cursor: { row: Math.max(0, above.length - 1), column: 0 } };
    }
    const rows = [...above, ...foot.rows];
    return { rows, cursor: { row: above.length + foot.cursor.row, column: foot.cursor.column } };
  }

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    // While it is hidden, and in the end, the terminal belongs to others.
    if (hidden || closed) return;
    paintedAt = performance.now();
    const added = text;
    text = "";
    painter.paint(added, area());
  }

  function soon(): void {
    timer ??= setTimeout(flush, Math.max(0, paintedAt + FRAME_MS - performance.now()));
  }

  function write(added: string): void {
    if (added === "") return;
    text += added;
    lineIsOpen = !added.endsWith("\n");
    soon();
  }

  function endLine(): void {
    if (lineIsOpen) write("\n");
  }

  function onResize(): void {
    if (!hidden) painter.resized();
    flush();
    fitFoot();
  }

  const spinner = createSpinner({
    messages,
    style: styles.spinner,
    columns,
    show(line) {
      spinning = line;
      soon();
    },
  });

  output.on("resize", onResize);
  return {
    print(...lines) {
      endLine();
      write(lines.map((line) => `${line}\n`).join(""));
    },
    write,
    endLine,
    setLive(rows) {
      live = rows;
      soon();
    },
    setFoot(newFoot, fitIt = () => undefined) {
      foot = newFoot;
      fitFoot = fitIt;
      flush();
    },
    leaveFoot(...lines) {
      foot = undefined;
      fitFoot = () => undefined;
      endLine();
      write(lines.map((line) => `${line}\n`).join(""));
      flush();
    },
    isPlain: false,
    redraw() {
      painter.resized();
    },
    forget() {
      painter.forget();
      lineIsOpen = false;
      flush();
    },
    send(sequence) {
      output.write(sequence);
    },
    progress: spinner.progress,
    get columns() {
      return columns();
    },
    get rows() {
      return output.rows || 24;
    },
    flush,
    hide() {
      flush();
      painter.clear();
      lineIsOpen = false;
      hidden = true;
    },
    show() {
      hidden = false;
      flush();
    },
    close() {
      spinner.stop();
      output.off("resize", onResize);
      [foot, live, hidden] = [undefined, [], false];
      flush();
      painter.clear();
      closed = true;
    },
  };
}
