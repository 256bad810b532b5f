import { readArguments, refusedOptions } from "./program-options.js";
import type { Arguments, Refusal, ValueOptions } from "./program-options.js";
import { literalOf } from "./shell-words.js";
import type { ShellWord } from "./shell-words.js";

interface Subcommand {
  /** Only reads, whatever operands it gets; options are looked at besides. */
  reader?: true;
  values?: ValueOptions;
  /** Options of `values` whose value is no path. */
  text?: readonly string[];
  refused?: Readonly<Record<string, string>>;
  /** If given, every other option is refused. */
  onlyOptions?: readonly string[];
  check?: (given: Arguments, words: readonly ShellWord[]) => string | undefined;
}

/** In front of the subcommand; the others change the repository, the configuration or the programs that git uses. */
const FREE_GLOBAL_OPTIONS = new Set([
  "--no-pager",
  "-P",
  "--no-optional-locks",
  "--literal-pathspecs",
  "--no-replace-objects",
  "--version",
]);

const RUNS = "runs a program";
const WRITES = "writes a file";

/** Dangerous in whatever subcommand has them. */
const REFUSED = {
  "ext-diff": RUNS,
  extcmd: RUNS,
  "open-files-in-pager": RUNS,
  "upload-pack": RUNS,
  "receive-pack": RUNS,
  exec: RUNS,
  template: "installs hooks",
  output: WRITES,
};

const LOG_VALUES: ValueOptions = {
  short: "nSGULOl",
  long: "grep author committer since until after before format pretty max-count skip date diff-filter word-diff-regex".split(
    " ",
  ),
};
const LOG_TEXT = [...(LOG_VALUES.long ?? []), "n", "S", "G", "U", "l"];
const HISTORY: Subcommand = { reader: true, values: LOG_VALUES, text: LOG_TEXT };
const READER: Subcommand = { reader: true };
const MESSAGE: Subcommand = {
  values: { short: "mFCct", long: ["message", "file", "author", "date", "trailer", "cleanup"] },
  text: ["m", "message", "author", "date", "trailer", "cleanup", "C", "c"],
};
const CHANGES: Subcommand = {};

const LIST_OPTIONS =
  "a r v l i n all remotes verbose list show-current contains no-contains merged no-merged points-at sort format color no-color column no-column ignore-case abbrev no-abbrev".split(
    " ",
  );
const LISTING: Subcommand = {
  reader: true,
  onlyOptions: LIST_OPTIONS,
  values: { long: ["sort", "format", "points-at"] },
  text: ["sort", "format", "points-at"],
  check: ({ options, operands }) => {
    const lists = options.some(({ name }) =>
      ["l", "list", "contains", "no-contains", "merged", "no-merged"].includes(name),
    );
    return operands.length > 0 && !lists ? "makes or moves a reference" : undefined;
  },
};

/** What a rule that names only "git" covers. Any other name may be an alias or a program of somebody's. */
const SUBCOMMANDS: Readonly<Record<string, Subcommand>> = {
  status: READER,
  diff: HISTORY,
  log: HISTORY,
  show: HISTORY,
  shortlog: HISTORY,
  "rev-list": HISTORY,
  blame: READER,
  grep: { reader: true, refused: { O: RUNS }, values: { short: "eABCmf" }, text: ["e"] },
  "ls-files": READER,
  "ls-tree": READER,
  "rev-parse": READER,
  describe: READER,
  "merge-base": READER,
  "show-ref": READER,
  "for-each-ref": READER,
  "cat-file": { reader: true, refused: { textconv: RUNS, filters: RUNS } },
  branch: LISTING,
  tag: LISTING,
  remote: {
    reader: true,
    onlyOptions: ["v", "verbose"],
    check: ({ operands }) =>
      operands.length > 0 && literalOf(operands[0]?.word) !== "get-url"
        ? "changes or contacts a remote"
        : undefined,
  },
  config: {
    reader: true,
    onlyOptions:
      "l list get get-all get-regexp local global system worktree includes show-origin show-scope name-only z null type".split(
        " ",
      ),
    check: ({ options, operands }) => {
      const reads = options.some(({ name }) => /^(l|list|get|get-all|get-regexp)$/.test(name));
      const asked = literalOf(operands[0]?.word);
      return reads || asked === "get" || asked === "list" ? undefined : "changes the configuration";
    },
  },
  add: CHANGES,
  commit: MESSAGE,
  mv: CHANGES,
  rm: CHANGES,
  restore: CHANGES,
  switch: CHANGES,
  checkout: CHANGES,
  merge: MESSAGE,
  "cherry-pick": CHANGES,
  revert: CHANGES,
  rebase: { refused: { x: RUNS } },
  reset: CHANGES,
  stash: MESSAGE,
  fetch: CHANGES,
  pull: CHANGES,
  push: CHANGES,
};

/** Subcommands that a rule has to name, and that have dangerous words of their own. */
const NAMED_ONLY: Readonly<Record<string, Subcommand>> = {
  clone: { refused: { c: RUNS, config: RUNS, u: RUNS } },
  archive: { refused: { o: WRITES } },
  bisect: { check: ({ operands }) => (literalOf(operands[0]?.word) === "run" ? RUNS : undefined) },
  submodule: { check: ({ operands }) => (literalOf(operands[0]?.word) === "foreach" ? RUNS : undefined) },
};

export interface GitLine {
  refusals: Refusal[];
  reader: boolean;
  /** Positions of words that are text and no path: messages, formats, search words. */
  textIndexes: ReadonlySet<number>;
}

/** Judges the words of a git command, `words[0]` being "git". */
export function judgeGit(words: readonly ShellWord[]): GitLine {
  const at = words.findIndex((word, index) => index > 0 && !FREE_GLOBAL_OPTIONS.has(literalOf(word) ?? ""));
  const name = literalOf(words[at]);
  if (at === -1) return { refusals: [], reader: true, textIndexes: new Set() };
  if (name === undefined || name.startsWith("-")) {
    const because = `"${words[at]?.text ?? ""}" before git's subcommand can change what git runs or where`;
    return { refusals: [{ because, index: at }], reader: false, textIndexes: new Set() };
  }

  const listed = Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name] : undefined;
  const subcommand = listed ?? (Object.hasOwn(NAMED_ONLY, name) ? NAMED_ONLY[name] : undefined) ?? {};
  const rest = words.slice(at);
  const given = readArguments(rest, subcommand.values);
  const program = `git ${name}`;
  const refusals = refusedOptions(program, given, { ...REFUSED, ...subcommand.refused });
  if (listed === undefined) {
    refusals.push({ because: `"${program}" may be an alias; only a rule that names it covers it`, index: 0 });
  }
  for (const { name: option, index } of given.options) {
    if (subcommand.onlyOptions?.includes(option) === false && !/^\d$/.test(option)) {
      refusals.push({
        because: `"${rest[index]?.text ?? option}" of ${program} can change something`,
        index,
      });
    }
  }
  const objection = subcommand.check?.(given, rest);
  if (objection !== undefined)
    refusals.push({ because: `"${program}" with these words ${objection}`, index: 1 });
  for (const { word, index } of given.operands) {
    if (/^\w+::/.test(word.text)) refusals.push({ because: `the address "${word.text}" ${RUNS}`, index });
  }
  for (const { word, index } of given.unclear) {
    refusals.push({ because: `"${word.text}" can become an option of ${program}`, index });
  }

  const isText = (option: string): boolean => subcommand.text?.includes(option) === true;
  const textIndexes = new Set<number>();
  for (const [index, option] of given.valueIndexes) if (isText(option)) textIndexes.add(at + index);
  for (const { name: option, index } of given.options) if (isText(option)) textIndexes.add(at + index);
  return {
    refusals: refusals.map((refusal) => ({ ...refusal, index: at + refusal.index })),
    reader: subcommand.reader === true,
    textIndexes,
  };
}
