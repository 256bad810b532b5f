import { spawn } from "node:child_process";
import { basename, extname } from "node:path";
import type { ParserOptions } from "@babel/parser";
import { parse, printParseErrorCode } from "jsonc-parser";
import type { ParseError } from "jsonc-parser";
import { lineNumberAt } from "./edit-feedback.js";

/** True for a text that parses, what is wrong with one that does not, undefined if it cannot be told. */
type Judgement = true | string | undefined;
type Grammar = (text: string, env: NodeJS.ProcessEnv) => Judgement | Promise<Judgement>;

/** A checker that takes longer is not worth waiting for. */
const TIME_LIMIT_MS = 2_000;
const MAX_CHARS = 1_000_000;

/** The grammars by which a file may be read, the likeliest first: a ".js" file may be a module or a script. */
const GRAMMARS: Readonly<Record<string, readonly Grammar[]>> = {
  ".json": [json(false)],
  ".jsonc": [json(true)],
  ".js": [javaScript("module"), javaScript("commonjs")],
  ".jsx": [javaScript("module"), javaScript("commonjs")],
  ".mjs": [javaScript("module")],
  ".cjs": [javaScript("commonjs")],
  ".ts": typeScript(),
  ".mts": typeScript(),
  ".cts": typeScript(),
  ".tsx": typeScript("jsx"),
  ".yaml": [yaml],
  ".yml": [yaml],
  ".toml": [toml],
  ".py": [python],
  ".pyi": [python],
};

/** JSON files whose readers accept comments and trailing commas. */
const LENIENT_NAMES =
  /^(?:[jt]sconfig.*|settings|launch|tasks|extensions|keybindings|devcontainer|\.?eslintrc|\.babelrc|\.swcrc|api-extractor|deno|turbo)\.json$|^\.(?:eslintrc|babelrc|swcrc)$|\.code-workspace$/;

function grammarsOf(path: string): readonly Grammar[] {
  const name = basename(path).toLowerCase();
  return LENIENT_NAMES.test(name) ? [json(true)] : (GRAMMARS[extname(name)] ?? []);
}

/**
 * What is wrong with the new text of a file that is new or whose old text parsed. Undefined if it parses, if the old
 * text did not either, or if nothing here can judge it. Nothing of the text is run. `env` is for finding python3.
 */
export async function findNewSyntaxError(
  path: string,
  before: string | undefined,
  after: string,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  const problems = new Map<Grammar, string>();
  for (const grammar of grammarsOf(path)) {
    const judgement = after.length > MAX_CHARS ? undefined : await grammar(after, env);
    if (typeof judgement !== "string") return undefined;
    problems.set(grammar, judgement);
  }
  const [first] = problems.values();
  if (before === undefined) return isOtherwiseRead(path, after) ? undefined : first;
  for (const [grammar, problem] of problems) {
    if ((await grammar(before, env)) === true)
      return isOtherwiseRead(path, lineOf(problem, after)) ? undefined : problem;
  }
  return undefined;
}

/** A template, from which a file of its kind is made later; or Flow, which is no JavaScript. */
function isOtherwiseRead(path: string, text: string): boolean {
  return /\.(?:ya?ml|toml|json)$/i.test(path) ? /(?<!\$)\{\{|\{%|<%/.test(text) : /^\W*@flow\b/.test(text);
}

/** The line of the text that a problem names. */
function lineOf(problem: string, text: string): string {
  const line = Number(/^line (\d+)/.exec(problem)?.[1]);
  return text.split("\n", line)[line - 1] ?? "";
}

/** Whether the text is right for a file of this name; undefined if nothing here can judge that. */
export async function parses(
  path: string,
  text: string,
  env: NodeJS.ProcessEnv,
): Promise<boolean | undefined> {
  let rejected = false;
  for (const grammar of grammarsOf(path)) {
    const judgement = await grammar(text, env);
    if (typeof judgement !== "string") return judgement;
    rejected = true;
  }
  return rejected ? false : undefined;
}

/** `lenient`: with comments and trailing commas. */
function json(lenient: boolean): Grammar {
  return (text) => {
    const errors: ParseError[] = [];
    parse(text, errors, { allowTrailingComma: lenient, disallowComments: !lenient });
    const [first] = errors;
    if (first === undefined) return true;
    return `line ${lineNumberAt(text, first.offset)}: ${spaced(printParseErrorCode(first.error))}`;
  };
}

/** "CommaExpected" → "comma expected". */
function spaced(code: string): string {
  return code
    .replace(/\B[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/^./, (letter) => letter.toLowerCase());
}

/** With JSX, which only takes away from plain JavaScript what nobody writes. */
function javaScript(sourceType: "module" | "commonjs"): Grammar {
  return babel({ sourceType, plugins: ["jsx", "decorators", "explicitResourceManagement"] });
}

/** Decorators of parameters belong to the older kind, those behind "export" to the newer. */
function typeScript(...plugins: "jsx"[]): Grammar[] {
  return (["decorators-legacy", "decorators"] as const).map((decorators) =>
    babel({
      sourceType: "module",
      plugins: ["typescript", "explicitResourceManagement", decorators, ...plugins],
    }),
  );
}

function babel(options: ParserOptions): Grammar {
  return async (text) => {
    const { parse: parseProgram } = await import("@babel/parser");
    try {
      parseProgram(text, { attachComment: false, ...options });
      return true;
    } catch (error) {
      const { message, loc } = error as { message: string; loc?: { line: number } };
      return loc && `line ${loc.line}: ${firstLine(message).replace(/ \(\d+:\d+\)$/, "")}`;
    }
  };
}

async function yaml(text: string): Promise<Judgement> {
  const { parseAllDocuments } = await import("yaml");
  const documents = parseAllDocuments(text, { prettyErrors: false, logLevel: "silent" });
  if (!Array.isArray(documents)) return true;
  const [error] = documents.flatMap(({ errors }) => errors);
  return error === undefined || `line ${lineNumberAt(text, error.pos[0])}: ${firstLine(error.message)}`;
}

async function toml(text: string): Promise<Judgement> {
  const { parse: parseToml, TomlError } = await import("smol-toml");
  try {
    parseToml(text, { integersAsBigInt: true });
    return true;
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    return `line ${error.line}: ${firstLine(error.message).replace(/^Invalid TOML document: /, "")}`;
  }
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}

const PYTHON = `
import ast, sys
try:
    ast.parse(sys.stdin.buffer.read())
except SyntaxError as error:
    sys.stderr.write(f"line {error.lineno}: {error.msg}")
    sys.exit(1)
`;

async function python(text: string, env: NodeJS.ProcessEnv): Promise<Judgement> {
  // Isolated: neither the folder nor variables can put code of their own in the way.
  const { code, stderr } = await runChecker("python3", ["-I", "-S", "-c", PYTHON], text, env);
  if (code === 0) return true;
  return stderr.startsWith("line ") ? stderr : undefined;
}

/** `code` is null if the checker is missing or took too long. */
function runChecker(
  program: string,
  args: readonly string[],
  input: string,
  env: NodeJS.ProcessEnv,
): Promise<{ code: number | null; stderr: string }> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: "/",
      env,
      stdio: ["pipe", "ignore", "pipe"],
      timeout: TIME_LIMIT_MS,
      killSignal: "SIGKILL",
      windowsHide: true,
    });
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk));
    // A checker that ends early does not read on; how it ended tells all.
    child.stdin.on("error", () => undefined);
    child.once("error", () => resolve({ code: null, stderr }));
    child.once("close", (code) => resolve({ code, stderr }));
    child.stdin.end(input);
  });
}
