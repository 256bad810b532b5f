import { basename, dirname } from "node:path";
import { z } from "zod";
import { describeEdit } from "./edit-report.js";
import { explainAmbiguity, explainMiss, lineNumberAt } from "./edit-feedback.js";
import { matchEdit } from "./edit-match.js";
import type { EditMatch, Replacement } from "./edit-match.js";
import { nearMatch } from "./edit-near.js";
import { findElision } from "./elision.js";
import { applyChange, isFailure, planChange, readForChange } from "./file-change.js";
import type { ChangeOptions, FileChange, FileContent } from "./file-change.js";
import { isTracked } from "./git-listing.js";
import { endsLinesWithCr, toLf } from "./line-endings.js";
import { missingPath } from "./nearest-paths.js";
import { failure } from "./tool-failure.js";
import { defineTool } from "./tool.js";
import type { Tool, ToolContext, ToolResult } from "./tool.js";

/** The most that may go away where the place was not matched exactly: lines, and share of the file. */
const MAX_LOOSE_DELETION = { lines: 200, share: 0.6, ofMoreThan: 20 };

const schema = z.object({
  path: z.string(),
  old_text: z.string(),
  new_text: z.string(),
  replace_all: z.boolean().nullish(),
});

interface Plan {
  change: FileChange;
  replacements: readonly Replacement[];
  /** What the model should know about the place. */
  notes: string[];
}

export function createEditFileTool(options: ChangeOptions): Tool {
  return defineTool({
    name: "edit_file",
    description:
      "Change an existing file: replace old_text by new_text. Copy old_text exactly from the file, with enough lines to occur only once.",
    schema,
    effect: "change",
    touches: ({ path }) => [{ kind: "write", path }],
    async preview(args, context) {
      const planned = await plan(args, context, options);
      if (isFailure(planned)) return planned;
      options.memory.showed(context, planned.change.before?.hash ?? "");
      return { diff: planned.change.diff };
    },
    async run(args, context) {
      const planned = await plan(args, context, options);
      if (isFailure(planned)) return planned;
      const { change, replacements, notes } = planned;
      return applyChange(change, describeEdit(change, replacements, notes), context, options);
    },
  });
}

async function plan(
  args: z.infer<typeof schema>,
  context: ToolContext,
  options: ChangeOptions,
): Promise<Plan | ToolResult> {
  const path = context.path(args.path);
  let oldText = toLf(args.old_text).replace(/^\uFEFF/, "");
  let newText = toLf(args.new_text).replace(/^\uFEFF/, "");
  if (path.kind === "directory") {
    return failure(`${path.display} is a folder.`, "Give the path of a file in it. Nothing was changed.");
  }
  const before = await readForChange(path);
  if (before === undefined) {
    return oldText === "" ? insertInto(path, undefined, newText) : missingPath(path, context, options.env);
  }
  if (isFailure(before)) return before;
  if (endsLinesWithCr(before.original)) {
    [oldText, newText] = [oldText.replaceAll("\r", "\n"), newText.replaceAll("\r", "\n")];
  }
  if (oldText === "") {
    if (before.text === "") return insertInto(path, before, newText);
    return failure(
      "old_text is empty.",
      "Give the text before the place of insertion as old_text, and the same with the addition as new_text.",
    );
  }
  if (oldText === newText) {
    return failure(
      "old_text and new_text are the same.",
      "Nothing was changed. Give the changed text as new_text.",
    );
  }
  const elision = findElision(newText, before.text);
  if (elision !== undefined) {
    return failure(
      `new_text stands in for existing text with "${elision}".`,
      "Nothing was changed. Write out every line of new_text, or edit a smaller part.",
    );
  }

  const changed = options.memory.compare(path.real, before.hash) === "changed";
  const match = await findPlace(before.text, oldText, newText, args.replace_all === true, () =>
    isTracked(dirname(path.real), basename(path.real), { env: options.env, signal: context.signal }),
  );
  switch (match.kind) {
    case "missing": {
      const reason = changed ? `${path.display} was changed by something else since you read it.\n` : "";
      const misses = options.memory.missed(path.real);
      return {
        status: "error",
        output: reason + explainMiss(path.display, before.text, oldText, misses),
      };
    }
    case "ambiguous":
      return { status: "error", output: explainAmbiguity(path.display, before.text, match.starts) };
    case "already-applied":
      return {
        status: "ok",
        output: `Nothing was changed: new_text is in ${path.display} already, at line ${lineNumberAt(before.text, match.start)}. Go on with the next step.`,
      };
    case "match":
      return planMatch(path, before, match, changed);
  }
}

/** The unique place of the edit; a near one only where version control keeps the old text. */
async function findPlace(
  text: string,
  oldText: string,
  newText: string,
  replaceAll: boolean,
  isVersioned: () => Promise<boolean>,
): Promise<EditMatch> {
  const match = matchEdit(text, oldText, newText, replaceAll);
  if (match.kind !== "missing" || replaceAll) return match;
  const near = nearMatch(text, oldText, newText);
  if (near === undefined || !(await isVersioned())) return match;
  return {
    kind: "match",
    replacements: [near],
    adjusted: "a place that is nearly old_text was taken, its other lines kept: check it",
  };
}

function planMatch(
  path: FileChange["path"],
  before: FileContent,
  { replacements, adjusted }: Extract<EditMatch, { kind: "match" }>,
  changed: boolean,
): Plan | ToolResult {
  if (changed && adjusted !== undefined) {
    return failure(
      `${path.display} was changed by something else since you read it, and old_text is no longer exactly in it.`,
      "Nothing was changed. Read the file again, then repeat the edit.",
    );
  }
  const gone = adjusted === undefined ? 0 : deletedLines(before.text, replacements);
  const total = before.text.split("\n").length;
  const { lines, share, ofMoreThan } = MAX_LOOSE_DELETION;
  if (gone > lines || (total > ofMoreThan && gone > share * total)) {
    return failure(
      `The edit would delete ${gone} of ${total} lines of ${path.display}, and old_text is not exactly what they are.`,
      "Nothing was changed. Read the file and repeat the edit with its exact text, or delete less at a time.",
    );
  }
  const change = planChange(path, before, replacements);
  if (isFailure(change)) return change;
  const notes = [
    ...(adjusted === undefined ? [] : [adjusted]),
    ...(changed ? ["something else changed the file since you read it"] : []),
  ];
  return { change, replacements, notes };
}

function deletedLines(text: string, replacements: readonly Replacement[]): number {
  const lines = (part: string): number => part.split("\n").length;
  return replacements.reduce(
    (sum, { start, end, text: after }) => sum + lines(text.slice(start, end)) - lines(after),
    0,
  );
}

function insertInto(
  path: FileChange["path"],
  before: FileContent | undefined,
  text: string,
): Plan | ToolResult {
  if (text === "")
    return failure("old_text and new_text are both empty.", "Give the text of the file as new_text.");
  const change = planChange(path, before, text);
  return isFailure(change) ? change : { change, replacements: [{ start: 0, end: 0, text }], notes: [] };
}
