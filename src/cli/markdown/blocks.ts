import {
  closesFence,
  expandIndent,
  fenceOf,
  headingOf,
  htmlOf,
  indentOf,
  withoutIndent,
  isBlank,
  isRule,
  listMarkerOf,
  quotedOf,
  underlineOf,
} from "./block-syntax.js";
import type { ListMarker } from "./block-syntax.js";
import { codeLineIn, itemOf, matchContainers } from "./containers.js";
import type { Container } from "./containers.js";
import type { Highlighter } from "./highlighter.js";
import { createLeafWriter } from "./leaf.js";
import type { Leaf } from "./leaf.js";
import type { Look } from "./look.js";
import { createPage } from "./page.js";
import type { Place } from "./page.js";

/** Where the reading of a document stands between two lines. It is never changed: each line gives a new one. */
export interface Blocks {
  readonly place: Place;
  readonly leaf: Leaf | undefined;
}

export const NO_BLOCKS: Blocks = {
  place: { containers: [], shown: 0, previous: undefined, afterBlank: false },
  leaf: undefined,
};

export interface BlockOptions {
  columns: number;
  look: Look;
  highlighter: Highlighter | undefined;
  /** The text is still being written, and what is not ended is shown as if it ended here. */
  isOpen: boolean;
}

/** Reads lines on from `before`. What is final is printed at once, and never depends on what comes later. */
export interface BlockReader {
  readonly blocks: Blocks;
  readonly text: string;
  /** `begins`, `isWhole`: whether the beginning and the end of the line are there; long lines come in parts. */
  line(line: string, part: { begins: boolean; isWhole: boolean }): void;
  end(): void;
}

/** What is deeper is text. */
const DEEPEST = 100;

export function readBlocks(before: Blocks, options: BlockOptions): BlockReader {
  const page = createPage(before.place, options.columns, options.look);
  const writer = createLeafWriter({ page, ...options });
  let { leaf } = before;

  const depth = () => page.place.containers.length;

  function closeLeaf(): void {
    if (leaf) writer.close(leaf);
    leaf = undefined;
  }

  /** Closes what stands in the first `kept` containers. */
  function closeTo(kept: number): void {
    closeLeaf();
    if (depth() <= kept) return;
    page.markers();
    const containers = page.place.containers.slice(0, kept);
    page.place = { ...page.place, containers, shown: Math.min(page.place.shown, kept) };
  }

  function enter(container: Container): void {
    page.place = { ...page.place, containers: [...page.place.containers, container] };
  }

  function line(text: string, part: { begins: boolean; isWhole: boolean }): void {
    if (!part.begins) goOn(text, part.isWhole);
    else if (leaf?.kind !== "code" || !fencedLine(leaf, text, part)) openLine(expandIndent(text), part);
  }

  /** A part of a line that is too long to wait for its end. */
  function goOn(text: string, isWhole: boolean): void {
    const part = { begins: false, isWhole };
    if (leaf?.kind === "code") {
      leaf = writer.codeLine(leaf, text, part);
    } else if (leaf?.kind === "paragraph") {
      leaf = writer.text(leaf, text, part);
    } else {
      closeLeaf();
      leaf = writer.text(undefined, text, { begins: true, isWhole: false });
    }
  }

  /** A line of a block with a fence; false if it has ended with the quote round it. */
  function fencedLine(
    code: Extract<Leaf, { kind: "code" }>,
    text: string,
    part: { begins: boolean; isWhole: boolean },
  ): boolean {
    if (code.fence === undefined) return false;
    const inner = codeLineIn(page.place.containers, text);
    if (inner === undefined) {
      closeLeaf();
      return false;
    }
    const { rest, indent } = inner;
    if (part.isWhole && closesFence(rest, code.fence)) {
      closeLeaf();
      return true;
    }
    leaf = writer.codeLine(code, withoutIndent(rest, indent + code.fence.indent), part);
    return true;
  }

  function openLine(text: string, part: { begins: boolean; isWhole: boolean }): void {
    const { matched, rest } = matchContainers(page.place.containers, text);
    if (matched === depth() && goesOn(rest, part)) return;
    if (isBlank(rest)) {
      closeTo(matched);
      page.place = { ...page.place, afterBlank: true };
      return;
    }
    beginBlocks(matched, rest, part);
  }

  /** Whether the line belongs to the open block whatever it looks like. */
  function goesOn(rest: string, part: { begins: boolean; isWhole: boolean }): boolean {
    if (leaf?.kind === "code") {
      if (isBlank(rest)) leaf = { ...leaf, blanks: leaf.blanks + 1 };
      else if (indentOf(rest) >= 4) leaf = writer.codeLine(leaf, rest.slice(4), part);
      else {
        page.place = { ...page.place, afterBlank: true };
        closeLeaf();
        return false;
      }
      return true;
    }
    if (leaf?.kind !== "html" || (leaf.end === undefined && isBlank(rest))) return false;
    const ends = leaf.end?.test(rest) === true;
    leaf = writer.html(leaf, rest);
    if (ends) closeLeaf();
    return true;
  }

  /** A line with text: opens the containers and the block that it begins, or goes on with the open text. */
  function beginBlocks(matched: number, text: string, part: { begins: boolean; isWhole: boolean }): void {
    let rest = text;
    let kept = matched;
    /** Whether the line stands directly below the text of an open paragraph. */
    let interrupts = leaf?.kind === "paragraph" && matched === depth();
    const open = () => {
      closeTo(kept);
      interrupts = false;
    };
    while (indentOf(rest) < 4 || listsDeeper(rest)) {
      const quoted = depth() < DEEPEST ? quotedOf(rest) : undefined;
      const marker = depth() < DEEPEST && !isRule(rest) ? listMarkerOf(rest) : undefined;
      if (quoted !== undefined) {
        open();
        enter({ kind: "quote" });
        rest = expandIndent(quoted);
      } else if (marker !== undefined && !(interrupts && !mayInterrupt(marker))) {
        const sibling = page.place.containers[kept];
        open();
        enter(itemOf(marker, { outer: page.place.containers, sibling, marks: options.look.marks }));
        rest = marker.text;
      } else {
        break;
      }
      kept = depth();
      if (isBlank(rest)) return;
    }
    if (!beginLeaf(kept, rest, interrupts, part)) addText(kept, rest, part);
  }

  /** Whether a list is meant, though it is indented like code. */
  function listsDeeper(rest: string): boolean {
    return leaf?.kind === "paragraph" && page.place.containers.length > 0 && listMarkerOf(rest) !== undefined;
  }

  /** A block that does not begin with plain text; false if the line begins none. */
  function beginLeaf(
    kept: number,
    rest: string,
    interrupts: boolean,
    part: { begins: boolean; isWhole: boolean },
  ): boolean {
    if (indentOf(rest) >= 4) {
      if (leaf?.kind === "paragraph") return false;
      closeTo(kept);
      leaf = writer.codeLine(writer.beginCode(undefined), rest.slice(4), part);
      return true;
    }
    const level =
      interrupts && leaf?.kind === "paragraph" && isUnderlined(leaf) ? underlineOf(rest) : undefined;
    if (level !== undefined && leaf?.kind === "paragraph") {
      const { held, paragraph } = leaf;
      leaf = undefined;
      writer.heading(level, (held ?? paragraph.source).trim());
      return true;
    }
    const heading = headingOf(rest);
    const fence = fenceOf(rest);
    const html = htmlOf(rest);
    if (!heading && !fence && !html && !isRule(rest)) return false;
    closeTo(kept);
    if (heading) {
      writer.heading(heading.level, heading.text);
    } else if (fence) {
      leaf = writer.beginCode(fence);
    } else if (html) {
      leaf = writer.html({ kind: "html", end: html.end, isPrinted: false }, rest);
      if (html.end?.test(rest) === true) closeLeaf();
    } else {
      writer.rule();
    }
    return true;
  }

  function addText(kept: number, rest: string, part: { begins: boolean; isWhole: boolean }): void {
    if (leaf?.kind === "paragraph") {
      // A line without the marks of its containers goes on with the text all the same.
      const table = kept === depth() ? writer.beginTable(leaf, rest) : undefined;
      leaf = table ?? writer.text(leaf, rest, part);
    } else if (leaf?.kind === "table" && kept === depth() && rest.includes("|")) {
      leaf = writer.tableRow(leaf, rest);
    } else {
      closeTo(kept);
      leaf = writer.text(undefined, rest, part);
    }
  }

  return {
    get blocks() {
      return { place: page.place, leaf };
    },
    get text() {
      return page.text;
    },
    line,
    end() {
      closeTo(0);
    },
  };
}

/** Whether a list may begin directly below text, where a number or a dash may be part of the sentence. */
function mayInterrupt({ text, number = 1, task }: ListMarker): boolean {
  return number === 1 && (!isBlank(text) || task !== undefined);
}

function isUnderlined(leaf: Extract<Leaf, { kind: "paragraph" }>): boolean {
  return leaf.lines === 1 && !leaf.isPrinted && leaf.paragraph.carried.length === 0;
}
