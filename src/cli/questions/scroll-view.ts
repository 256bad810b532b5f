import type { Bottom } from "../bottom/bottom.js";
import type { Messages } from "../messages/catalogue.js";
import type { Colours } from "../render/terminal.js";

/** Rows of the foot besides the lines that are looked through. */
const OTHER_ROWS = 5;

/** Lines that were printed and may have scrolled away, to look through above the question that they belong to. */
export interface ScrollView {
  /** Rows to show above the answer; none while everything can be seen anyway. */
  rows(): string[];
  /** False if the key does not scroll. */
  press(key: string): boolean;
}

export function createScrollView(
  lines: readonly string[],
  { bottom, messages, colours }: { bottom: Bottom; messages: Messages; colours: Colours },
): ScrollView {
  let first: number | undefined;
  const height = () => Math.max(3, bottom.rows - OTHER_ROWS);
  const isLong = () => !bottom.isPlain && lines.length > height();

  const steps: Readonly<Record<string, (from: number) => number>> = {
    up: (from) => from - 1,
    down: (from) => from + 1,
    pageup: (from) => from - height(),
    pagedown: (from) => from + height(),
    home: () => 0,
    end: () => lines.length,
  };

  return {
    rows() {
      if (!isLong()) return [];
      if (first === undefined) return [colours.dim(`  ${messages.input.tooLong(lines.length)}`)];
      const last = Math.min(lines.length, first + height());
      return [
        ...lines.slice(first, last),
        colours.dim(`  ${messages.input.scroll(first + 1, last, lines.length)}`),
      ];
    },
    press(key) {
      const step = steps[key];
      if (!step || !isLong()) return false;
      // The first key shows what scrolled away first.
      const next = first === undefined ? (key === "end" ? lines.length : 0) : step(first);
      first = Math.max(0, Math.min(next, lines.length - height()));
      return true;
    },
  };
}
