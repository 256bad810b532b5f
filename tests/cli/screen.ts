import { clearLine, cursorTo, moveCursor } from "node:readline";
import { PassThrough, Writable } from "node:stream";
import xterm from "@xterm/headless";
import { withoutStatus } from "../helpers/status-row.js";

export interface Screen {
  /** A terminal's output stream; what is written is drawn. */
  output: NodeJS.WriteStream;
  /** What the terminal shows, without blanks at the end of lines and of the screen, and without the status line. */
  lines(): Promise<string[]>;
  /** The line above the prompt of a session; empty if there is none. */
  status(): Promise<string>;
  /** All that the terminal shows, line by line. */
  whole(): Promise<string[]>;
  /** Lines that the terminal itself had to break. */
  broken(): Promise<string[]>;
  /** Waits until the screen holds the text; fails with what it shows instead. */
  waitFor(text: string | RegExp): Promise<void>;
  /** Everything that was written, with sequences. */
  written(): string;
  /** Where the cursor is, counted from the first line ever shown; to be asked after `lines`. */
  cursor(): { row: number; column: number };
  resize(columns: number, rows: number): void;
}

/** A terminal emulator behind an output stream. */
export function createScreen(columns = 80, rows = 40): Screen {
  const terminal = new xterm.Terminal({ cols: columns, rows, convertEol: true, allowProposedApi: true });
  let written = "";
  const sink = new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      written += chunk.toString();
      terminal.write(chunk.toString());
      done();
    },
  });
  const output = Object.assign(sink, {
    isTTY: true,
    columns,
    rows,
    cursorTo: (x: number) => cursorTo(sink, x),
    clearLine: (direction: -1 | 0 | 1) => clearLine(sink, direction),
    moveCursor: (dx: number, dy: number) => moveCursor(sink, dx, dy),
  }) as unknown as NodeJS.WriteStream;

  async function allLines(): Promise<string[]> {
    await new Promise<void>((resolve) => {
      terminal.write("", resolve);
    });
    const { active } = terminal.buffer;
    const all = Array.from(
      { length: active.length },
      (_, y) => active.getLine(y)?.translateToString(true) ?? "",
    );
    return all;
  }

  const cursor = () => {
    const { baseY, cursorX, cursorY } = terminal.buffer.active;
    return { row: baseY + cursorY, column: cursorX };
  };

  async function lines(): Promise<string[]> {
    const shown = withoutStatus(await allLines(), cursor().row);
    return shown.lines.join("\n").trimEnd().split("\n");
  }

  return {
    output,
    lines,
    written: () => written,
    cursor,
    whole: async () => (await allLines()).join("\n").trimEnd().split("\n"),
    broken: async () => {
      const all = await allLines();
      return all.filter((_, y) => terminal.buffer.active.getLine(y + 1)?.isWrapped === true);
    },
    status: async () => withoutStatus(await allLines(), cursor().row).status,
    resize(newColumns, newRows) {
      terminal.resize(newColumns, newRows);
      Object.assign(sink, { columns: newColumns, rows: newRows });
      sink.emit("resize");
    },
    async waitFor(text) {
      for (let tries = 0; tries < 500; tries++) {
        const shown = (await lines()).join("\n");
        if (typeof text === "string" ? shown.includes(text) : text.test(shown)) return;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      throw new Error(`the screen never showed ${String(text)}:\n${(await lines()).join("\n")}`);
    },
  };
}

/** A keyboard that notes whether it is in raw mode. */
export function createKeyboard(): PassThrough & { isRaw: boolean; setRawMode(mode: boolean): void } {
  const keyboard = Object.assign(new PassThrough(), {
    isRaw: false,
    setRawMode(mode: boolean) {
      keyboard.isRaw = mode;
    },
  });
  return keyboard;
}
