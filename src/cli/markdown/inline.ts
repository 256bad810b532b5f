import { bareAddress, DESTINATION, isSameAddress } from "./addresses.js";
import { decoded, REFERENCE, unescaped } from "./character-references.js";
import { delimiterBetween, pairDelimiters } from "./emphasis.js";
import type { Delimiter, Emphasis } from "./emphasis.js";
import { STYLE } from "./span.js";
import { withStyles } from "./style-ranges.js";
import type { StyleRange } from "./style-ranges.js";
import type { Span } from "./span.js";

export interface Inline {
  spans: Span[];
  /** Where something begins that later text may end; the length of the text if there is no such thing. */
  openAt: number;
}

const ESCAPED = /[!-/:-@[-`{-~]/;
const TAG =
  /<(?:\/?[A-Za-z][\w-]*(?:\s+[A-Za-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*\s*\/?>|!--[^]*?-->)/y;
const LINE_BREAK = /^<br\s*\/?>$/i;
const ADDRESS_IN_BRACKETS = /<([A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*|[\w.+-]+@[\w.-]+)>/y;
const PLAIN = /[^\\`*_~[\]!<&\nh]+|h(?!ttps?:\/\/)[^\\`*_~[\]!<&\nh]*/y;
/** A name such as "__init__", which is hardly ever meant to be bold. */
const DUNDER = /__[A-Za-z0-9]\w*?__(?!\w)/y;
const RUN = /\*+|_+|~+|`+/y;

const STYLE_OF = { bold: STYLE.bold, italic: STYLE.italic, strike: STYLE.strike } as const;

interface Bracket {
  node: number;
  at: number;
  isImage: boolean;
  delimiters: number;
  /** No link stands in a link. */
  isActive: boolean;
}

export interface InlineOptions {
  /** The text is still being written; what is not ended is shown as if it ended here, and no mark before its text. */
  isOpen: boolean;
  /** The marks of code and of what is struck out stay, where no style can stand for them. */
  keepsMarks: boolean;
}

/** Reads the inline Markdown of a block. */
export function parseInline(source: string, { isOpen, keepsMarks }: InlineOptions): Inline {
  const text = (isOpen ? withoutUnfinishedMark(source) : source).replaceAll("\t", " ");
  /** Texts one after another; a delimiter is one too. `styles` are taken on and off before the node. */
  const nodes: { text: string; style: number }[] = [];
  const delimiters: Delimiter[] = [];
  const brackets: Bracket[] = [];
  const ranges: StyleRange[] = [];
  const ticks = tickRuns(text);
  let openAt = text.length;
  let at = 0;

  const push = (added: string, style: number = STYLE.none) => nodes.push({ text: added, style });
  const opens = (position: number) => {
    openAt = Math.min(openAt, position);
  };
  function match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = at;
    return pattern.exec(text) ?? undefined;
  }

  function pushCode(shown: string, run: string): void {
    push(keepsMarks ? run + shown + run : shown, STYLE.code);
  }

  function code(run: string): void {
    const begin = at + run.length;
    const end = ticks.get(run.length)?.find((position) => position >= begin);
    if (end === undefined) {
      opens(at);
      if (isOpen) {
        pushCode(text.slice(begin).replaceAll("\n", " "), run);
        at = text.length;
      } else {
        push(run);
        at = begin;
      }
      return;
    }
    const inner = text.slice(begin, end).replaceAll("\n", " ");
    const isPadded = /^ .* $/.test(inner) && inner.trim() !== "";
    pushCode(isPadded ? inner.slice(1, -1) : inner, run);
    at = end + run.length;
  }

  function emphasis(run: string): void {
    const between = delimiterBetween(characterBefore(text, at), run, characterAfter(text, at + run.length));
    if (between !== undefined) {
      delimiters.push({
        canOpen: between.canOpen,
        canClose: between.canClose,
        node: nodes.length,
        marker: run.charAt(0),
        length: run.length,
        left: run.length,
        at,
      });
    }
    push(run);
    at += run.length;
  }

  function lay(pairs: readonly Emphasis[]): void {
    for (const { opener, closer, kind } of pairs) {
      ranges.push({ from: opener.node + 1, to: closer.node, style: STYLE_OF[kind] });
      for (const { node } of [opener, closer]) {
        const delimiter = nodes[node];
        if (delimiter && !(keepsMarks && kind === "strike"))
          delimiter.text = delimiter.text.slice(kind === "italic" ? 1 : 2);
      }
    }
  }

  function endBracket(): void {
    const bracket = brackets.pop();
    const begin = at;
    at++;
    const destination = bracket?.isActive === true ? match(DESTINATION) : undefined;
    const isUnfinished =
      bracket?.isActive === true && destination === undefined && /^\([^)]*$/.test(text.slice(at));
    if (bracket === undefined || (destination === undefined && !(isUnfinished && isOpen))) {
      if (bracket !== undefined && isUnfinished) opens(bracket.at);
      push("]");
      return;
    }
    lay(pairDelimiters(delimiters, bracket.delimiters));
    delimiters.splice(bracket.delimiters);
    const opening = nodes[bracket.node];
    if (opening) opening.text = "";
    ranges.push({ from: bracket.node + 1, to: nodes.length, style: STYLE.link });
    if (!bracket.isImage) for (const other of brackets) other.isActive &&= other.isImage;
    const said = text.slice(bracket.at + (bracket.isImage ? 2 : 1), begin);
    const address = decoded(unescaped(destination?.[1] ?? destination?.[2] ?? ""));
    if (said === "") push(address, STYLE.link);
    else if (address !== "" && !isSameAddress(said, address)) push(` (${address})`, STYLE.faint);
    at = destination === undefined ? text.length : at + destination[0].length;
  }

  function address(shown: string, taken: number): void {
    push(shown, STYLE.link);
    at += taken;
  }

  /** Something at a "<". */
  function angle(): void {
    const inBrackets = match(ADDRESS_IN_BRACKETS);
    if (inBrackets) {
      address(inBrackets[1] ?? "", inBrackets[0].length);
      return;
    }
    const tag = match(TAG)?.[0];
    if (tag === undefined && /^<[A-Za-z/!][^>]*$/.test(text.slice(at, at + 500))) opens(at);
    const shown = tag ?? "<";
    if (LINE_BREAK.test(shown)) push("\n");
    else push(shown.replaceAll("\n", " "));
    at += shown.length;
  }

  /** Models break lines where they mean it, also without the marks of a hard break. */
  function lineEnd(): void {
    const last = nodes.at(-1);
    if (last) last.text = last.text.trimEnd();
    at++;
    while (text.charAt(at) === " ") at++;
    push("\n");
  }

  while (at < text.length) {
    const plain = match(PLAIN)?.[0];
    if (plain !== undefined) {
      push(plain);
      at += plain.length;
      continue;
    }
    const character = text.charAt(at);
    const run = match(RUN)?.[0];
    const name = run === "__" ? match(DUNDER)?.[0] : undefined;
    if (name !== undefined) {
      push(name);
      at += name.length;
    } else if (run !== undefined) {
      if (run.startsWith("`")) code(run);
      else emphasis(run);
    } else if (character === "\n") {
      lineEnd();
    } else if (character === "\\") {
      const next = text.charAt(at + 1);
      if (next !== "\n") push(ESCAPED.test(next) ? next : "\\");
      at += ESCAPED.test(next) ? 2 : 1;
    } else if (character === "[" || (character === "!" && text.charAt(at + 1) === "[")) {
      const isImage = character === "!";
      brackets.push({ node: nodes.length, at, isImage, delimiters: delimiters.length, isActive: true });
      push(isImage ? "![" : "[");
      at += isImage ? 2 : 1;
    } else if (character === "]") {
      endBracket();
    } else if (character === "<") {
      angle();
    } else if (character === "&") {
      const reference = match(REFERENCE)?.[0];
      push(reference === undefined ? "&" : decoded(reference));
      at += reference?.length ?? 1;
    } else {
      const shown = bareAddress(text, at);
      if (shown === "") push(text.charAt(at++));
      else address(shown, shown.length);
    }
  }
  lay(pairDelimiters(delimiters));
  for (const { at: position } of brackets) opens(position);
  for (const { node, left, at: position } of delimiters) {
    opens(position);
    const delimiter = nodes[node];
    if (!isOpen || left > 3 || !delimiter) continue;
    const style = delimiter.text.startsWith("~")
      ? STYLE.strike
      : (left > 1 ? STYLE.bold : 0) | (left === 2 ? 0 : STYLE.italic);
    delimiter.text = "";
    ranges.push({ from: node + 1, to: nodes.length, style });
  }
  return { spans: withStyles(nodes, ranges), openAt };
}

/** Where runs of backticks stand, by their length. */
function tickRuns(text: string): Map<number, number[]> {
  const runs = new Map<number, number[]>();
  for (const match of text.matchAll(/`+/g)) {
    const { length } = match[0];
    const there = runs.get(length);
    if (there) there.push(match.index);
    else runs.set(length, [match.index]);
  }
  return runs;
}

function characterAfter(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? "" : String.fromCodePoint(code);
}

function characterBefore(text: string, at: number): string {
  const code = text.codePointAt(at - 2);
  return code !== undefined && code > 0xffff
    ? String.fromCodePoint(code)
    : text.slice(Math.max(0, at - 1), at);
}

/** The end of a text may be the beginning of a mark. */
function withoutUnfinishedMark(text: string): string {
  let end = text.length;
  while (end > 0 && "*_~`".includes(text.charAt(end - 1))) end--;
  if (end === text.length && /[\\[<]/.test(text.charAt(end - 1))) end--;
  if (end < text.length && text.charAt(end) === "[" && text.charAt(end - 1) === "!") end--;
  return text.slice(0, end);
}
