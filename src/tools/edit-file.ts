import { z } from "zod";
import { explainAmbiguity, explainMiss, lineNumberAt } from "./edit-feedback.js";
import { applyReplacements, matchEdit } from "./edit-match.js";
import type { Replacement } from "./edit-match.js";
import { findElision } from "./elision.js";
import { applyChange, isFailure, planChange, readForChange } from "./file-change.js";
import type { FileChange } from "./file-change.js";
import { missingPath } from "./nearest-paths.js";
import { toLf } from "./text-file.js";
import { failure } from "./tool-failure.js";
import { defineTool } from "./tool.js";
import type { Tool, ToolContext, ToolResult } from "./tool.js";

/** Lines shown before and after the changed ones. */
const CONTEXT_LINES = 3;
const MAX_REGION_LINES = 60;
const MAX_LINE_CHARS = 500;

const schema = z.object({
  path: z.string(),
  old_text: z.string(),
  new_text: z.string(),
  replace_all: z.boolean().nullish(),
});

interface Plan {
  change: FileChange;
  replacements: Replacement[];
  adjusted: string | undefined;
}

/** `env` is for git, which lists the files when a path does not exist. */
export function createEditFileTool(env: NodeJS.ProcessEnv): Tool {
  return defineTool({
    name: "edit_file",
    description:
      "Change an existing file: replace old_text by new_text. Copy old_text exactly from the file, with enough lines to occur only once.",
    schema,
    effect: "change",
    touches: ({ path }) => [{ kind: "write", path }],
    async preview(args, context) {
      const planned = await plan(args, context, env);
      return isFailure(planned) ? planned : { diff: planned.change.diff };
    },
    async run(args, context) {
      const planned = await plan(args, context, env);
      return isFailure(planned) ? planned : applyChange(planned.change, describe(planned));
    },
  });
}

async function plan(
  args: z.infer<typeof schema>,
  context: ToolContext,
  env: NodeJS.ProcessEnv,
): Promise<Plan | ToolResult> {
  const path = context.path(args.path);
  const oldText = toLf(args.old_text).replace(/^\uFEFF/, "");
  const newText = toLf(args.new_text).replace(/^\uFEFF/, "");
  if (path.kind === "directory") {
    return failure(`${path.display} is a folder.`, "Give the path of a file in it. Nothing was changed.");
  }
  if (path.kind === "missing") {
    return oldText === "" ? insertInto(path, undefined, newText) : missingPath(path, context, env);
  }
  const before = await readForChange(path);
  if (isFailure(before)) return before;
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

  const match = matchEdit(before.text, oldText, newText, args.replace_all === true);
  switch (match.kind) {
    case "missing":
      return { status: "error", output: explainMiss(path.display, before.text, oldText) };
    case "ambiguous":
      return { status: "error", output: explainAmbiguity(path.display, before.text, match.starts) };
    case "already-applied":
      return {
        status: "ok",
        output: `Nothing was changed: new_text is in ${path.display} already, at line ${lineNumberAt(before.text, match.start)}. Go on with the next step.`,
      };
    case "match": {
      const change = planChange(path, before, applyReplacements(before.text, match.replacements));
      if (isFailure(change)) return change;
      return { change, replacements: match.replacements, adjusted: match.adjusted };
    }
  }
}

function insertInto(path: FileChange["path"], before: FileChange["before"], text: string): Plan | ToolResult {
  if (text === "")
    return failure("old_text and new_text are both empty.", "Give the text of the file as new_text.");
  const change = planChange(path, before, text);
  return isFailure(change)
    ? change
    : { change, replacements: [{ start: 0, end: 0, text }], adjusted: undefined };
}

function describe({ change, replacements, adjusted }: Plan): string {
  const note = adjusted === undefined ? "" : ` (${adjusted})`;
  const [first] = replacements;
  if (first === undefined || replacements.length > 1) {
    const lines = replacements.map(({ start }) => lineNumberAt(change.before?.text ?? "", start));
    const shown = lines.slice(0, 20).join(", ") + (lines.length > 20 ? ", …" : "");
    return `Edited ${change.path.display}: ${replacements.length} places, lines ${shown}${note}.`;
  }
  const before = change.before?.text ?? "";
  const firstLine = lineNumberAt(change.after, first.start);
  const lastBefore = Math.max(firstLine, lineNumberAt(before, Math.max(first.start, first.end - 1)));
  const end = first.start + first.text.length;
  const lastAfter = Math.max(firstLine, lineNumberAt(change.after, Math.max(first.start, end - 1)));
  const lines = change.after.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const from = Math.max(1, firstLine - CONTEXT_LINES);
  const to = Math.min(lines.length, lastAfter + CONTEXT_LINES);
  const region = lines
    .slice(from - 1, Math.min(to, from - 1 + MAX_REGION_LINES))
    .map((line) => (line.length <= MAX_LINE_CHARS ? line : `${line.slice(0, MAX_LINE_CHARS)}[… line cut]`));
  const cut = to - from + 1 > region.length ? [`[… up to line ${to}]`] : [];
  const head = `Edited ${change.path.display} lines ${firstLine}-${lastBefore}${note}. Now lines ${from}-${to} are:`;
  return [head, ...region, ...cut].join("\n");
}
