import { messageOf } from "../errors.js";
import type { ToolResult } from "./tool.js";

/** A failure for the model: the cause in one line, what to do in the next. */
export function failure(cause: string, next: string): ToolResult {
  return { status: "error", output: `${cause}\n${next}` };
}

/** A failure that the file system reported. */
export function fileFailure(what: string, error: unknown): ToolResult {
  return failure(`${what}: ${describeError(error)}.`, "Use another path, or tell the user.");
}

const WORDS: Record<string, string> = {
  EACCES: "permission denied",
  EDQUOT: "the disk quota is used up",
  EEXIST: "something with that name exists already",
  EFBIG: "the file would be too large",
  EISDIR: "it is a folder",
  ELOOP: "it is a symbolic link",
  ENAMETOOLONG: "the name is too long",
  ENOENT: "it does not exist",
  ENOSPC: "the disk is full",
  ENOTDIR: "part of the path is a file, not a folder",
  EPERM: "the system does not permit it",
  EROFS: "the file system is read-only",
};

/** An error in words, with the errno code if it has one. */
export function describeError(error: unknown): string {
  const code = errorCode(error);
  if (code === undefined) return messageOf(error);
  const words = WORDS[code];
  return words === undefined ? messageOf(error) : `${words} (${code})`;
}

export function errorCode(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}
