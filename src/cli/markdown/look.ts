import { createColours } from "../render/terminal.js";
import type { TerminalTraits } from "../render/terminal.js";
import type { Span } from "./span.js";
import { STYLE } from "./span.js";

/** How Markdown looks on one terminal. */
export interface Look {
  /** Without styles, marks that carry a meaning stay as they were typed. */
  hasStyles: boolean;
  /** A row, or a part of it; it closes its styles. */
  paint: (spans: readonly Span[]) => string;
  dim(text: string): string;
  marks: Marks;
}

export interface Marks {
  /** By the depth of the list. */
  bullets: readonly string[];
  done: string;
  todo: string;
  quote: string;
  rule: string;
  /** Between two columns of a table, and where the line below its head crosses. */
  column: string;
  cross: string;
}

const UNICODE: Marks = {
  bullets: ["•", "◦", "▪"],
  done: "☑",
  todo: "☐",
  quote: "│",
  rule: "─",
  column: "│",
  cross: "┼",
};
const ASCII: Marks = {
  bullets: ["*", "-", "+"],
  done: "[x]",
  todo: "[ ]",
  quote: "|",
  rule: "-",
  column: "|",
  cross: "+",
};

export function createLook({
  colourLevel,
  unicode,
}: {
  colourLevel: TerminalTraits["colourLevel"];
  unicode: boolean;
}): Look {
  const colours = createColours(colourLevel);
  const hasStyles = colourLevel > 0;
  /** In the order in which they are laid round a text. */
  const styles: readonly [number, (text: string) => string][] = [
    [STYLE.code, hasStyles ? colours.cyan : (text) => text],
    [STYLE.faint, colours.dim],
    [STYLE.link, colours.underline],
    [STYLE.strike, colours.strikethrough],
    [STYLE.italic, colours.italic],
    [STYLE.bold, colours.bold],
    [STYLE.keyword, colours.magenta],
    [STYLE.literal, colours.green],
    [STYLE.value, colours.cyan],
    [STYLE.removed, colours.red],
  ];

  function paintSpan(text: string, style: number): string {
    if (!hasStyles || style === 0 || text.trim() === "") return text;
    let painted = text;
    for (const [flag, lay] of styles) if ((style & flag) !== 0) painted = lay(painted);
    return painted;
  }

  return {
    hasStyles,
    paint(spans) {
      let painted = "";
      let text = "";
      let style = 0;
      for (const span of spans) {
        if (span.style !== style) {
          painted += paintSpan(text, style);
          text = "";
          style = span.style;
        }
        text += span.text;
      }
      return painted + paintSpan(text, style);
    },
    dim: (text) => colours.dim(text),
    marks: unicode ? UNICODE : ASCII,
  };
}
