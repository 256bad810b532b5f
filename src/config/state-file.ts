import { randomUUID } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { z } from "zod";
import { messageOf, UserError } from "../errors.js";
import { makePrivateFolder } from "./private-folder.js";

export type StateFile<T> = { kind: "value"; value: T } | { kind: "missing" } | { kind: "damaged" };

/** Reads a JSON file of the user's state; only its owner can read or write it. */
export async function readStateFile<T>(path: string, schema: z.ZodType<T>): Promise<StateFile<T>> {
  try {
    return { kind: "value", value: schema.parse(JSON.parse(await readFile(path, "utf8"))) };
  } catch (error) {
    const missing = error instanceof Error && "code" in error && error.code === "ENOENT";
    return { kind: missing ? "missing" : "damaged" };
  }
}

/** Replaces the file in one step, so that no reader ever finds half of it. Throws UserError. */
export async function writeStateFile(path: string, value: unknown): Promise<void> {
  const temporary = `${path}.${randomUUID()}`;
  try {
    makePrivateFolder(dirname(path));
    await writeFile(temporary, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flag: "wx" });
    await rename(temporary, path);
  } catch (cause) {
    await rm(temporary, { force: true }).catch(() => undefined); // What went wrong first is told.
    throw stateNotWritable(path, cause);
  }
}

export function stateNotWritable(path: string, cause: unknown): UserError {
  return new UserError(`${path} cannot be written: ${messageOf(cause)}`, {
    code: "state-not-writable",
    hint: "Make the folder writable, or set MINI_CC_HOME to one that is.",
    cause,
  });
}
