/** Gives a new line (with its index) the indentation of the file. */
type Reindent = (line: string, index: number) => string;

/**
 * How to carry indentation from the given text to the file: undefined unless one rule explains every line. A rule
 * is the same blanks more or less on each line, or the same number of levels more or less, where a level may be
 * a tab on one side and some spaces on the other. If the given text cut the blanks of its first line, that line
 * alone is left out of the rule.
 */
export function reindenter(
  oldLines: readonly string[],
  fileLines: readonly string[],
  newLines: readonly string[],
  wholeFile: readonly string[],
): Reindent | undefined {
  const pairs = oldLines
    .map((line, index) => ({
      old: indentOf(line),
      file: indentOf(fileLines[index] ?? ""),
      text: line.trim(),
    }))
    .filter(({ text }) => text !== "");
  const units = { old: indentUnit([...oldLines, ...newLines]), file: indentUnit(wholeFile) };

  const rule = ruleFor(pairs, units);
  if (rule !== undefined) return (line) => withIndent(line, rule);

  const [first, ...rest] = pairs;
  const restRule = ruleFor(rest, units);
  if (first === undefined || first.old !== "" || restRule === undefined) return undefined;
  return (line, index) =>
    index === 0 && indentOf(line) === "" ? withIndent(line, () => first.file) : withIndent(line, restRule);
}

type Rule = (indent: string) => string;

interface Pair {
  old: string;
  file: string;
}

function ruleFor(pairs: readonly Pair[], units: { old: string; file: string }): Rule | undefined {
  const [sample] = pairs;
  if (sample === undefined) return undefined;
  const levels = levelsOf(sample.file, units.file) - levelsOf(sample.old, units.old);
  const byBlanks: Rule[] = [
    (indent) => sample.file.slice(0, Math.max(0, sample.file.length - sample.old.length)) + indent,
    (indent) => indent.slice(Math.max(0, sample.old.length - sample.file.length)),
  ];
  const byLevels: Rule = (indent) => {
    const level = levelsOf(indent, units.old);
    const beyond = indent.startsWith("\t") ? "" : " ".repeat(indent.length - level * units.old.length);
    return units.file.repeat(Math.max(0, level + levels)) + beyond;
  };
  // Where both explain the lines, deeper new lines shall get the file's kind of level.
  const candidates = units.old === units.file ? [...byBlanks, byLevels] : [byLevels, ...byBlanks];
  return candidates.find((rule) => pairs.every(({ old, file }) => rule(old) === file));
}

function withIndent(line: string, rule: Rule): string {
  const indent = indentOf(line);
  const text = line.slice(indent.length);
  return text === "" ? "" : rule(indent) + text;
}

function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

function levelsOf(indent: string, unit: string): number {
  return indent.startsWith("\t")
    ? (/^\t*/.exec(indent)?.[0].length ?? 0)
    : Math.floor(indent.length / unit.length);
}

/** A tab if most indented lines begin with one, else the commonest step from a line to a deeper one. */
function indentUnit(lines: readonly string[]): string {
  const indents = lines.filter((line) => line.trim() !== "").map(indentOf);
  const indented = indents.filter((indent) => indent !== "");
  if (indented.length === 0) return "    ";
  if (indented.filter((indent) => indent.startsWith("\t")).length * 2 > indented.length) return "\t";

  const steps = new Map<number, number>();
  indents.forEach((indent, index) => {
    const step = indent.length - (indents[index - 1]?.length ?? indent.length);
    if (step > 1) steps.set(step, (steps.get(step) ?? 0) + 1);
  });
  const [commonest] = [...steps].sort(([, a], [, b]) => b - a);
  return " ".repeat(commonest?.[0] ?? Math.min(...indented.map((indent) => indent.length)));
}
