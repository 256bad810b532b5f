/**
 * A pattern as ripgrep reads it, as an expression of JavaScript: classes and word boundaries mean Unicode, "." stops at
 * line ends, "{" that begins no count is itself. Or what is wrong with it, in words.
 */
export function compilePattern(pattern: string, literal: boolean): RegExp | string {
  if (literal) return new RegExp(Array.from(pattern, escaped).join(""), "v");
  const [, letters = "", body = ""] = /^(?:\(\?([imsu]+)\))?([^]*)$/.exec(pattern) ?? [];
  const flags = letters.includes("i") ? "vi" : "v";
  try {
    return new RegExp(translate(body), flags);
  } catch (error) {
    return error instanceof Error
      ? error.message.replace(/^Invalid regular expression: \/.*\/v?i?: /s, "")
      : "";
  }
}

const WORD = String.raw`\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}`;
const STARTS_WORD = `(?<![${WORD}])(?=[${WORD}])`;
const ENDS_WORD = `(?<=[${WORD}])(?![${WORD}])`;

/** What stands for a set of characters, in and outside of brackets. */
const SETS: Readonly<Record<string, string>> = {
  d: String.raw`\p{Nd}`,
  D: String.raw`\P{Nd}`,
  s: String.raw`\p{White_Space}`,
  S: String.raw`\P{White_Space}`,
  w: `[${WORD}]`,
  W: `[^${WORD}]`,
  h: String.raw`[\t\p{Zs}]`,
  H: String.raw`[^\t\p{Zs}]`,
};

const PLACES: Readonly<Record<string, string>> = {
  A: "^",
  z: "$",
  Z: "$",
  b: `(?:${STARTS_WORD}|${ENDS_WORD})`,
  B: `(?:(?<![${WORD}])(?![${WORD}])|(?<=[${WORD}])(?=[${WORD}]))`,
  "<": STARTS_WORD,
  ">": ENDS_WORD,
};

const CONTROLS: Readonly<Record<string, number>> = { a: 7, e: 27, f: 12, n: 10, r: 13, t: 9, v: 11 };

const POSIX: Readonly<Record<string, string>> = {
  alnum: "a-zA-Z0-9",
  alpha: "a-zA-Z",
  ascii: String.raw`\x00-\x7f`,
  blank: String.raw`\t\x20`,
  cntrl: String.raw`\x00-\x1f\x7f`,
  digit: "0-9",
  graph: String.raw`\x21-\x7e`,
  lower: "a-z",
  print: String.raw`\x20-\x7e`,
  punct: String.raw`\x21-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e`,
  space: String.raw`\x09-\x0d\x20`,
  upper: "A-Z",
  word: "a-zA-Z0-9_",
  xdigit: "0-9a-fA-F",
};

/** `\x41`, `\x{41}`, `\u0041`, `\u{41}`, `\U00000041`, `\p{…}`, `\k<name>`, `\1`, or a backslash and a character. */
const ESCAPE =
  /\\(?:x(?<two>[\da-f]{2})|u(?<four>[\da-f]{4})|U(?<eight>[\da-f]{8})|[xuU]\{(?<hex>[\da-f]+)\}|(?<property>[pP](?:\{[\w=^]+\}|[A-Z]))|(?<back>k<\w+>|[1-9]\d*)|(?<other>[^]))/iy;
const GROUP = /\((?:\?(?:[:=!]|<[=!]|P?<(?<name>[A-Za-z_]\w*)>))?/y;
const COUNT = /\{\d*(?:,\d*)?\}/y;

/** Throws SyntaxError for what JavaScript cannot do. */
function translate(pattern: string): string {
  let source = "";
  let at = 0;
  const take = (token: RegExp): RegExpExecArray | undefined => {
    token.lastIndex = at;
    const found = token.exec(pattern) ?? undefined;
    at += found?.[0].length ?? 0;
    return found;
  };
  while (at < pattern.length) {
    const character = String.fromCodePoint(pattern.codePointAt(at) ?? 0);
    if (character === "\\") {
      const found = take(ESCAPE);
      if (found === undefined) throw new SyntaxError("it ends in a backslash");
      source += escape(found.groups ?? {}, "outside");
    } else if (character === "[") {
      const set = bracket(pattern, at);
      source += set.source;
      at = set.end;
    } else if (character === "(") {
      const found = take(GROUP);
      const name = found?.groups?.["name"];
      source += name === undefined ? (found?.[0] ?? "") : `(?<${name}>`;
    } else if (character === "{") {
      const [count] = take(COUNT) ?? [];
      if (count === undefined || count === "{}" || count === "{,}")
        source += Array.from(count ?? "{", escaped).join("");
      else source += count.replace("{,", "{0,");
      if (count === undefined) at++;
    } else {
      source +=
        character === "."
          ? String.raw`[^\n\r]`
          : "^$*+?|)".includes(character)
            ? character
            : escaped(character);
      at += character.length;
    }
  }
  return source;
}

/** The bracket expression that begins at `begin`; a first "]" is a character of it. */
function bracket(pattern: string, begin: number): { source: string; end: number } {
  const negated = pattern[begin + 1] === "^";
  let at = begin + (negated ? 2 : 1);
  const first = at;
  const member = /\[:(?<not>\^?)(?<posix>\w+):\]|[^\\]/uy;
  let members = "";
  while (at === first || pattern[at] !== "]") {
    const token = pattern[at] === "\\" ? ESCAPE : member;
    token.lastIndex = at;
    const found = token.exec(pattern);
    if (found === null) throw new SyntaxError("a bracket is not closed");
    const { not, posix, ...groups } = found.groups ?? {};
    at += found[0].length;
    if (token === ESCAPE) members += escape(groups, "inside");
    else if (posix !== undefined) members += `[${not ?? ""}${POSIX[posix] ?? unknown(`[:${posix}:]`)}]`;
    else members += found[0] === "-" && isRange(pattern, at, first) ? "-" : escaped(found[0]);
  }
  return { source: `[${negated ? "^" : ""}${members}]`, end: at + 1 };
}

/** A hyphen between two characters; at the edges, or beside a set, it is itself. */
function isRange(pattern: string, after: number, first: number): boolean {
  const before = pattern.slice(first, after - 1);
  return (
    before !== "" &&
    !/(?:^|[^\\])(?:\\\\)*\\[dDsSwWhHpP]$|:\]$|\}$/.test(before) &&
    !/^(?:\]|\\[dDsSwWhHpP]|\[:)/.test(pattern.slice(after))
  );
}

function escape(groups: Readonly<Record<string, string | undefined>>, place: "inside" | "outside"): string {
  const { two, four, eight, hex, property, back, other } = groups;
  const code = two ?? four ?? eight ?? hex;
  if (code !== undefined) return `\\u{${code}}`;
  if (property !== undefined)
    return `\\${property.length === 2 ? `${property[0] ?? ""}{${property[1] ?? ""}}` : withScript(property)}`;
  if (back !== undefined && place === "outside") return `\\${back}`;
  const letter = other ?? "";
  const control = CONTROLS[letter];
  const known = SETS[letter] ?? (place === "outside" ? PLACES[letter] : undefined);
  if (known !== undefined) return known;
  if (control !== undefined) return `\\u{${control.toString(16)}}`;
  return /[\p{L}\p{N}]/u.test(letter) || letter === ""
    ? unknown(`\\${letter || (back ?? "")}`)
    : escaped(letter);
}

/** Scripts may stand without "Script=" in ripgrep. */
function withScript(property: string): string {
  const [, letter = "", name = ""] = /^(.)\{(.*)\}$/.exec(property) ?? [];
  try {
    new RegExp(`\\p{${name}}`, "v");
    return property;
  } catch {
    return `${letter}{Script=${name}}`;
  }
}

function unknown(what: string): never {
  throw new SyntaxError(`${what} is not known`);
}

function escaped(character: string): string {
  return /[\p{L}\p{N}_]/u.test(character)
    ? character
    : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
