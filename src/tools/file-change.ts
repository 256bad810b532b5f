import type { ResolvedPath } from "../permissions/access.js";
import { writeFileAtomic } from "./atomic-write.js";
import { applyReplacements } from "./edit-match.js";
import type { Replacement } from "./edit-match.js";
import { unifiedDiff } from "./file-diff.js";
import type { FileMemory } from "./file-memory.js";
import { readTextFile } from "./open-file.js";
import { findNewSyntaxError } from "./syntax-check.js";
import { encodeEdited, encodeText, hashOf } from "./text-file.js";
import type { TextContent } from "./text-file.js";
import { describeError, errorCode, failure, fileFailure } from "./tool-failure.js";
import type { ToolContext, ToolResult } from "./tool.js";

/** The content that a change starts from. */
export type FileContent = TextContent & { hash: string; /** Bytes. */ size: number };

/** A change of one file, worked out but not yet written. */
export interface FileChange {
  path: ResolvedPath;
  before: FileContent | undefined;
  /** The new text, with "\n" line ends. */
  after: string;
  /** All of the text is the model's. */
  isWhole: boolean;
  bytes: Buffer;
  diff: string;
}

export function isFailure(outcome: object): outcome is ToolResult {
  return "status" in outcome;
}

/** The text that a change starts from; undefined if there is no file. */
export async function readForChange(path: ResolvedPath): Promise<FileContent | ToolResult | undefined> {
  try {
    const content = await readTextFile(path.real);
    switch (content.kind) {
      case "text":
        return content;
      case "binary":
        return failure(
          `${path.display} is a binary file.`,
          "Only text files can be changed here. Nothing was changed.",
        );
      case "unknown-encoding":
        return failure(
          `${path.display} is text in an encoding that was not recognised.`,
          "It was not changed, since that would damage it. Tell the user, or convert it with run_command and iconv.",
        );
      case "too-large":
        return failure(
          `${path.display} is too large to change here (${content.size} bytes).`,
          "Nothing was changed. Change it with run_command, for example with sed.",
        );
    }
  } catch (error) {
    if (path.kind === "missing" && ["ENOENT", "ENOTDIR"].includes(errorCode(error) ?? "")) return undefined;
    return fileFailure(`${path.display} cannot be read`, error);
  }
}

/**
 * Works out the bytes and the diff of a change: of a new file (`before` is undefined) or of a whole text given as a
 * string, or of some places.
 */
export function planChange(
  path: ResolvedPath,
  before: FileContent | undefined,
  change: string | readonly Replacement[],
): FileChange | ToolResult {
  try {
    const isText = typeof change === "string";
    const after = isText ? change : applyReplacements(before?.text ?? "", change);
    const bytes = isText || before === undefined ? encodeText(after, before) : encodeEdited(before, change);
    const diff = unifiedDiff(path.display, before?.text, after);
    return { path, before, after, isWhole: isText, bytes, diff };
  } catch (error) {
    return failure(
      `The text cannot be written: ${describeError(error)}.`,
      "Nothing was changed. Send the text again without it.",
    );
  }
}

/** What changes need to know beyond the call. */
export interface ChangeOptions {
  memory: FileMemory;
  /** For the programs that check syntax and list files. */
  env: NodeJS.ProcessEnv;
}

/** Writes a change; `output` is what the model is told about it. */
export async function applyChange(
  { path, before, after, isWhole, bytes, diff }: FileChange,
  output: string,
  context: ToolContext,
  { memory, env }: ChangeOptions,
): Promise<ToolResult> {
  if (memory.changedSinceShown(context, before?.hash ?? "")) {
    return failure(
      `${path.display} changed while the user was asked about this change.`,
      "Nothing was written. Read the file again.",
    );
  }
  // What else changed the file stays unseen, whatever is written beside it.
  const seen = before === undefined || isWhole || memory.compare(path.real, before.hash) === "as-seen";
  try {
    await writeFileAtomic(path.real, bytes);
  } catch (error) {
    return fileFailure(`${path.display} cannot be written and is as it was before`, error);
  }
  if (seen) memory.saw(context, path.real, hashOf(bytes));
  memory.landed(path.real);
  const old = before?.text.trim() ? before.text : undefined;
  const broken = await findNewSyntaxError(path.real, old, after, env);
  if (broken !== undefined) {
    const what = old === undefined ? "does not parse" : "parsed before and no longer does";
    output += `\nWarning: ${path.display} ${what}: ${broken}. Mend it.`;
  }
  return { status: "ok", output, diff, changedFiles: [path.display] };
}
