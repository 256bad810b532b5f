import type { Fence } from "./block-syntax.js";
import { beginParagraph, paragraphRows, settle } from "./paragraph.js";
import type { CodeState, Highlighter } from "./highlighter.js";
import { parseInline } from "./inline.js";
import type { Look } from "./look.js";
import type { Page } from "./page.js";
import type { Paragraph } from "./paragraph.js";
import { STYLE, styled } from "./span.js";
import { beginTable, printTable, withRow } from "./table.js";
import type { Table } from "./table.js";

/** A block that holds text and may go on. It is never changed itself. */
export type Leaf =
  | {
      readonly kind: "paragraph";
      readonly paragraph: Paragraph;
      /** Its last line, if it may be the head of a table. */
      readonly held: string | undefined;
      readonly lines: number;
      readonly isPrinted: boolean;
    }
  | { readonly kind: "table"; readonly table: Table; readonly isPrinted: boolean }
  | { readonly kind: "html"; readonly end: RegExp | undefined; readonly isPrinted: boolean }
  | {
      readonly kind: "code";
      /** Undefined for code that is indented. */
      readonly fence: Fence | undefined;
      readonly state: CodeState | undefined;
      /** Blank lines that belong to it only if more follows. */
      readonly blanks: number;
    };

type TextLeaf = Extract<Leaf, { kind: "paragraph" }>;
type CodeLeaf = Extract<Leaf, { kind: "code" }>;

export interface LeafWriter {
  /** A line of a paragraph, or without an end a part of one. */
  text(leaf: TextLeaf | undefined, line: string, part: { begins: boolean; isWhole: boolean }): TextLeaf;
  heading(level: number, text: string): void;
  rule(): void;
  html(leaf: Extract<Leaf, { kind: "html" }>, line: string): Leaf;
  beginCode(fence: Fence | undefined): CodeLeaf;
  codeLine(leaf: CodeLeaf, line: string, part: { begins: boolean; isWhole: boolean }): Leaf;
  /** The table that the paragraph's last line and this one begin. */
  beginTable(leaf: TextLeaf, line: string): Leaf | undefined;
  tableRow(leaf: Extract<Leaf, { kind: "table" }>, line: string): Leaf;
  close(leaf: Leaf): void;
}

/** Writes blocks on a page. `isOpen`: the text is still being written, and what is not ended is shown all the same. */
export function createLeafWriter(options: {
  page: Page;
  look: Look;
  highlighter: Highlighter | undefined;
  isOpen: boolean;
}): LeafWriter {
  const { page, look, highlighter, isOpen } = options;
  const inline = { isOpen, keepsMarks: !look.hasStyles };

  function joinHeld({ paragraph, held }: TextLeaf): Paragraph {
    if (held === undefined) return paragraph;
    const isFirst = paragraph.source === "" && paragraph.carried.length === 0;
    return { ...paragraph, source: isFirst ? held : `${paragraph.source}\n${held}` };
  }

  function closeParagraph(leaf: TextLeaf): void {
    const rows = paragraphRows(joinHeld(leaf), page.room(true), inline);
    page.rows("paragraph", rows.map(look.paint), leaf.isPrinted);
  }

  /** What stands above the last line of a text, which is the head of a table. */
  function closeTextAbove(leaf: TextLeaf): void {
    if (leaf.lines > 1) closeParagraph({ ...leaf, held: undefined });
  }

  /** A line with bars is most likely the head of a table: it is shown as one while the line below it is awaited. */
  function closeText(leaf: TextLeaf): void {
    const { held = "" } = leaf;
    const isAwaited = isOpen && held.startsWith("|");
    const table = isAwaited ? beginTable(held, held.replace(/[^|]+/g, "-"), inline) : undefined;
    if (table === undefined) {
      closeParagraph(leaf);
    } else {
      closeTextAbove(leaf);
      printSome(table, false, true);
    }
  }

  function printSome(table: Table, isPrinted: boolean, isAll: boolean): Leaf {
    const { rest, rows } = printTable(table, { width: page.room(), look, isAll });
    page.rows("table", rows, isPrinted);
    return { kind: "table", table: rest, isPrinted: isPrinted || rows.length > 0 };
  }

  return {
    text(leaf, line, { begins, isWhole }) {
      const before = leaf ?? {
        kind: "paragraph",
        paragraph: beginParagraph(""),
        held: undefined,
        lines: 0,
        isPrinted: false,
      };
      const added = begins ? line.trimStart() : line;
      const lines = before.lines + (begins ? 1 : 0);
      if (begins && isWhole && added.includes("|")) {
        return { ...before, paragraph: joinHeld(before), held: added, lines };
      }
      const paragraph = begins
        ? joinHeld({ ...before, paragraph: joinHeld(before), held: added })
        : { ...before.paragraph, source: before.paragraph.source + added };
      const { rest, rows } = settle(paragraph, page.room(true), inline.keepsMarks);
      page.rows("paragraph", rows.map(look.paint), before.isPrinted);
      const isPrinted = before.isPrinted || rows.length > 0;
      return { kind: "paragraph", paragraph: rest, held: undefined, lines, isPrinted };
    },

    heading(level, text) {
      const marks = look.hasStyles ? [] : [{ text: `${"#".repeat(level)} `, style: STYLE.none }];
      const style = level === 1 ? STYLE.bold | STYLE.link : STYLE.bold;
      const spans = styled(parseInline(text, inline).spans, style);
      const rows = paragraphRows({ carried: [...marks, ...spans], source: "" }, page.room(true), inline);
      page.rows("heading", rows.map(look.paint));
    },

    rule() {
      page.rows("rule", [look.dim(look.marks.rule.repeat(page.room(true)))]);
    },

    html(leaf, line) {
      page.rows("html", [line], leaf.isPrinted);
      return { ...leaf, isPrinted: true };
    },

    beginCode(fence) {
      const beginsItem = page.place.containers.length > page.place.shown;
      if (beginsItem) page.markers();
      else page.gap("code");
      if (fence !== undefined && !look.hasStyles) page.raw(`${fence.run}${fence.language}\n`);
      else if (fence !== undefined && fence.language !== "") page.raw(`${look.dim(fence.language)}\n`);
      const state = fence && look.hasStyles ? highlighter?.begin(fence.language) : undefined;
      return { kind: "code", fence, state, blanks: 0 };
    },

    codeLine(leaf, line, { begins, isWhole }) {
      const end = isWhole ? "\n" : "";
      const blanks = "\n".repeat(leaf.blanks);
      if (!begins || !isWhole || leaf.state === undefined || highlighter === undefined) {
        page.raw(blanks + line + end);
        return { ...leaf, blanks: 0 };
      }
      const { spans, after } = highlighter.line(line, leaf.state);
      page.raw(`${blanks}${look.paint(spans)}\n`);
      return { ...leaf, state: after, blanks: 0 };
    },

    beginTable(leaf, line) {
      const table = leaf.held === undefined ? undefined : beginTable(leaf.held, line, inline);
      if (table === undefined) return undefined;
      closeTextAbove(leaf);
      return { kind: "table", table, isPrinted: false };
    },

    tableRow: (leaf, line) => printSome(withRow(leaf.table, line, inline), leaf.isPrinted, false),

    close(leaf) {
      switch (leaf.kind) {
        case "paragraph":
          closeText(leaf);
          break;
        case "table":
          printSome(leaf.table, leaf.isPrinted, true);
          break;
        case "code":
          if (leaf.fence !== undefined && !look.hasStyles && !isOpen) page.raw(`${leaf.fence.run}\n`);
          break;
        case "html":
          break;
      }
    },
  };
}
