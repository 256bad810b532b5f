import type { CommandFacts, FileFact } from "./command-facts.js";
import { pathTexts } from "./command-paths.js";
import { findRule } from "./command-rules.js";
import type { ParsedRule, Rule } from "./command-rules.js";
import { NEUTRAL_VARIABLES, matchesName } from "./defaults.js";
import { SHELL_STATE, judgeProgram } from "./program-rules.js";
import { parseCommandLine } from "./shell-grammar.js";
import type { CommandLine, ShellAssignment, ShellRedirect, SimpleCommand } from "./shell-grammar.js";
import { literalOf, uncertaintyOf } from "./shell-words.js";
import type { KnownValues, ShellWord } from "./shell-words.js";
import { unwrap } from "./wrappers.js";

/** One reason against running a line unasked. What a step means for the verdict stands in the policy's table. */
export interface Finding {
  step:
    | "protected-write"
    | "grammar"
    | "unlisted"
    | "computed"
    | "shell-state"
    | "wrapper"
    | "assignment"
    | "redirect"
    | "option"
    | "operand"
    | "program-lookup"
    | "git-configuration";
  because: string;
  /** Position among the line's simple commands. */
  command?: number;
}

export interface FindingContext {
  allowed: readonly ParsedRule[];
  facts: CommandFacts;
  known: KnownValues;
  /** For the script of a nested shell: the line around it changes the folder. */
  movesBefore?: boolean;
}

export interface Findings {
  findings: Finding[];
  /** The rule that covers each simple command, by position. */
  rules: ReadonlyMap<number, Rule>;
}

const FREE_OUTPUTS: ReadonlySet<string> = new Set(["/dev/null", "/dev/stdout", "/dev/stderr"]);
const MOST_NESTING = 4;

/** Goes through everything that bash would run for a line. Pure: all that the disk says is in the facts. */
export function findObjections(line: CommandLine, context: FindingContext, nesting = 0): Findings {
  const { known, facts, allowed } = context;
  const findings: Finding[] = [];
  const rules = new Map<number, Rule>();
  const folderChanges = line.commands.filter(({ words }) => literalOf(words[0]) === "cd").length;
  const movesFolder = context.movesBefore === true || folderChanges > 0;

  function add(step: Finding["step"], because: string, command?: number): void {
    findings.push(command === undefined ? { step, because } : { step, because, command });
  }

  function judgeCommand(command: SimpleCommand, at: number): void {
    for (const assignment of command.assignments) judgeAssignment(assignment, command, at);
    for (const redirect of command.redirects) judgeRedirect(redirect, at);
    if (command.words.length > 0) judgeWords(command.words, 0, command, at);
    else if (command.redirects.length > 0) add("redirect", "a redirect stands without a command", at);
  }

  /** @param covered how many of the words a rule for a wrapper already named */
  function judgeWords(
    words: readonly ShellWord[],
    covered: number,
    command: SimpleCommand,
    at: number,
  ): void {
    for (const word of words) judgeCertainty(word, at);
    const name = literalOf(words[0]);
    if (name === undefined) {
      add("computed", `the name of the program, "${words[0]?.text ?? ""}", is computed`, at);
      return;
    }
    const rule = findRule(allowed, words);
    const named = Math.max(covered, rule?.length ?? 0);
    if (rule && !rules.has(at)) rules.set(at, rule.rule);
    if (named === 0) add("unlisted", `no rule allows "${shortName(words)}"`, at);

    if (SHELL_STATE.has(name)) {
      add("shell-state", `"${name}" changes what later commands mean, or runs a text as commands`, at);
    }
    if (name === "cd") judgeFolderChange(words, command, at);
    lookUp(name, at);

    const wrapped = unwrap(words);
    switch (wrapped.kind) {
      case "opaque":
        add("wrapper", wrapped.because, at);
        return;
      case "command": {
        const inner = words.slice(wrapped.at);
        if (wrapped.addsOperands && !judgeProgram(inner).takesAnyWord) {
          add("wrapper", `${name} gives "${shortName(inner)}" words that cannot be checked`, at);
        }
        judgeWords(inner, Math.max(0, named - wrapped.at), command, at);
        return;
      }
      case "script":
        if (nesting >= MOST_NESTING) add("wrapper", "shells are nested too deeply", at);
        else judgeScript(wrapped.text, at);
        return;
      case "none":
        judgeOperands(words, named, at);
    }
  }

  function judgeCertainty(word: ShellWord, at?: number): void {
    const uncertainty = uncertaintyOf(word, known);
    if (uncertainty !== undefined) add("computed", uncertainty, at);
    else if (movesFolder && word.pieces.some((piece) => piece.kind === "variable" && piece.name === "PWD")) {
      add("computed", 'after cd, the value of "$PWD" is another one', at);
    }
  }

  function judgeScript(text: string, at: number): void {
    const inner = findObjections(
      parseCommandLine(text),
      { ...context, movesBefore: movesFolder },
      nesting + 1,
    );
    for (const { step, because } of inner.findings) add(step, because, at);
  }

  function judgeOperands(words: readonly ShellWord[], named: number, at: number): void {
    const program = judgeProgram(words);
    for (const { because, index } of program.refusals) if (index >= named) add("option", because, at);
    if (literalOf(words[0]) === "git") judgeGitConfiguration(program.reader, at);
    words.forEach((word, index) => {
      if (index < Math.max(1, named) || program.textIndexes.has(index)) return;
      if (word.pieces.some(({ kind }) => kind === "output")) {
        add("operand", `"${word.text}" is the output of a command, so what it names is not known`, at);
      }
      if (!program.reader && word.pieces.some(({ kind }) => kind === "stream")) {
        add("operand", `"${word.text}" is the output of a command`, at);
      }
      for (const fact of filesOf(word)) judgeFile(fact, program, at);
    });
  }

  function judgeFile(file: FileFact, program: { reader: boolean; namesOnly: boolean }, at?: number): void {
    if (file.refused !== undefined) add("operand", file.refused, at);
    else if (!file.inside) add("operand", `"${file.display}" lies outside the workspace`, at);
    else if (file.secret && !program.namesOnly) {
      add("operand", `"${file.display}" is a usual place of keys or passwords`, at);
    } else if (file.protection !== undefined && !program.reader) {
      add("operand", `"${file.display}" has a protected name`, at);
    }
  }

  function filesOf(word: ShellWord): FileFact[] {
    return pathTexts(word, known).flatMap((text) => {
      const found = facts.files.get(text);
      return found ?? [{ ...UNSEEN, refused: `"${text}" was not looked up` }];
    });
  }

  function judgeFolderChange(words: readonly ShellWord[], command: SimpleCommand, at: number): void {
    const target = literalOf(words[1]);
    if (words.length !== 2 || target === undefined || target.startsWith("-")) {
      add("shell-state", "where this cd leads is not certain", at);
    } else if (folderChanges > 1 || context.movesBefore || command.inLoop) {
      add("shell-state", "the line changes the folder more than once", at);
    }
  }

  function lookUp(name: string, at: number): void {
    if (name.includes("/")) {
      if (movesFolder) add("program-lookup", `after cd, "${name}" can be another file`, at);
      return;
    }
    const program = facts.programs.get(name);
    if (program === undefined) add("program-lookup", `"${name}" was not looked up`, at);
    else if (program.kind === "relative") {
      add("program-lookup", `PATH depends on the current folder, so "${name}" can be any file there`, at);
    } else if (program.kind === "found" && program.insideWorkspace) {
      add("program-lookup", `"${name}" leads to ${program.file}, a file of the workspace`, at);
    }
  }

  function judgeGitConfiguration(reader: boolean, at: number): void {
    const { git } = facts;
    if ("unknown" in git) {
      add("git-configuration", `the repository's git configuration could not be read (${git.unknown})`, at);
      return;
    }
    // The environment of unasked lines switches hooks off, which a line that only reads does not miss.
    const keys = git.keys.filter((key) => !(reader && key.toLowerCase() === "core.hookspath"));
    if (keys.length > 0) {
      const listed = keys.join(", ");
      add("git-configuration", `the repository's git configuration can run programs (${listed})`, at);
    }
  }

  function judgeAssignment(assignment: ShellAssignment, command: SimpleCommand, at: number): void {
    const isLiteral = literalOf(assignment.value) !== undefined;
    const isNeutral = matchesName(NEUTRAL_VARIABLES, assignment.name) && /^[A-Z_]+$/.test(assignment.name);
    if (command.words.length > 0 && isLiteral && isNeutral) return;
    add("assignment", `it sets the variable "${assignment.name}"`, at);
  }

  function judgeRedirect(redirect: ShellRedirect, at?: number): void {
    const { operator, target, text } = redirect;
    if (redirect.setsVariable) add("redirect", `"${text}" sets a variable`, at);
    if (operator.startsWith("<<") && target === undefined) return;
    if (target === undefined) {
      add("redirect", `"${text}" has no target`, at);
      return;
    }
    judgeCertainty(target, at);
    const literal = literalOf(target);
    if (operator === "<<<") return;
    if (/^[<>]&$/.test(operator) && /^(\d+-?|-)$/.test(literal ?? "")) return;
    if (operator === "<") {
      judgeInput(target, at);
      return;
    }
    if (literal !== undefined && FREE_OUTPUTS.has(literal) && operator !== "<>" && operator !== "<&") return;
    const isProtected = filesOf(target).some(({ protection }) => protection === "deny");
    if (isProtected) {
      add("protected-write", `"${target.text}" decides what may run here, so it is never written`, at);
    }
    add("redirect", `"${text}" writes a file`, at);
  }

  function judgeInput(target: ShellWord, at?: number): void {
    if (/^\/dev\/(tcp|udp)\//.test(literalOf(target) ?? "")) {
      add("redirect", `"${target.text}" opens a network connection`, at);
    }
    if (target.pieces.some(({ kind }) => kind === "output")) {
      add("redirect", `"${target.text}" is the output of a command, so what it names is not known`, at);
    }
    for (const fact of filesOf(target)) judgeFile(fact, { reader: true, namesOnly: false }, at);
  }

  for (const problem of line.problems) add("grammar", problem);
  if (line.commands.length === 0) add("grammar", "there is no command to run");
  for (const word of line.words) judgeCertainty(word);
  for (const redirect of line.redirects) judgeRedirect(redirect);
  line.commands.forEach(judgeCommand);
  return { findings, rules };
}

const UNSEEN = { display: "", inside: false, secret: false, protection: undefined } as const;

/** Enough of a command to tell which one is meant: the name, and a subcommand. */
function shortName(words: readonly ShellWord[]): string {
  const [name = "", second] = words.map(({ text }) => text);
  return second !== undefined && /^[a-z][a-z:-]*$/.test(second) ? `${name} ${second}` : name;
}
