import type { Word, WordPart } from "unbash";

/** A word of a command line, as far as its value is certain before bash runs. */
export interface ShellWord {
  /** As written, with quotes. */
  text: string;
  pieces: readonly WordPiece[];
}

export type WordPiece =
  | { kind: "text"; value: string }
  /** Any text without "/": `*`, `?`, `[a-z]`, `{1..9}`. */
  | { kind: "glob" }
  | { kind: "choice"; values: readonly string[] }
  /** `~` at the start. */
  | { kind: "home" }
  | { kind: "variable"; name: string; quoted: boolean }
  /** A quoted command substitution: one word, whose value is unknown. */
  | { kind: "output" }
  /** `<(…)`: the name of a pipe. */
  | { kind: "stream" }
  | { kind: "computed"; what: string };

/** Stands for "any text" in a spelling. A real path never holds a NUL, and a line with one always asks. */
export const WILDCARD = "\0";

export interface KnownValues {
  homeDir: string;
  workspaceRoot: string;
}

/** Variables whose value is known or is a number. */
const NUMBERS = new Set(["?", "#", "$"]);
const MOST_SPELLINGS = 64;

export function readWord(word: Word): ShellWord {
  if (mixesBraces(word)) return { text: word.text, pieces: [{ kind: "computed", what: word.text }] };
  const pieces = word.parts === undefined ? readText(word.text, word.value) : word.parts.flatMap(readPart);
  const tilde = readTilde(word);
  return { text: word.text, pieces: tilde === undefined ? pieces : [...tilde, ...afterTilde(pieces)] };
}

/**
 * Bash writes braces out before it looks for anything else: `$PWD{a,b}` reads the variables PWDa and PWDb, and
 * `{,x}~/y` begins with a tilde.
 */
function mixesBraces({ parts = [], text }: Word): boolean {
  const plain = new Set(["Literal", "SingleQuoted", "DoubleQuoted", "Glob", "BraceExpansion"]);
  return (
    parts.some(({ type }) => type === "BraceExpansion") &&
    (/[~$`]/.test(text) || parts.some(({ type }) => !plain.has(type)))
  );
}

function readText(text: string, value: string): WordPiece[] {
  // The parser splits every expansion off; should it miss one, the raw text still shows it.
  return /(^|[^\\])(`|\$\S)/.test(text) ? [{ kind: "computed", what: text }] : [{ kind: "text", value }];
}

function readPart(part: WordPart): WordPiece[] {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
      return [{ kind: "text", value: part.value }];
    case "AnsiCQuoted":
      // Bash cuts at NUL and writes bytes; only plain ASCII is sure to be the same text here and there.
      return /^[\t\n\x20-\x7e]*$/.test(part.value)
        ? [{ kind: "text", value: part.value }]
        : [{ kind: "computed", what: part.text }];
    case "DoubleQuoted":
      return readQuoted(part.parts);
    case "SimpleExpansion":
      return [{ kind: "variable", name: part.text.slice(1), quoted: false }];
    case "ParameterExpansion":
      return part.operation === undefined && part.prefix === undefined && part.index === undefined
        ? [{ kind: "variable", name: part.parameter, quoted: false }]
        : [{ kind: "computed", what: part.text }];
    case "Glob": {
      const plain = part.kind !== "bracket" || part.parts.every((inner) => inner.type === "Literal");
      return [plain ? { kind: "glob" } : { kind: "computed", what: part.text }];
    }
    case "BraceExpansion":
      return [readBraces(part.text)];
    case "ProcessSubstitution":
      return [part.operator === "<" ? { kind: "stream" } : { kind: "computed", what: part.text }];
    case "CommandExpansion":
    case "ArithmeticExpansion":
    case "LocaleString":
    case "ExtendedGlob":
      return [{ kind: "computed", what: part.text }];
  }
}

/** The parts of a double-quoted text or of a here-document. */
export function readQuoted(parts: readonly WordPart[]): WordPiece[] {
  return parts.flatMap((part): WordPiece[] => {
    if (part.type === "CommandExpansion") return [{ kind: "output" }];
    return readPart(part).map((piece) => (piece.kind === "variable" ? { ...piece, quoted: true } : piece));
  });
}

function readBraces(text: string): WordPiece {
  const inner = /^\{([\w.,@+:/-]*)\}$/.exec(text)?.[1];
  if (inner?.includes(",")) return { kind: "choice", values: inner.split(",") };
  // Between "Z" and "a" lie other characters, among them the backquote, which bash would then obey.
  if (/^(-?\d+\.\.-?\d+|[a-z]\.\.[a-z]|[A-Z]\.\.[A-Z])(\.\.-?\d+)?$/.test(inner ?? "")) {
    return { kind: "glob" };
  }
  return { kind: "computed", what: text };
}

/** Bash replaces an unquoted `~` at the start of a word, and after `=` or `:` in one that looks like an assignment. */
function readTilde(word: Word): WordPiece[] | undefined {
  if (/^[A-Za-z_]\w*\+?=(.*:)?~/s.test(word.text)) return [{ kind: "computed", what: word.text }];
  if (!word.text.startsWith("~")) return undefined;
  return word.text === "~" || word.text.startsWith("~/")
    ? [{ kind: "home" }]
    : [{ kind: "computed", what: word.text }];
}

function afterTilde(pieces: readonly WordPiece[]): WordPiece[] {
  const [first, ...rest] = pieces;
  return first?.kind === "text"
    ? [{ kind: "text", value: first.value.replace(/^~/, "") }, ...rest]
    : [...pieces];
}

/** The value, if the word is plain text. */
export function literalOf(word: ShellWord | undefined): string | undefined {
  return word?.pieces.every((piece) => piece.kind === "text")
    ? word.pieces.map((piece) => piece.value).join("")
    : undefined;
}

/** Why the value of a word cannot be known; undefined if it can, apart from patterns and quoted output. */
export function uncertaintyOf(word: ShellWord, known: KnownValues): string | undefined {
  for (const piece of word.pieces) {
    if (piece.kind === "computed") return `"${piece.what}" is computed when the command runs`;
    if (piece.kind !== "variable" || NUMBERS.has(piece.name)) continue;
    if (piece.name !== "PWD") return `the value of "$${piece.name}" is not known before the command runs`;
    if (!piece.quoted && /[\s*?[]/.test(known.workspaceRoot)) {
      return '"$PWD" is split at blanks when it stands without quotes';
    }
  }
  return spellingsOf(word, known)?.length === 0 ? `"${word.text}" makes too many words` : undefined;
}

/**
 * Every text that the word can become, with WILDCARD for parts that match file names; undefined if it holds something
 * unknown, empty if there are too many. `$HOME` is resolved too, for those who look for harm.
 */
export function spellingsOf(word: ShellWord, known: KnownValues): string[] | undefined {
  let spellings = [""];
  for (const piece of word.pieces) {
    const choices = choicesOf(piece, known);
    if (choices === undefined) return undefined;
    spellings = spellings.flatMap((start) => choices.map((choice) => start + choice));
    if (spellings.length > MOST_SPELLINGS) return [];
  }
  return spellings;
}

function choicesOf(piece: WordPiece, known: KnownValues): readonly string[] | undefined {
  switch (piece.kind) {
    case "text":
      return [piece.value];
    case "glob":
      return [WILDCARD];
    case "choice":
      return piece.values;
    case "home":
      return [known.homeDir];
    case "variable":
      if (NUMBERS.has(piece.name)) return ["0"];
      if (piece.name === "PWD") return [known.workspaceRoot];
      return piece.name === "HOME" ? [known.homeDir] : undefined;
    case "output":
    case "stream":
    case "computed":
      return undefined;
  }
}

/** Whether the word may turn out to be an option although it is not written as one: `*`, `{-o,x}`, `-{o,u}`. */
export function mayBecomeOption(word: ShellWord): boolean {
  const pieces = word.pieces.filter((piece) => piece.kind !== "text" || piece.value !== "");
  const [first] = pieces;
  if (first === undefined || pieces.every((piece) => piece.kind === "text")) return false;
  if (first.kind === "text") return first.value.startsWith("-");
  return first.kind === "glob" || first.kind === "choice" || first.kind === "output";
}
