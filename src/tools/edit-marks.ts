/** The edit without what the model copied along. */
export interface CleanedEdit {
  oldText: string;
  newText: string;
  /** What was taken away. */
  note: string;
}

/** A line number with its separator, as in listings, search hits and diffs of tools. */
const NUMBERED = /^\s*(\d+)( ?[|→]|[:\t ])/;
/** Separators that prose and data rarely have: one line of this kind is enough. */
const STRONG = /^\s*\d+\s?[|→]/;
const FENCED = /^\s*(`{3,}|~{3,})[^\n`]*\n([^]*?)\n?\s*\1\s*$/;

/**
 * The edits that the model may have meant if every line of its old text has a line number, a fence stands round it,
 * or it is written as the lines of a diff. Nothing is taken for a mark that lines of the file have themselves.
 */
export function copiedMarks(text: string, oldText: string, newText: string): CleanedEdit[] {
  return [
    withoutLineNumbers(text, oldText, newText),
    withoutFence(oldText, newText),
    withoutDiffMarks(oldText, newText),
  ].filter((edit) => edit !== undefined);
}

function withoutLineNumbers(text: string, oldText: string, newText: string): CleanedEdit | undefined {
  const [oldLines, oldEnd] = linesAndEnd(oldText);
  if (!areNumbered(oldLines) || fileHasNumbers(text, oldLines)) return undefined;
  const [newLines, newEnd] = linesAndEnd(newText);
  // Lines that the model added have no number.
  const stripped = stripNumbers(newLines.filter((line) => NUMBERED.test(line)));
  const fresh = newLines.map((line) => (NUMBERED.test(line) ? (stripped.shift() ?? line) : line));
  return {
    oldText: stripNumbers(oldLines).join("\n") + oldEnd,
    newText: fresh.join("\n") + newEnd,
    note: "copied line numbers were taken away",
  };
}

/** Numbers that go up by one; a single line only with a separator that says it is a listing. */
function areNumbered(lines: readonly string[]): boolean {
  const numbers = lines.map((line) => Number(NUMBERED.exec(line)?.[1] ?? Number.NaN));
  const [first = Number.NaN] = numbers;
  if (lines.length === 1) return /^\s*\d+(?: ?[|→]|\t|: )/.test(lines[0] ?? "");
  return numbers.every((number, index) => number === first + index);
}

/** Lines of the file begin with a number and the same separator, so numbers are part of the text. */
function fileHasNumbers(text: string, lines: readonly string[]): boolean {
  const separator = separatorOf(lines[0] ?? "");
  return text.split("\n").some((line) => separatorOf(line) === separator);
}

function separatorOf(line: string): string | undefined {
  const found = NUMBERED.exec(line)?.[2];
  return found === " |" ? "|" : found === " →" ? "→" : found;
}

function linesAndEnd(text: string): [lines: string[], end: string] {
  const end = text.endsWith("\n") ? "\n" : "";
  return [text.slice(0, text.length - end.length).split("\n"), end];
}

/** The blank after the separator belongs to it if every line has it. */
function stripNumbers(lines: readonly string[]): string[] {
  const rests = lines.map((line) => line.replace(NUMBERED, ""));
  return rests.every((rest) => rest === "" || rest.startsWith(" "))
    ? rests.map((rest) => rest.slice(1))
    : rests;
}

function withoutFence(oldText: string, newText: string): CleanedEdit | undefined {
  const inside = FENCED.exec(oldText)?.[2];
  if (inside === undefined || inside.trim() === "") return undefined;
  return {
    oldText: inside,
    newText: FENCED.exec(newText)?.[2] ?? newText,
    note: "the code fence around the text was taken away",
  };
}

function withoutDiffMarks(oldText: string, newText: string): CleanedEdit | undefined {
  const [oldLines, oldEnd] = linesAndEnd(oldText);
  const [newLines, newEnd] = linesAndEnd(newText);
  const isOld = oldLines.every((line) => /^[ -]/.test(line)) && oldLines.some((line) => line.startsWith("-"));
  const isNew = newText === "" || newLines.every((line) => /^[ +]/.test(line));
  // The lines around a change are the same on both sides.
  const context = (lines: readonly string[]): string =>
    lines.filter((line) => line.startsWith(" ")).join("\n");
  if (!isOld || !isNew || context(oldLines) !== context(newLines)) return undefined;
  const strip = (lines: readonly string[]): string => lines.map((line) => line.slice(1)).join("\n");
  return {
    oldText: strip(oldLines) + oldEnd,
    newText: strip(newLines) + newEnd,
    note: "the marks of a diff were taken away",
  };
}

/** The new text without line numbers that neither the old text nor the file has. */
export function newTextWithoutMarks(
  text: string,
  oldText: string,
  newText: string,
): { newText: string; note?: string } {
  const [lines, end] = linesAndEnd(newText);
  const isListing = lines.every((line) => STRONG.test(line)) && areNumbered(lines);
  if (!isListing || NUMBERED.test(oldText) || fileHasNumbers(text, lines)) return { newText };
  return {
    newText: stripNumbers(lines).join("\n") + end,
    note: "copied line numbers were taken away from new_text",
  };
}

const ESCAPE = /\\(.)/g;
const ESCAPED: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  '"': '"',
  "'": "'",
  "\\": "\\",
};

/**
 * The edit after one round of unescaping: only for one line in which every backslash begins an escape and no double
 * quote stands without one, as where JSON was written twice.
 */
export function unescaped(oldText: string, newText: string): CleanedEdit[] {
  if (!isEscaped(oldText)) return [];
  const plain = (text: string): string => text.replace(ESCAPE, (all, name: string) => ESCAPED[name] ?? all);
  return [
    {
      oldText: plain(oldText),
      newText: isEscaped(newText) ? plain(newText) : newText,
      note: "escapes were read as the characters that they stand for",
    },
  ];
}

function isEscaped(text: string): boolean {
  const escapes = [...text.matchAll(ESCAPE)];
  return (
    escapes.length > 0 &&
    !text.includes("\n") &&
    escapes.every(([, name = ""]) => name in ESCAPED) &&
    !/(?<!\\)(?:\\\\)*"/.test(text)
  );
}
