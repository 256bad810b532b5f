import { judgeGit } from "./git-rules.js";
import { readArguments, refusedOptions } from "./program-options.js";
import type { Arguments, Refusal, ValueOptions } from "./program-options.js";
import { ALWAYS, checkFind, checkScripts, checkTar } from "./program-checks.js";
import { isHarmlessAwk, isHarmlessSed } from "./script-rules.js";
import { literalOf } from "./shell-words.js";
import type { ShellWord } from "./shell-words.js";

/** What is known of a program that may be listed. All of these only read, unless an option or operand says otherwise. */
interface ProgramRule {
  /** Which words are no paths: none, all, or the first operand (a pattern or script). */
  text?: "all" | "first";
  /** If one of these options is given, there is no pattern among the operands. */
  patternOptions?: readonly string[];
  values?: ValueOptions;
  /** Options of `values` whose value is no path. */
  textOptions?: readonly string[];
  /** Options that make it write or run → what they do. */
  refused?: Readonly<Record<string, string>>;
  check?: (given: Arguments, words: readonly ShellWord[]) => Refusal[];
  /** Tells names and properties only, so it may name a secret file. */
  namesOnly?: true;
}

const WRITES = "writes a file";
const RUNS = "runs a program";

const READS_FILES: ProgramRule = {};
const NAMES_FILES: ProgramRule = { namesOnly: true };
const TEXT_ONLY: ProgramRule = { text: "all" };
const GREP: ProgramRule = {
  text: "first",
  patternOptions: ["e", "f", "regexp", "file"],
  values: {
    short: "efmABCdD",
    long: "regexp file max-count after-context before-context context include exclude exclude-dir exclude-from label".split(
      " ",
    ),
  },
  textOptions: "e regexp m A B C include exclude exclude-dir label".split(" "),
};
const SED: ProgramRule = {
  text: "first",
  patternOptions: ["e", "expression"],
  values: { short: "efl", long: ["expression", "file", "line-length"] },
  textOptions: ["e", "expression", "l"],
  refused: {
    i: "changes files in place",
    I: "changes files in place",
    "in-place": "changes files in place",
    f: "reads its commands from a file",
    file: "reads its commands from a file",
  },
  check: (given) => checkScripts("sed", given, ["e", "expression"], isHarmlessSed),
};
const AWK: ProgramRule = {
  text: "first",
  values: { short: "Fv" },
  textOptions: ["F", "v"],
  check: (given) => [
    ...given.options
      .filter(({ name }) => name !== "F" && name !== "v")
      .map(({ name, index }) => ({ because: `the option "${name}" of awk can load other code`, index })),
    ...checkScripts("awk", given, [], isHarmlessAwk),
  ],
};
const INTERACTIVE: ProgramRule = {
  check: () => [{ because: "it waits for keys and can start other programs", index: ALWAYS }],
};
const TEST: ProgramRule = {
  namesOnly: true,
  check: (_, words) =>
    words.flatMap((word, index) =>
      /^-[vR]$/.test(literalOf(word) ?? "")
        ? [{ because: `"${word.text}" evaluates its operand, which can run a command`, index }]
        : [],
    ),
};

/** Programs with their dangerous options and operands; one that is missing here may do anything with its words. */
const PROGRAMS: Readonly<Record<string, ProgramRule>> = {
  ...each("cat head tail tac nl cut paste comm cmp fold rev od strings cksum md5sum", READS_FILES),
  ...each("sha1sum sha256sum sha512sum wc column", READS_FILES),
  ...each("ls stat du realpath readlink cd", NAMES_FILES),
  ...each("echo pwd true false : basename dirname seq sleep uname whoami id which type exit tr", TEXT_ONLY),
  ...each("grep egrep fgrep", GREP),
  ...each("sed gsed", SED),
  ...each("awk gawk mawk", AWK),
  ...each("man less more", INTERACTIVE),
  ...each("test [", TEST),
  printf: {
    text: "all",
    check: (_, words) =>
      literalOf(words[1])?.startsWith("-v") === true
        ? [{ because: '"-v" of printf sets a variable and can run a command', index: 1 }]
        : [],
  },
  sort: {
    values: { short: "koStT", long: ["key", "field-separator", "buffer-size", "parallel", "batch-size"] },
    textOptions: ["k", "t", "S", "key", "field-separator", "buffer-size"],
    refused: {
      o: WRITES,
      output: WRITES,
      "compress-program": RUNS,
      "files0-from": "reads files that a file names",
      T: "writes temporary files elsewhere",
      "temporary-directory": "writes temporary files elsewhere",
    },
  },
  shuf: { values: { short: "ino" }, refused: { o: WRITES, output: WRITES } },
  uniq: {
    values: { short: "fsw" },
    check: ({ operands }) => {
      const second = operands[1] ?? operands.find(({ word }) => literalOf(word) === undefined);
      return second ? [{ because: `uniq writes to "${second.word.text}"`, index: second.index }] : [];
    },
  },
  diff: { refused: { l: RUNS, paginate: RUNS } },
  find: { namesOnly: true, check: checkFind },
  fd: {
    text: "first",
    values: {
      short: "dEetSjc",
      long: "max-depth min-depth exclude extension type size color search-path base-directory ignore-file".split(
        " ",
      ),
    },
    textOptions: ["E", "e", "t", "exclude", "extension"],
    refused: { x: RUNS, exec: RUNS, X: RUNS, "exec-batch": RUNS, l: RUNS, "list-details": RUNS },
  },
  rg: {
    text: "first",
    patternOptions: ["e", "f", "regexp", "file", "files", "type-list"],
    values: {
      short: "efgtTmABCjMErd",
      long: ["regexp", "file", "glob", "iglob", "type", "type-not", "replace"],
    },
    textOptions: ["e", "regexp", "g", "glob", "iglob", "t", "T", "type", "type-not", "r", "replace"],
    refused: { pre: RUNS, "hostname-bin": RUNS, z: RUNS, "search-zip": RUNS },
  },
  tar: { check: checkTar },
  tree: {
    namesOnly: true,
    values: { short: "LPIHTo" },
    textOptions: ["L", "P", "I", "H", "T"],
    refused: { o: WRITES, R: WRITES },
  },
  date: {
    values: { short: "dfrs", long: ["date", "file", "reference", "set"] },
    textOptions: ["d", "date"],
    refused: { s: "sets the clock", set: "sets the clock" },
    check: ({ operands }) =>
      operands
        .filter(({ word }) => literalOf(word)?.startsWith("+") !== true)
        .map(({ word, index }) => ({ because: `"${word.text}" can set the clock`, index })),
  },
  file: {
    values: { short: "mfeFP" },
    refused: { C: WRITES, compile: WRITES, z: RUNS, Z: RUNS, uncompress: RUNS, "uncompress-noreport": RUNS },
  },
  jq: {
    text: "first",
    refused: { f: "loads its filter from a file", "from-file": "loads its filter from a file" },
    check: (_, words) =>
      words.flatMap((word, index) =>
        /(^|[^.\w])env\b|\$ENV|\b(import|include)\b/.test(word.text)
          ? [{ because: `"${word.text}" shows environment variables or loads other files`, index }]
          : [],
      ),
  },
};

/** Programs of the shell itself that set variables, names or traps, or read commands from a text. */
export const SHELL_STATE: ReadonlySet<string> = new Set(
  (
    "export declare typeset local readonly set shopt alias unalias unset hash enable trap eval source . exec let " +
    "read mapfile readarray getopts pushd popd ulimit umask shift bind complete compopt compgen fc history disown wait jobs fg bg suspend"
  ).split(" "),
);

export interface ProgramJudgement {
  /** Against running unasked, by word. */
  refusals: readonly Refusal[];
  /** Can neither write nor run anything, but for the refusals. */
  reader: boolean;
  namesOnly: boolean;
  /** No operand or option can make it write or run, so it may get words that were not seen. */
  takesAnyWord: boolean;
  /** Positions of words that are text and no path. */
  textIndexes: ReadonlySet<number>;
}

/** What a program (`words[0]`, a literal name) would do with its words. */
export function judgeProgram(words: readonly ShellWord[]): ProgramJudgement {
  const name = literalOf(words[0]) ?? "";
  if (name === "git") {
    const git = judgeGit(words);
    return {
      ...git,
      namesOnly: false,
      takesAnyWord: false,
      textIndexes: onlySingleWords(git.textIndexes, words),
    };
  }
  const rule = Object.hasOwn(PROGRAMS, name) ? PROGRAMS[name] : undefined;
  const given = readArguments(words, rule?.values);
  const refusals = refusedOptions(name, given, rule?.refused ?? {});
  if (rule?.check) refusals.push(...rule.check(given, words));
  const takesAnyWord = rule !== undefined && !rule.check && !rule.refused;
  if (!takesAnyWord || rule.text === "first") {
    for (const { word, index } of given.unclear) {
      refusals.push({ because: `"${word.text}" can become an option of ${name}`, index });
    }
  }
  return {
    refusals,
    reader: rule !== undefined,
    namesOnly: rule?.namesOnly === true,
    takesAnyWord,
    textIndexes: textIndexes(rule, given, words),
  };
}

function textIndexes(
  rule: ProgramRule | undefined,
  given: Arguments,
  words: readonly ShellWord[],
): Set<number> {
  if (rule?.text === "all") return new Set(words.keys());
  const found = new Set<number>();
  const isText = (option: string): boolean => rule?.textOptions?.includes(option) === true;
  for (const [index, option] of given.valueIndexes) if (isText(option)) found.add(index);
  for (const { name, index } of given.options) if (isText(name)) found.add(index);
  const [first] = given.operands;
  if (rule?.text === "first" && first && !given.options.some(({ name }) => givesPattern(rule, name))) {
    found.add(first.index);
  }
  return onlySingleWords(found, words);
}

function givesPattern({ patternOptions = [] }: ProgramRule, option: string): boolean {
  return patternOptions.some((known) => known === option || (option.length > 1 && known.startsWith(option)));
}

/** `{x,/etc/passwd}` in the place of a pattern is a pattern and a file. */
function onlySingleWords(indexes: ReadonlySet<number>, words: readonly ShellWord[]): Set<number> {
  const isSingle = (index: number): boolean =>
    words[index]?.pieces.every(({ kind }) => kind !== "glob" && kind !== "choice") === true;
  return new Set([...indexes].filter(isSingle));
}

function each(names: string, rule: ProgramRule): Record<string, ProgramRule> {
  return Object.fromEntries(names.split(" ").map((name) => [name, rule]));
}
