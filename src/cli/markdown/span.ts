/** Printable text of one style. "\n" in it is a line break that the writer wanted. */
export interface Span {
  text: string;
  /** Flags of STYLE. */
  style: number;
}

export const STYLE = {
  none: 0,
  bold: 1,
  italic: 2,
  strike: 4,
  code: 8,
  link: 16,
  faint: 32,
  /** Parts of highlighted code. */
  keyword: 64,
  literal: 128,
  value: 256,
  removed: 512,
} as const;

/** The spans with a style added to each. */
export function styled(spans: readonly Span[], style: number): Span[] {
  return spans.map((span) => ({ text: span.text, style: span.style | style }));
}
