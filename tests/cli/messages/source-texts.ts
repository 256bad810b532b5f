import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

/** A sentence or a part of one in the source; holes of a template are "{}". */
export interface SourceText {
  /** Below `src/`. */
  file: string;
  text: string;
}

const SOURCE = join(import.meta.dirname, "../../../src");

/** Two words in lower case and a space, which tell sentences from names, keys and options; a command line is none. */
const PROSE = /^(?!mini-cc(?: [a-z]+)*\s*$)(?:.*[a-z]{2,}.* .*[a-z]{2,}|.*[a-z]{2,} | [a-z]{2,})/s;

/** In a phrase. */
const HOLE = /\{\w+(?::\w+)?\}/g;

const FILES = readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !/^(cli\/messages|demo)\//.test(file))
  .sort();

/** Every text of the source that may be a sentence, but for the catalogue and the demo's script. */
export function sourceTexts(): SourceText[] {
  return FILES.flatMap((file) => textsOf(file, () => true));
}

/** Those that people may be told. Of `cli/` only what is thrown: the rest of its sentences is in the catalogue. */
export function toldTexts(): SourceText[] {
  return FILES.flatMap((file) => textsOf(file, file.startsWith("cli/") ? isThrown : () => true));
}

function textsOf(file: string, counts: (node: ts.Node) => boolean): SourceText[] {
  const found: SourceText[] = [];
  const source = readFileSync(join(SOURCE, file), "utf8");
  function visit(node: ts.Node): void {
    if (ts.isImportDeclaration(node) || isForNobody(node)) return;
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const method = node.expression.name.text;
      // A list of words is no sentence; the description of a key or an argument is in English alone.
      if (method === "split") return;
      if (method === "describe") {
        visit(node.expression);
        return;
      }
    }
    const text = textOf(node);
    if (text !== undefined && PROSE.test(text.replaceAll("{}", "")) && counts(node))
      found.push({ file, text });
    // The two halves of a sentence are one text.
    if (text === undefined || ts.isTemplateExpression(node)) ts.forEachChild(node, visit);
  }
  visit(ts.createSourceFile("file.ts", source, ts.ScriptTarget.Latest, true));
  return found;
}

/** What a tool tells of a call that failed: its first line, which people see too. */
export function toolFailures(): SourceText[] {
  return readdirSync(join(SOURCE, "tools"))
    .sort()
    .flatMap((file) => textsOf(`tools/${file}`, isCauseOfFailure));
}

function isCauseOfFailure(node: ts.Node): boolean {
  const { parent } = node;
  return (
    ts.isCallExpression(parent) &&
    parent.arguments[0] === node &&
    ["failure", "fileFailure"].includes(parent.expression.getText())
  );
}

/** Anywhere in what is given to a new error. */
function isThrown(node: ts.Node): boolean {
  return (
    ts.findAncestor(
      node,
      (above) => ts.isNewExpression(above) && /^(User|Commander)Error$/.test(above.expression.getText()),
    ) !== undefined
  );
}

/** What asks the model to go on, and what it is told about tools. */
function isForNobody(node: ts.Node): boolean {
  return ts.isPropertyAssignment(node) && ["nudge", "description"].includes(node.name.getText());
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (ts.isTemplateExpression(node)) {
    return node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join("");
  }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const [left, right] = [textOf(node.left), textOf(node.right)];
    return left === undefined || right === undefined ? undefined : left + right;
  }
  return undefined;
}

/** Whether one of the phrases says this text of the source, or has its parts as parts of its own. */
export function isSaid(text: string, phrases: readonly string[]): boolean {
  const parts = wordsOf(text, "{}");
  return phrases.some(
    (phrase) =>
      canBecome(text, phrase) ||
      (wordsOf(phrase, HOLE).length > 0 && canBecome(phrase.replace(HOLE, "{}"), text)) ||
      (mayBePart(text) && parts.every((part) => phrase.includes(part))),
  );
}

/** Whether the source still has this phrase, whole or in parts. */
export function isInSource(phrase: string, texts: readonly string[]): boolean {
  return (
    texts.some((text) => canBecome(text, phrase)) ||
    wordsOf(phrase, HOLE).every((part) => texts.some((text) => text.includes(part)))
  );
}

/** Whether a text of the source can become this phrase: a hole of the one may be words of the other. */
function canBecome(text: string, phrase: string): boolean {
  const [first = "", ...rest] = text.split("{}");
  // Some begin a sentence and stand in one.
  if (phrase.slice(0, first.length).toLowerCase() !== first.toLowerCase()) return false;
  let at = first.length;
  for (const [index, part] of rest.entries()) {
    const isLast = index === rest.length - 1;
    const found = isLast ? phrase.length - part.length : phrase.indexOf(part, at);
    if (found < at || !phrase.startsWith(part, found)) return false;
    at = found + part.length;
  }
  return rest.length > 0 || at === phrase.length;
}

/** A whole sentence cannot hide in a longer one. */
function mayBePart(text: string): boolean {
  return text.includes("{}") || text.split(" ").length < 8;
}

/** What stands between the holes, without signs at its ends. */
function wordsOf(text: string, hole: string | RegExp): string[] {
  return text
    .split(hole)
    .filter((part) => PROSE.test(part))
    .map((part) => part.replace(/^[\s,;:(]+|[\s,;:()]+$/g, ""));
}
