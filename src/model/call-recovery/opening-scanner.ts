import { MAX_BEGINNING_CHARS, mayPrecedeCall } from "./lead-in.js";
import type { Marks } from "./marks.js";
import { SENTINELS, escaped, withoutTrailingMarks } from "./marks.js";

/** A place where a call may begin. */
export interface Opening {
  /** Characters before it. */
  at: number;
  /** Marks made for calls; the reply as a whole; JSON after a word of intent; a code fence after one. */
  kind: "mark" | "whole" | "json" | "fence";
  form: string;
}

export interface OpeningScanner {
  /** More of the reply. */
  push(text: string): void;
  /** The next opening; undefined if there is none in what is known. `isWhole`: no more will come. */
  next(isWhole: boolean): Opening | undefined;
  /** Characters up to the last one that is neither space nor a sentinel and begins no call. */
  readonly solid: number;
  /** Where the newest code fence ended; undefined while it is open. */
  readonly fenceEnd: number | undefined;
}

/** Elements whose content is shown rather than meant, and how they end. */
const SHOWN_ELEMENTS: readonly (readonly [open: string, close: string])[] = [
  ["<!--", "-->"],
  ...["pre", "code", "samp", "xmp", "textarea", "blockquote", "script", "style", "details", "table"].map(
    (name) => [`<${name}>`, `</${name}>`] as const,
  ),
];
/** Quotes, tables, headings, list items and the heads of a diff. */
const SHOWN_LINE = /^(?:>|\||#{1,6}\s|[-*+•]\s|\d{1,3}[.)]\s|@@|diff |--- \S|\+\+\+ \S)/;
const DIFF_HEAD = /^(?:@@|diff |--- \S|\+\+\+ \S)/;
/** The beginning of a line that may become one of these. */
const UNCLEAR_LINE = /^(?:[-*+•#@]{1,6}\s?|\d{1,3}[.)]?|d|di|dif|diff|`{1,2}|~{1,2})$/;
const FENCE = /^(`{3,}|~{3,})[ \t]*([^`]*)$/;
const FENCE_LINE = /^(?:`{3}|~{3})/;
/** Before an opening in the middle of a line: not a quote, not part of a word. */
const BORDER = /[\s>.!?:;)\]}…。！？：]/;
/** What of a line decides over it; no line of a code fence's border is longer. */
const LINE_HEAD_CHARS = 200;
/** The buffer is cut when this much of it is done with. */
const DONE_CHARS = 8192;
const KEPT_CHARS = 16;

/** Finds where calls may begin, outside of everything that is shown rather than meant; looks at each part once. */
export function createOpeningScanner(marks: Marks, scope: "reply" | "thinking"): OpeningScanner {
  const forms = new Map(marks.anywhere.map(({ mark, form }) => [mark, form]));
  const closeOf = new Map(SHOWN_ELEMENTS);
  const literals = [...forms.keys(), ...SENTINELS, ...SHOWN_ELEMENTS.flat()].sort(
    (a, b) => b.length - a.length,
  );
  const event = new RegExp(`\\n|\`+|${literals.map(escaped).join("|")}`, "g");
  const longest = literals[0]?.length ?? 0;
  const firsts = new Set(literals.map((literal) => literal[0]));

  let buffer = "";
  /** Characters that were cut from the buffer. */
  let cut = 0;
  let pos = 0;
  let solid = 0;
  let beginning = "";
  let isLineStart = true;
  let isShownLine = false;
  let isDiff = false;
  let ticks = 0;
  let fence: string | undefined;
  let fenceEnd: number | undefined;
  let passed = 0;
  let elementClose: string | undefined;

  const advance = (to: number) => {
    const text = buffer.slice(pos, to).trimEnd();
    if (text !== "") solid = cut + pos + text.length;
    pos = to;
  };

  /** Looks at the head of a line; false if more of it is needed. */
  const enterLine = (isWhole: boolean): Opening | boolean => {
    const start = buffer.slice(pos, pos + LINE_HEAD_CHARS);
    const newline = start.indexOf("\n");
    const line = newline === -1 ? start : start.slice(0, newline);
    const isComplete = newline !== -1 || isWhole || start.length === LINE_HEAD_CHARS;
    const head = line.trimStart();
    const at = cut + pos + (line.length - head.length);
    if (head === "") {
      if (!isComplete) return false;
      isDiff = false;
      return enter(false);
    }
    if (!isComplete && (UNCLEAR_LINE.test(head) || FENCE_LINE.test(head))) return false;
    const isBorder = FENCE_LINE.test(head) && line.length < LINE_HEAD_CHARS;
    if (fence !== undefined) {
      const border = withoutTrailingMarks(head).trimEnd();
      if (isBorder && border.startsWith(fence) && border.replaceAll(fence[0] ?? "", "") === "") {
        fence = undefined;
        fenceEnd = at + border.length;
      }
      return enter(true);
    }
    const opened = isBorder ? FENCE.exec(head.trimEnd()) : undefined;
    if (opened) {
      fence = opened[1] ?? "";
      fenceEnd = undefined;
      enter(true);
      return mayOpenBare(at) ? { at, kind: "fence", form: "fence" } : true;
    }
    isDiff ||= DIFF_HEAD.test(head);
    const isIndented = /^(?: {4}|\t)/.test(line) && solid > 0;
    if (isDiff || isIndented || SHOWN_LINE.test(head)) return enter(true);
    return plainLine(head, at, isComplete);
  };

  const plainLine = (head: string, at: number, isComplete: boolean): Opening | boolean => {
    const isFirst = solid === 0 && scope === "reply";
    const candidates = isFirst ? [...marks.lineStart, ...marks.replyStart] : marks.lineStart;
    const mayBe = (mark: string) => head.startsWith(mark) || (!isComplete && mark.startsWith(head));
    if (!candidates.some(({ mark }) => head.startsWith(mark))) {
      if (candidates.some(({ mark }) => mayBe(mark))) return false;
      const isBare = /^[{[]/.test(head) && !literals.some(mayBe) && mayOpenBare(at);
      return isBare ? opening({ at, kind: "json", form: "json" }) : enter(false);
    }
    const found = candidates.find(({ mark }) => head.startsWith(mark));
    const kind = found && marks.replyStart.includes(found) ? "whole" : "mark";
    return opening({ at, kind, form: found?.form ?? "" });
  };

  const opening = (found: Opening): Opening => {
    enter(false);
    return found;
  };

  const enter = (isShown: boolean): true => {
    isLineStart = false;
    isShownLine = isShown;
    ticks = 0;
    return true;
  };

  const mayOpenBare = (at: number) =>
    scope === "reply" && at <= MAX_BEGINNING_CHARS && mayPrecedeCall(beginning.slice(0, at));

  /** Passes one event; returns an opening if it is one. */
  const pass = (token: string): Opening | undefined => {
    const start = pos;
    const end = pos + token.length;
    if (token === "\n") {
      pos = end;
      isLineStart = true;
    } else if (token.startsWith("`") && elementClose === undefined) {
      advance(end);
      if (ticks === 0) ticks = token.length;
      else if (ticks === token.length) ticks = 0;
    } else if (SENTINELS.includes(token)) {
      pos = end;
    } else if (elementClose !== undefined) {
      advance(end);
      if (token === elementClose) elementClose = undefined;
      isLineStart = false;
    } else {
      const isMeant = !isShownLine && ticks === 0;
      const form = forms.get(token);
      if (isMeant && form !== undefined && (start === 0 || BORDER.test(buffer[start - 1] ?? ""))) {
        pos = end;
        passed = cut + end;
        return { at: cut + start, kind: "mark", form };
      }
      advance(end);
      if (isMeant) elementClose = closeOf.get(token);
    }
    return undefined;
  };

  /** Where something may begin that is not all there yet. */
  const unfinished = (): number => {
    for (let at = Math.max(pos, buffer.length - longest); at < buffer.length; at++) {
      const rest = firsts.has(buffer[at]) ? buffer.slice(at) : undefined;
      if (rest !== undefined && literals.some((literal) => literal.startsWith(rest))) return at;
    }
    const run = /`{1,99}$/.exec(buffer.slice(Math.max(pos, buffer.length - 99)));
    return run ? buffer.length - run[0].length : buffer.length;
  };

  return {
    push(text) {
      if (pos > DONE_CHARS) {
        cut += pos - KEPT_CHARS;
        buffer = buffer.slice(pos - KEPT_CHARS);
        pos = KEPT_CHARS;
      }
      buffer += text;
      if (beginning.length < MAX_BEGINNING_CHARS) beginning += text.slice(0, MAX_BEGINNING_CHARS);
    },
    next(isWhole) {
      // The opening that was told last was none.
      solid = Math.max(solid, passed);
      while (pos < buffer.length) {
        if (isLineStart && elementClose === undefined) {
          const entered = enterLine(isWhole);
          if (entered === false) return undefined;
          if (entered !== true) return entered;
        }
        event.lastIndex = pos;
        const found = event.exec(buffer);
        // A run of backticks at the end of what is known may go on.
        const isOver = found && (isWhole || found[0][0] !== "`" || event.lastIndex < buffer.length);
        if (!found || !isOver) {
          advance(isWhole ? buffer.length : unfinished());
          return undefined;
        }
        advance(found.index);
        const opening = pass(found[0]);
        if (opening) return opening;
      }
      return undefined;
    },
    get solid() {
      return solid;
    },
    get fenceEnd() {
      return fenceEnd;
    },
  };
}
