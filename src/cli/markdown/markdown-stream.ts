import { mayBecomeMark } from "./block-syntax.js";
import { NO_BLOCKS, readBlocks } from "./blocks.js";
import type { Blocks } from "./blocks.js";
import type { Highlighter } from "./highlighter.js";
import type { Look } from "./look.js";

/** Markdown that is rendered while it is written: any split of a text gives the same as the whole. */
export interface MarkdownStream {
  /** Goes on with the text, which is printable; what has become final, in rows. It is never revised. */
  write(text: string): string;
  /** What the rest would look like if it ended here. */
  open(): string;
  /** Ends the text, and makes the stream ready for another; the rest of it. */
  end(): string;
}

export interface MarkdownOptions {
  look: Look;
  /** Cells of a row, asked for whenever rows are made. */
  columns: () => number;
  /** Asked for at the beginning of a block of code. */
  highlighter?: () => Highlighter | undefined;
}

/** Text of so many characters does not wait for the end of its line. */
const LONG_TEXT = 256;
const TEXT_PART = 128;
/** The same for lines of code, and lines that may belong to a table. */
const LONG_LINE = 4096;

export function createMarkdownStream({ look, columns, highlighter }: MarkdownOptions): MarkdownStream {
  let blocks = NO_BLOCKS;
  /** The line that is written, as far as it has not been read. */
  let line = "";
  /** Whether its beginning has been read. */
  let isBegun = false;

  const reader = (before: Blocks, isOpen: boolean) =>
    readBlocks(before, { columns: columns(), look, highlighter: highlighter?.(), isOpen });

  function longest(): number {
    if (blocks.leaf?.kind === "code") return LONG_LINE;
    if (isBegun) return TEXT_PART;
    return line.slice(0, LONG_TEXT).includes("|") ? LONG_LINE : LONG_TEXT;
  }

  return {
    write(text) {
      line += text;
      let printed = "";
      for (;;) {
        const most = longest();
        const end = line.indexOf("\n");
        const isWhole = end !== -1 && end <= most;
        if (!isWhole && line.length <= most) return printed;
        const at = isWhole ? end : mostOf(line, most);
        const read = reader(blocks, false);
        read.line(line.slice(0, at), { begins: !isBegun, isWhole });
        printed += read.text;
        blocks = read.blocks;
        line = line.slice(isWhole ? at + 1 : at);
        isBegun = !isWhole;
      }
    },
    open() {
      const read = reader(blocks, true);
      if (isBegun || (line !== "" && !mayBecomeMark(line))) {
        read.line(line, { begins: !isBegun, isWhole: true });
      }
      read.end();
      return read.text;
    },
    end() {
      const read = reader(blocks, false);
      if (isBegun || line !== "") read.line(line, { begins: !isBegun, isWhole: true });
      read.end();
      [blocks, line, isBegun] = [NO_BLOCKS, "", false];
      return read.text;
    },
  };
}

/** So many characters, but not half of one. */
function mostOf(line: string, most: number): number {
  const code = line.charCodeAt(most - 1);
  return code >= 0xd800 && code <= 0xdbff ? most - 1 : most;
}
