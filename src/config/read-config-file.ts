import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { findNodeAtLocation, getNodeValue, parseTree, printParseErrorCode } from "jsonc-parser";
import type { JSONPath, Node, ParseError } from "jsonc-parser";
import { EXIT, messageOf, UserError } from "../errors.js";
import { nearestKey } from "./nearest-key.js";
import { configSchema, issueText } from "./schema.js";
import type { ConfigFile } from "./schema.js";

export interface ConfigWarning {
  /** Stable kebab-case identifier. */
  code: string;
  text: string;
}

export interface ReadConfig {
  /** Known keys only, no defaults filled in. */
  values: ConfigFile;
  /** Of the bytes on disk, in hex. */
  sha256: string;
  text: string;
  warnings: ConfigWarning[];
}

/** A configuration file is a page of text; a link to a device or a huge file must not stall the start. */
const MAX_BYTES = 1024 * 1024;

/**
 * Reads JSON with comments and trailing commas. Unknown keys become warnings. Throws a UserError (`config-invalid`,
 * exit code 2) that names file, line, column and key for a syntax error or a value of the wrong kind.
 */
export async function readConfigFile(path: string): Promise<ReadConfig> {
  const bytes = await readBytes(path);
  const text = decode(path, bytes);
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  if (!tree || errors[0]) throw syntaxError(path, text, errors[0]);
  return {
    ...validate(path, text, tree),
    sha256: createHash("sha256").update(bytes).digest("hex"),
    text,
  };
}

async function readBytes(path: string): Promise<Buffer> {
  try {
    const stats = await stat(path);
    if (!stats.isFile()) throw new Error("it is not a regular file");
    if (stats.size > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES} bytes`);
    return await readFile(path);
  } catch (cause) {
    throw invalid(`${path} cannot be read: ${messageOf(cause)}`, cause);
  }
}

function decode(path: string, bytes: Buffer): string {
  try {
    // Drops a byte order mark.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw invalid(`${path} is not UTF-8 text.`, cause);
  }
}

function syntaxError(path: string, text: string, error: ParseError | undefined): UserError {
  const expected = error
    ? printParseErrorCode(error.error)
        .replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`)
        .toLowerCase()
    : "value expected";
  return invalid(`${place(path, text, error?.offset ?? 0)}: not valid JSON: ${expected}`);
}

function validate(path: string, text: string, tree: Node): { values: ConfigFile; warnings: ConfigWarning[] } {
  const values = getNodeValue(tree) as ConfigFile;
  const problems: string[] = [];
  const warnings: ConfigWarning[] = [];
  for (const issue of configSchema.safeParse(values).error?.issues ?? []) {
    const section = issue.path as JSONPath;
    if (issue.code !== "unrecognized_keys") {
      const key = section.length > 0 ? `${section.join(".")}: ` : "";
      problems.push(
        `${place(path, text, findNodeAtLocation(tree, section)?.offset ?? 0)}: ${key}${issueText(issue)}`,
      );
      continue;
    }
    for (const key of issue.keys) {
      const property = findNodeAtLocation(tree, [...section, key])?.parent;
      warnings.push({
        code: "config-unknown-key",
        text: `${place(path, text, property?.offset ?? 0)}: unknown key "${[...section, key].join(".")}"; ${nearestKey(section, key)}`,
      });
      removeKey(values, section, key);
    }
  }
  if (problems.length > 0) throw invalid(problems.join("\n"));
  return { values, warnings };
}

function removeKey(values: object, section: JSONPath, key: string): void {
  const holder = section.reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], values);
  Reflect.deleteProperty(holder as object, key);
}

/** `file:line:column`, both counted from 1. */
function place(path: string, text: string, offset: number): string {
  const lines = text.slice(0, offset).split(/\r\n|\n|\r/);
  return `${path}:${lines.length}:${(lines.at(-1) ?? "").length + 1}`;
}

function invalid(message: string, cause?: unknown): UserError {
  return new UserError(message, {
    code: "config-invalid",
    hint: "Correct the file and start again; `mini-cc config schema` lists every key with its meaning.",
    exitCode: EXIT.usage,
    cause,
  });
}
