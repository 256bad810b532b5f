import { matchAt } from "./match-at.js";
import { MAX_DEPTH, readStrictJson } from "./strict-json.js";
import { unescape } from "./unescape.js";

/** A value that was read from text. */
export interface ReadValue {
  value: unknown;
  /** Where the text goes on. */
  end: number;
  /**
   * `closed`: all brackets are there. `unclosed`: some are missing at the end of the text. `cut`: the text ends in a
   * string or between a key and its value. `broken`: it is not this syntax; `value` is what was read until then.
   */
  state: "closed" | "unclosed" | "cut" | "broken";
  /** Quotes inside a string were not escaped, so that its end had to be inferred. */
  guessed: boolean;
}

export interface ReadOptions {
  /** Where the text ends for a value that is not proper JSON. */
  limit: number;
  /** Keys that may follow a string whose end is inferred. */
  isKey?: (key: string) => boolean;
  /** Python: a string ends at its first quote. */
  python?: boolean;
}

const QUOTES: readonly (readonly [open: string, close: string])[] = [
  ['"""', '"""'],
  ["'''", "'''"],
  ['<|"|>', '<|"|>'],
  ["<escape>", "<escape>"],
  ['"', '"'],
  ["'", "'"],
  ["`", "`"],
  ["“", "”"],
  ["‘", "’"],
];
const LITERALS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["true", true],
  ["True", true],
  ["false", false],
  ["False", false],
  ["null", null],
  ["None", null],
  ["undefined", null],
]);
const SPACE = /\s*/y;
const COMMENT = /\/\/[^\n]*|\/\*[^]*?\*\/|#[^\n]*/y;
const COMMENT_START = /\/[/*]/y;
const BARE_KEY = /[A-Za-z_$][\w$-]*/y;
const BARE_VALUE = /[^\s,:}\])]+/y;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const STRING_PREFIX = /[rRbBuUfF]{1,2}(?=["'])/y;
const NEXT_KEY = /\s*["'“]?([A-Za-z_][\w-]{0,63})["'”]?\s{0,9}:/y;
const CLOSERS = /[\s}\]]*/y;

/** Reads JSON as models write it: strictly if it can be, else up to the limit with the known slips. Closes no string. */
export function readJson(text: string, at: number, options: ReadOptions): ReadValue | undefined {
  const strict = readStrictJson(text, at);
  if (strict) return { ...strict, state: "closed", guessed: false };
  return readLenient(text, at, options);
}

/**
 * Whether a value is all there. Missing brackets are, if a mark ends the text for it or at least one of them is there:
 * an inner quote may look like the end of a string that breaks off.
 */
export function completeness(
  { state, end }: ReadValue,
  text: string,
  isBounded: boolean,
): { truncated: boolean; unclosed: boolean } {
  if (state === "closed" || state === "broken") return { truncated: false, unclosed: false };
  const isWhole =
    state === "unclosed" && (isBounded || /[}\]]\s*$/.test(text.slice(Math.max(0, end - 99), end)));
  return { truncated: !isWhole, unclosed: !isBounded };
}

/** The lenient part alone, for syntaxes that are not JSON. Undefined if no value begins here. */
export function readLenient(text: string, at: number, options: ReadOptions): ReadValue | undefined {
  const { limit, isKey = () => false, python = false } = options;
  let pos = at;
  let state: ReadValue["state"] = "closed";
  let guessed = false;

  /** Goes on only while nothing is wrong. */
  const stop = (why: ReadValue["state"]) => {
    if (state === "closed") state = why;
  };
  const isSound = () => state === "closed";

  const skipSpace = () => {
    for (;;) {
      pos = Math.min(limit, pos + (matchAt(SPACE, text, pos)?.[0].length ?? 0));
      const comment = pos < limit ? matchAt(COMMENT, text, pos) : undefined;
      if (!comment) return;
      pos += comment[0].length;
    }
  };
  const skipSeparators = () => {
    skipSpace();
    while (pos < limit && text[pos] === ",") {
      pos++;
      skipSpace();
    }
  };

  const string = (inside: "key" | "object" | "array" | "alone"): string | undefined => {
    const prefix = matchAt(STRING_PREFIX, text, pos)?.[0] ?? "";
    const quote = QUOTES.find(([mark]) => text.startsWith(mark, pos + prefix.length));
    if (!quote) return undefined;
    const [open, close] = quote;
    const start = pos + prefix.length + open.length;
    const end = endOfString(start, open, close, inside);
    if (end === undefined) {
      pos = limit;
      stop("cut");
      return undefined;
    }
    pos = end + close.length;
    const raw = text.slice(start, end);
    const isRaw = /r/i.test(prefix) || open.startsWith("<");
    return isRaw ? raw : unescape(raw);
  };

  const endOfString = (start: number, open: string, close: string, inside: string): number | undefined => {
    let inferred = false;
    for (let end = start; end < limit; end++) {
      if (text[end] === "\\" && !open.startsWith("<")) {
        end++;
      } else if (text.startsWith(close, end) && end + close.length <= limit) {
        const isEnd =
          python || close.length > 1 || inside === "alone" || endsString(end + 1, inside, inferred);
        if (isEnd) {
          guessed ||= inferred;
          return end;
        }
        inferred = true;
      }
    }
    return undefined;
  };

  /** Whether a quote before `next` ends its string, by what follows. The look ahead never passes the next quote. */
  const endsString = (next: number, inside: string, inferred: boolean): boolean => {
    let ahead = next + (matchAt(SPACE, text, next)?.[0].length ?? 0);
    if (ahead >= limit) return true;
    if (inside === "key") return text[ahead] === ":";
    const comma = text[ahead] === ",";
    if (comma) ahead += 1 + (matchAt(SPACE, text, ahead + 1)?.[0].length ?? 0);
    if (text[ahead] === "}" || text[ahead] === "]") {
      const after = ahead + (matchAt(CLOSERS, text, ahead)?.[0].length ?? 0);
      return after >= limit || (!inferred && ",;{<`".includes(text[after] ?? ""));
    }
    if (inside === "array") return comma && /["'{[\d“]/.test(text[ahead] ?? "");
    if (!inferred && matchAt(COMMENT_START, text, ahead)) return true;
    const key = (comma || `"'“`.includes(text[ahead] ?? "")) && matchAt(NEXT_KEY, text, ahead);
    return Boolean(key) && (!inferred || isKey((key as RegExpExecArray)[1] ?? ""));
  };

  const value = (inside: "object" | "array" | "alone", depth: number): unknown => {
    skipSpace();
    if (pos >= limit) stop("cut");
    else if (depth > MAX_DEPTH) stop("broken");
    else if (text[pos] === "{") return object(depth);
    else if (text[pos] === "[") return array(depth);
    const quoted = isSound() ? string(inside) : undefined;
    return quoted === undefined && isSound() ? bareValue() : quoted;
  };

  const bareValue = (): unknown => {
    const bare = matchAt(BARE_VALUE, text, pos)?.[0] ?? "";
    const isLiteral = LITERALS.has(bare);
    if (pos + bare.length > limit || !(isLiteral || NUMBER.test(bare))) {
      stop("broken");
      return undefined;
    }
    pos += bare.length;
    return isLiteral ? LITERALS.get(bare) : Number(bare);
  };

  const bareKey = (): string | undefined => {
    const key = matchAt(BARE_KEY, text, pos)?.[0];
    pos += key?.length ?? 0;
    return key;
  };

  const object = (depth: number): unknown => {
    const entries: [string, unknown][] = [];
    for (pos++; isSound();) {
      skipSeparators();
      if (pos >= limit) stop("unclosed");
      else if (text[pos] === "}") {
        pos++;
        break;
      } else {
        const key = string("key") ?? (isSound() ? bareKey() : undefined);
        skipSpace();
        if (key === undefined || entries.some(([other]) => other === key)) stop("broken");
        else if (pos >= limit) stop("cut");
        else if (text[pos] !== ":") stop("broken");
        else {
          pos++;
          const read = value("object", depth + 1);
          if (read !== undefined) entries.push([key, read]);
        }
      }
    }
    return Object.fromEntries(entries);
  };

  const array = (depth: number): unknown => {
    const items: unknown[] = [];
    for (pos++; isSound();) {
      skipSeparators();
      if (pos >= limit) stop("unclosed");
      else if (text[pos] === "]") {
        pos++;
        break;
      } else {
        const read = value("array", depth + 1);
        if (read !== undefined) items.push(read);
      }
    }
    return items;
  };

  const read = value("alone", 0);
  if (read === undefined && pos === at) return undefined;
  return { value: read, end: Math.min(pos, limit), state, guessed };
}
