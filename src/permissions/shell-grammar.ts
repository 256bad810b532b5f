import { forEachChild, parse } from "unbash";
import type { Assignment, Command, Function as FunctionNode, Redirection, SyntaxNode } from "unbash";
import { literalOf, readQuoted, readWord } from "./shell-words.js";
import type { ShellWord } from "./shell-words.js";

export interface ShellAssignment {
  name: string;
  text: string;
  /** Missing for arrays, elements and `+=`. */
  value?: ShellWord;
}

export interface ShellRedirect {
  text: string;
  operator: string;
  /** A file, a descriptor, or the text of a here-string. */
  target?: ShellWord;
  /** A here-document, if its text is certain. */
  body?: string;
  /** `{fd}>file`: opens the file in any case and sets a variable. */
  setsVariable: boolean;
}

/** One simple command, wherever it stands in the line. */
export interface SimpleCommand {
  text: string;
  /** Name and arguments; empty for bare assignments and redirects. */
  words: readonly ShellWord[];
  assignments: readonly ShellAssignment[];
  redirects: readonly ShellRedirect[];
  inLoop: boolean;
}

/** All that bash would run for a line, flat and in order. */
export interface CommandLine {
  commands: readonly SimpleCommand[];
  /** Redirects of groups, loops and the like. */
  redirects: readonly ShellRedirect[];
  /** Words outside commands: loop lists, case patterns, here-documents. */
  words: readonly ShellWord[];
  /** Why the line is not fully understood, as clauses. */
  problems: readonly string[];
  /** A function that starts copies of itself. */
  forkBomb: boolean;
}

interface Context {
  /** What positions index: the line, or the decoded text of a backquoted script. */
  source: string;
  inLoop: boolean;
}

/** Nodes that only hold others. A kind that stands nowhere in this file makes the line uncertain. */
const PLAIN_STRUCTURE: ReadonlySet<SyntaxNode["type"]> = new Set<SyntaxNode["type"]>([
  "Statement",
  "CompoundList",
  "AndOr",
  "Pipeline",
  "If",
  "Elif",
  "Subshell",
  "BraceGroup",
  "Case",
  "CaseItem",
  "Redirected",
]);

const UNCERTAIN = {
  Select: "select",
  Coproc: "coproc",
  ArithmeticFor: "for ((…))",
  ArithmeticCommand: "((…))",
  TestCommand: "[[ … ]]",
};

/** Parses a line with bash's grammar. Never throws: what cannot be parsed is a problem. */
export function parseCommandLine(source: string): CommandLine {
  const commands: SimpleCommand[] = [];
  const redirects: ShellRedirect[] = [];
  const words: ShellWord[] = [];
  const problems: string[] = [];
  let forkBomb = false;

  function visit(node: SyntaxNode, context: Context): void {
    const children = (inner: Context = context): void => {
      forEachChild(node, (child) => {
        visit(child, inner);
      });
    };
    if (node.type === "Script") {
      const [error] = node.errors ?? [];
      if (error !== undefined) problems.push(`the line is no valid bash (${error.message})`);
      children({ ...context, source: node.source ?? context.source });
    } else if (PLAIN_STRUCTURE.has(node.type)) {
      children();
    } else if (node.type === "While") {
      children({ ...context, inLoop: true });
    } else if (node.type === "For") {
      // Upper-case names may be ones that bash or a program reads, such as PATH.
      if (!/^[a-z]+$/.test(node.name.text)) problems.push(`a loop sets the variable "${node.name.text}"`);
      children({ ...context, inLoop: true });
    } else if (node.type === "Function") {
      problems.push(`the line defines the function "${node.name.text}"`);
      forkBomb ||= startsCopies(node);
      children();
    } else if (node.type === "Select" || node.type === "Coproc" || node.type === "ArithmeticFor") {
      problems.push(`the line uses "${UNCERTAIN[node.type]}"`);
      forEachChild(node, (child) => {
        if (child.type.startsWith("Arithmetic")) visitNested(child, context);
        else visit(child, { ...context, inLoop: true });
      });
    } else if (node.type === "ArithmeticCommand" || node.type === "TestCommand") {
      problems.push(`the line uses "${UNCERTAIN[node.type]}", where a text can run a command`);
      visitNested(node, context);
    } else if (node.type === "Command") {
      commands.push(readCommand(node, context));
      visitNested(node, context);
    } else if (node.type === "Redirect" || node.type === "HereString" || node.type === "HereDoc") {
      redirects.push(readRedirect(node, context));
      visitNested(node, context);
    } else if (node.type === "Word") {
      words.push(readWord(node));
      visitNested(node, context);
    } else if (node.type !== "Time" && node.type !== "Negation") {
      problems.push(`the line has a part of an unknown kind (${node.type})`);
      children();
    }
  }

  /** Scripts inside words: substitutions at any depth, also in here-documents, defaults and arithmetic. */
  function visitNested(node: SyntaxNode, context: Context): void {
    if (node.type === "Script") {
      visit(node, context);
      return;
    }
    if (
      (node.type === "CommandExpansion" || node.type === "ProcessSubstitution") &&
      node.script === undefined
    ) {
      problems.push(`"${node.text}" could not be read`);
    }
    if (node.type === "HereDocBody" && node.parts !== undefined) {
      words.push({ text: node.text, pieces: readQuoted(node.parts) });
    }
    forEachChild(node, (child) => {
      visitNested(child, context);
    });
  }

  // Where a broken line joins two halves of a token, parsers disagree.
  if (/\S\\\n\S/.test(source)) problems.push("a word or an operator is split over two lines");
  try {
    visit(parse(source), { source, inLoop: false });
  } catch (error) {
    problems.push(`the line could not be read (${error instanceof Error ? error.message : String(error)})`);
  }
  return { commands, redirects, words, problems, forkBomb };
}

function readCommand(node: Command, { source, inLoop }: Context): SimpleCommand {
  const words = [...(node.name ? [node.name] : []), ...node.args].map((word) =>
    word.type === "Word"
      ? readWord(word)
      : { text: word.text, pieces: [{ kind: "text" as const, value: word.text }] },
  );
  const assignments = node.prefix.filter((item) => item.type === "Assignment").map(readAssignment);
  const redirects = node.redirects.map((redirect) => readRedirect(redirect, { source, inLoop }));
  return { text: source.slice(node.pos, node.end), words, assignments, redirects, inLoop };
}

function readAssignment({ name, text, value, index, append }: Assignment): ShellAssignment {
  const isPlain = value.type === "Word" && index === undefined && append !== true;
  return isPlain ? { name, text, value: readWord(value) } : { name, text };
}

function readRedirect(node: Redirection, { source }: Context): ShellRedirect {
  const common = {
    text: source.slice(node.pos, node.end),
    operator: node.operator,
    setsVariable: node.descriptor?.type === "FileDescriptorVariable",
  };
  if (node.type !== "HereDoc") return node.target ? { ...common, target: readWord(node.target) } : common;
  const body = node.body.parts === undefined ? node.body.text : undefined;
  return body === undefined ? common : { ...common, body };
}

/** `f() { f | f & }`: a call of itself in a pipeline or in the background. */
function startsCopies(definition: FunctionNode): boolean {
  let found = false;
  function search(node: SyntaxNode, beside: boolean): void {
    if (node.type === "Command" && node.name && beside) {
      found ||= literalOf(readWord(node.name)) === definition.name.value;
    }
    const inner =
      beside ||
      (node.type === "Pipeline" && node.commands.length > 1) ||
      (node.type === "Statement" && node.background === true);
    forEachChild(node, (child) => {
      search(child, inner);
    });
  }
  search(definition.body, false);
  return found;
}
