import { z } from "zod";
import type { Access, ResolvedPath } from "../permissions/access.js";
import type { CommandRun, ShownImage } from "../sessions/records.js";

/** What the model gets back; `output` is written for the model, in words that tell it what to do next. */
export interface ToolResult {
  status: "ok" | "error";
  output: string;
  /** Goes to the model with the output. */
  image?: ShownImage;
  /** Unified diff of the one file that changed. */
  diff?: string;
  /** Changed files, relative to the workspace. */
  changedFiles?: string[];
  command?: CommandRun;
  /** What a read, a search or a list found. */
  found?: Found;
}

const count = z.int().min(0);

/** In numbers, for people; the model reads them in `output`. */
export const found = z.object({
  lines: z
    .object({ from: count, to: count, total: count })
    .exactOptional()
    .describe("Lines of a file that were read: the first, the last, and how many it has."),
  files: count.exactOptional(),
  matches: count.exactOptional().describe("Lines that match."),
  atLeast: z.boolean().exactOptional().describe("There are more than could be counted."),
});

export type Found = z.infer<typeof found>;

/** A change before it is made. */
interface Preview {
  /** Unified. */
  diff: string;
  /** What is remarkable about it, in one line. */
  warning?: string;
}

export interface ToolContext {
  /** Real path of the workspace root; commands run in it. */
  workspaceRoot: string;
  signal: AbortSignal;
  /** The resolved form of a path that `touches` named and the policy let pass. Throws for any other. */
  path(written: string): ResolvedPath;
  /** Most characters that `output` may have. */
  maxOutputChars: number;
  /** Most tokens that an image of this media type may take; undefined if the model is shown none. */
  maxImageTokens?(mediaType: string): number | undefined;
  /** Whether the policy found that a command line only reads. */
  readsOnly: boolean;
  /** Whether a command may reach the network: only where the user was asked, or wants to be asked nothing. */
  network: boolean;
  /** The model now knows this content of a file, by real path and hash: the session remembers it. */
  saw(real: string, hash: string): void;
  /** Live output of a command, as it comes. */
  onOutput(text: string): void;
}

/**
 * One tool that the model can call. A tool file holds its schema, what a call would touch, and the run;
 * it never decides whether a call may happen.
 */
export interface Tool<Schema extends z.ZodObject = z.ZodObject> {
  /** verb_noun, not part of another tool's name. */
  name: string;
  /** One or two sentences for the model; limits are said here, since servers drop them from the schema. */
  description: string;
  /** Flat; strings, numbers and booleans only; at least one required string; optional keys are `.nullish()`. */
  schema: Schema;
  /** Reads of one reply may run together; changes run one after another, in order. */
  effect: "read" | "change";
  touches(args: z.infer<Schema>): Access[];
  /** What the user is shown when asked, or the failure that makes asking pointless. */
  preview?(args: z.infer<Schema>, context: ToolContext): Promise<Preview | ToolResult>;
  run(args: z.infer<Schema>, context: ToolContext): Promise<ToolResult>;
}

/** Keeps the schema's type inside the tool while the list of tools is uniform. */
export function defineTool<Schema extends z.ZodObject>(tool: Tool<Schema>): Tool {
  return tool;
}
