import type { ResolvedPath } from "../permissions/access.js";
import { writeFileAtomic } from "./atomic-write.js";
import { unifiedDiff } from "./file-diff.js";
import { readTextFile } from "./open-file.js";
import { encodeText } from "./text-file.js";
import type { TextContent } from "./text-file.js";
import { describeError, failure, fileFailure } from "./tool-failure.js";
import type { ToolResult } from "./tool.js";

/** A change of one file, worked out but not yet written. */
export interface FileChange {
  path: ResolvedPath;
  before: TextContent | undefined;
  /** The new text, with "\n" line ends. */
  after: string;
  bytes: Buffer;
  diff: string;
}

export function isFailure(outcome: object): outcome is ToolResult {
  return "status" in outcome;
}

/** The text that a change starts from. */
export async function readForChange(path: ResolvedPath): Promise<TextContent | ToolResult> {
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
          `${path.display} is text in an encoding other than UTF-8 or UTF-16.`,
          "It was not changed, since that would damage it. Tell the user, or convert it with run_command and iconv.",
        );
      case "too-large":
        return failure(
          `${path.display} is too large to change here (${content.size} bytes).`,
          "Nothing was changed. Change it with run_command, for example with sed.",
        );
    }
  } catch (error) {
    return fileFailure(`${path.display} cannot be read`, error);
  }
}

/** Works out the bytes and the diff of a change; `before` is undefined for a new file. */
export function planChange(
  path: ResolvedPath,
  before: TextContent | undefined,
  after: string,
): FileChange | ToolResult {
  try {
    const bytes = encodeText(after, before);
    return { path, before, after, bytes, diff: unifiedDiff(path.display, before?.text, after) };
  } catch (error) {
    return failure(
      `The text cannot be written: ${describeError(error)}.`,
      "Nothing was changed. Send the text again.",
    );
  }
}

/** Writes a change; `output` is what the model is told about it. */
export async function applyChange(change: FileChange, output: string): Promise<ToolResult> {
  try {
    await writeFileAtomic(change.path.real, change.bytes);
  } catch (error) {
    return fileFailure(`${change.path.display} cannot be written and is as it was before`, error);
  }
  return { status: "ok", output, diff: change.diff, changedFiles: [change.path.display] };
}
