/** One line of a .gitignore. */
export interface IgnorePattern {
  /** The path counts again, whatever an earlier line says. */
  negated: boolean;
  foldersOnly: boolean;
  /** Without a slash a pattern is about the last name, at any depth. */
  nameOnly: boolean;
  /** For the bytes of a name or path, each as one character, as git compares them. */
  expression: RegExp;
}

/** The patterns of a .gitignore in their order, by the rules of git's own reader and matcher. */
export function parseIgnorePatterns(text: string, foldCase: boolean): IgnorePattern[] {
  return text.split("\n").flatMap((line) => {
    const pattern = withoutTrailingSpaces(line.replace(/\r$/, ""));
    if (pattern === "" || pattern.startsWith("#")) return [];
    const negated = pattern.startsWith("!");
    const body = negated ? pattern.slice(1) : pattern;
    const foldersOnly = body.endsWith("/");
    const path = foldersOnly ? body.slice(0, -1) : body;
    const source = toExpression(asBytes(path.replace(/^\//, "")));
    if (source === undefined) return [];
    const expression = new RegExp(`^${source}$`, foldCase ? "si" : "s");
    return [{ negated, foldersOnly, nameOnly: !path.includes("/"), expression }];
  });
}

/** Whether the last pattern that matches ignores the path (relative, with "/") or brings it back; undefined if none does. */
export function lastWord(
  patterns: readonly IgnorePattern[],
  path: string,
  isFolder: boolean,
): "ignored" | "kept" | undefined {
  const bytes = asBytes(path);
  const name = bytes.slice(bytes.lastIndexOf("/") + 1);
  const found = patterns.findLast(
    ({ foldersOnly, nameOnly, expression }) =>
      (isFolder || !foldersOnly) && expression.test(nameOnly ? name : bytes),
  );
  if (found === undefined) return undefined;
  return found.negated ? "kept" : "ignored";
}

function asBytes(text: string): string {
  return /^[\x00-\x7f]*$/.test(text) ? text : Buffer.from(text, "utf8").toString("latin1");
}

/** A space that a backslash stands before belongs to the pattern. */
function withoutTrailingSpaces(line: string): string {
  const [kept = ""] = /^(?:\\.|[^\\ ]| +(?! *$))*\\?/s.exec(line) ?? [];
  return kept;
}

/** The source of a regular expression; undefined for a pattern that matches nothing, such as one with an open bracket. */
function toExpression(pattern: string): string | undefined {
  let source = "";
  let at = 0;
  while (at < pattern.length) {
    const rest = pattern.slice(at);
    const [stars = ""] = /^\*+/.exec(rest) ?? [];
    if (stars !== "") {
      const after = rest.slice(stars.length);
      const isWhole =
        stars.length > 1 && (at === 0 || pattern[at - 1] === "/") && /^(?:$|\/|\\\/)/.test(after);
      const skipsSlash = isWhole && after.startsWith("/");
      source += skipsSlash ? "(?:.*/)?" : isWhole ? ".*" : "[^/]*";
      at += stars.length + (skipsSlash ? 1 : 0);
    } else if (rest.startsWith("?")) {
      source += "[^/]";
      at++;
    } else if (rest.startsWith("[")) {
      const bracket = readBracket(rest);
      if (bracket === undefined) return undefined;
      source += bracket.source;
      at += bracket.length;
    } else {
      const isEscape = rest.startsWith("\\");
      const character = rest[isEscape ? 1 : 0];
      if (character === undefined) return undefined;
      source += literal(character);
      at += isEscape ? 2 : 1;
    }
  }
  return source;
}

const CLASSES: Readonly<Record<string, string>> = {
  alnum: "a-zA-Z0-9",
  alpha: "a-zA-Z",
  blank: " \\t",
  cntrl: "\\x00-\\x1f\\x7f",
  digit: "0-9",
  graph: "!-~",
  lower: "a-z",
  print: " -~",
  punct: "!-\\/:-@\\[-`{-~",
  space: "\\t-\\r ",
  upper: "A-Z",
  xdigit: "0-9a-fA-F",
};

/** `[a-z]` or `[!a]`; the first character in it is itself, even "]". Undefined if it does not end. */
function readBracket(text: string): { source: string; length: number } | undefined {
  const negated = /^\[[!^]/.test(text);
  const begin = negated ? 2 : 1;
  const member = /\[:(?<name>[^\]]*):\]|(?<first>\\[^]|[^\\])(?:-(?<last>\\[^]|[^\\\]]))?/y;
  let members = "";
  member.lastIndex = begin;
  while (member.lastIndex === begin || text[member.lastIndex] !== "]") {
    const { name, first = "", last } = member.exec(text)?.groups ?? {};
    if (name === undefined && first === "") return undefined;
    const [from, to] = [first.at(-1) ?? "", (last ?? first).at(-1) ?? ""];
    // Of a range that runs backwards git takes the first character.
    const range = literal(from) + (from < to ? `-${literal(to)}` : "");
    const characters = name === undefined ? range : CLASSES[name];
    if (characters === undefined) return undefined;
    members += characters;
  }
  return { source: `(?!/)[${negated ? "^" : ""}${members}]`, length: member.lastIndex + 1 };
}

function literal(character: string): string {
  return `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
}
