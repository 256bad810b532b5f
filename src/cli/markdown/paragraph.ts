import { isEastAsian } from "./emphasis.js";
import { parseInline } from "./inline.js";
import type { InlineOptions } from "./inline.js";
import type { Span } from "./span.js";
import { wrapSpans } from "./wrap-spans.js";

/** Text that grows, of which the rows that cannot change any more are given away. It is never changed itself. */
export interface Paragraph {
  /** The row that is not full yet, of text that is read already. */
  readonly carried: readonly Span[];
  /** Text that is still to be read, since marks in it may be open. */
  readonly source: string;
}

/** So much text waits for the end of a mark; then the mark is text. */
const MOST_OPEN = 2000;
/** Words of so many cells stay whole: most addresses can be copied. */
const LONGEST_WORD = 500;

export function beginParagraph(source: string): Paragraph {
  return { carried: [], source };
}

/** Takes the rows away that are final. */
export function settle(
  paragraph: Paragraph,
  width: number,
  keepsMarks: boolean,
): { rest: Paragraph; rows: Span[][] } {
  const read = (text: string) => parseInline(text, { isOpen: false, keepsMarks });
  const { source } = paragraph;
  let end = source.length;
  for (let tries = 0; tries < 4 && end > 0; tries++) {
    end = lastBoundary(source, end);
    if (end === 0) break;
    const { spans, openAt } = read(source.slice(0, end));
    if (openAt >= end) return cut(paragraph, spans, end, width);
    end = openAt;
  }
  if (source.length <= MOST_OPEN) return { rest: paragraph, rows: [] };
  end = lastBoundary(source, source.length) || source.length;
  return cut(paragraph, read(source.slice(0, end)).spans, end, width);
}

function cut({ carried, source }: Paragraph, spans: readonly Span[], end: number, width: number) {
  const rows = wrapSpans([...carried, ...spans], { width, longestWord: LONGEST_WORD });
  const last = rows.pop() ?? [];
  return { rest: { carried: last, source: source.slice(end) }, rows };
}

/** All rows of a paragraph. */
export function paragraphRows(
  { carried, source }: Paragraph,
  width: number,
  options: InlineOptions,
): Span[][] {
  const { spans } = parseInline(source.trimEnd(), options);
  const longestWord = options.isOpen ? width : LONGEST_WORD;
  const rows = wrapSpans([...carried, ...spans], { width, longestWord });
  // A line break at the end breaks nothing.
  return rows.at(-1)?.length === 0 ? rows.slice(0, -1) : rows;
}

/** The last place, not beyond `end`, at which a text can be read in two parts; 0 if there is none. */
function lastBoundary(source: string, end: number): number {
  for (let at = Math.min(end, source.length - 1); at > 0; at--) {
    const [before, after] = [source.charAt(at - 1), source.charAt(at)];
    if ((before === " " || before === "\n") && after !== " " && after !== "\n") return at;
    if (isEastAsian(before) && isEastAsian(after)) return at;
  }
  return 0;
}
