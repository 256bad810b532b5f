/** What is drawn besides words; `ascii.ts` has what stands for each where a terminal shows nothing but ASCII. */
export const glyphs = {
  /** Before what is typed. */
  prompt: "›",
  succeeded: "✓",
  failed: "✗",
  running: "●",
  skipped: "–",
  /** Before a line that is not ours. */
  gutter: "│",
  rule: "──",
  ellipsis: "…",
  separator: "·",
  range: "–",
  minus: "−",
  leadsTo: "→",
  /** A line end in a text that is shown on one line. */
  lineEnd: "⏎",
  /** A run of blanks, with how many, as in "␠×40". */
  blank: "␠",
  times: "×",
  spinner: ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"],
};

export type Glyphs = typeof glyphs;
