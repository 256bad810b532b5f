import { readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { globSync } from "tinyglobby";
import ts from "typescript";
import { describe, expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "..");
const SRC = join(ROOT, "src");

/** From high to low; a subject imports only what stands below it, and never a neighbour. */
const LAYERS: readonly (readonly string[])[] = [
  ["index"],
  ["cli"],
  ["app", "demo"],
  ["setup"],
  ["agent"],
  ["undo"],
  ["tools"],
  ["permissions", "sandbox", "processes", "model", "sessions", "context", "notes"],
  ["config"],
  ["errors", "printable", "edit-distance"],
];

/** The one type-only exception: what a tool touches and what the policy says of it. */
const SHARED_TYPES = "permissions/access";

const MAX_LINES = 400;

interface SourceFile {
  path: string;
  subject: string;
  text: string;
  ast: ts.SourceFile;
}

const files: SourceFile[] = globSync("**/*.ts", { cwd: SRC })
  .sort()
  .map((path) => {
    const text = readFileSync(join(SRC, path), "utf8");
    const subject = path.includes("/") ? path.slice(0, path.indexOf("/")) : path.replace(/\.ts$/, "");
    return { path, subject, text, ast: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true) };
  });

const layerOf = (subject: string) => LAYERS.findIndex((layer) => layer.includes(subject));

/** Relative imports of a file, static and dynamic, as paths below src/ without their ending. */
function importsOf(file: SourceFile): { target: string; typeOnly: boolean }[] {
  const found: { target: string; typeOnly: boolean }[] = [];
  const add = (specifier: string, typeOnly: boolean) => {
    if (!specifier.startsWith(".")) return;
    const target = relative(SRC, resolve(SRC, dirname(file.path), specifier)).replace(/\.js$/, "");
    found.push({ target, typeOnly });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
      add(node.moduleSpecifier.text, node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword);
    }
    if (ts.isExportDeclaration(node) && node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier)) {
      add(node.moduleSpecifier.text, node.isTypeOnly);
    }
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [argument] = node.arguments;
      if (argument && ts.isStringLiteral(argument)) add(argument.text, false);
    }
    ts.forEachChild(node, visit);
  };
  visit(file.ast);
  return found;
}

describe("the architecture", () => {
  test("every source file belongs to a subject of the layer table", () => {
    expect(files.filter((file) => layerOf(file.subject) === -1).map((file) => file.path)).toEqual([]);
  });

  test("imports go down: no subject imports a higher one or a neighbour", () => {
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .filter(({ target, typeOnly }) => {
          const subject = target.split("/")[0]!;
          if (subject === file.subject) return false;
          if (typeOnly && target === SHARED_TYPES) return false;
          if (file.subject === "demo") return subject !== "errors";
          return layerOf(subject) <= layerOf(file.subject);
        })
        .map(({ target }) => `${file.path} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  test("createReactAgent has one home", () => {
    const homes = files.filter((file) => file.text.includes("@langchain/langgraph/prebuilt"));
    expect(homes.map((file) => file.path)).toEqual(["agent/react-graph.ts"]);
  });

  test(`no file is longer than ${MAX_LINES} lines`, () => {
    const long = files.filter((file) => file.text.split("\n").length > MAX_LINES);
    expect(long.map((file) => file.path)).toEqual([]);
  });

  test("process.env and process.cwd() are read only by index, app and cli", () => {
    const readers = files
      .filter((file) => !["index", "app", "cli"].includes(file.subject))
      .filter((file) => /\bprocess\s*\.\s*(env|cwd)\b/.test(withoutComments(file)));
    expect(readers.map((file) => file.path)).toEqual([]);
  });

  test("no module holds state that changes", () => {
    const mutable = files.flatMap((file) =>
      file.ast.statements.flatMap((statement) => {
        if (!ts.isVariableStatement(statement)) return [];
        const constant = (statement.declarationList.flags & ts.NodeFlags.Const) !== 0;
        return statement.declarationList.declarations
          .filter((declaration) => !constant || isMutableContainer(declaration))
          .map((declaration) => `${file.path}: ${declaration.name.getText()}`);
      }),
    );
    expect(mutable).toEqual([]);
  });

  test("imports have no effect: only index runs anything at load time", () => {
    const effects = files
      .filter((file) => file.subject !== "index")
      .flatMap((file) =>
        file.ast.statements
          .filter((statement) => ts.isExpressionStatement(statement))
          .map((statement) => `${file.path}: ${statement.getText().slice(0, 60)}`),
      );
    expect(effects).toEqual([]);
  });
});

/** `new Map()` and the like without content, filled later; a table that is written out is a constant. */
function isMutableContainer({ initializer, type }: ts.VariableDeclaration): boolean {
  if (!initializer) return false;
  if (type?.getText().startsWith("readonly") || type?.getText().startsWith("Readonly")) return false;
  if (ts.isNewExpression(initializer)) {
    const name = initializer.expression.getText();
    return ["Map", "Set", "WeakMap", "WeakSet"].includes(name) && !initializer.arguments?.length;
  }
  return ts.isArrayLiteralExpression(initializer) && initializer.elements.length === 0;
}

function withoutComments(file: SourceFile): string {
  const printer = ts.createPrinter({ removeComments: true });
  return printer.printFile(file.ast);
}
