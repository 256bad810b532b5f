import { z } from "zod";
import { findElision } from "./elision.js";
import { applyChange, isFailure, planChange, readForChange } from "./file-change.js";
import type { FileChange } from "./file-change.js";
import { countLines } from "./file-diff.js";
import { toLf } from "./text-file.js";
import { failure } from "./tool-failure.js";
import { defineTool } from "./tool.js";
import type { Tool, ToolContext, ToolResult } from "./tool.js";

const schema = z.object({ path: z.string(), content: z.string() });

export function createWriteFileTool(): Tool {
  return defineTool({
    name: "write_file",
    description: "Create a file, or replace all of a short one. content is the complete new text.",
    schema,
    effect: "change",
    touches: ({ path }) => [{ kind: "write", path }],
    preview: plan,
    async run(args, context) {
      const change = await plan(args, context);
      if (isFailure(change)) return change;
      const verb = change.before === undefined ? "Created" : "Replaced";
      const lines = countLines(change.after);
      return applyChange(
        change,
        `${verb} ${change.path.display} (${lines} ${lines === 1 ? "line" : "lines"}).`,
      );
    },
  });
}

async function plan(args: z.infer<typeof schema>, context: ToolContext): Promise<FileChange | ToolResult> {
  const path = context.path(args.path);
  if (path.kind === "directory") {
    return failure(`${path.display} is a folder.`, "Give the path of a file in it. Nothing was changed.");
  }
  if (path.kind === "missing") return planChange(path, undefined, args.content);

  const before = await readForChange(path);
  if (isFailure(before)) return before;
  const content = toLf(args.content);
  if (content === before.text) {
    return { status: "ok", output: `${path.display} has exactly this content already; nothing was changed.` };
  }
  const elision = findElision(content, before.text);
  if (elision !== undefined) {
    return failure(
      `content stands in for existing text with "${elision}".`,
      "Nothing was changed. Send the complete text, or change only a part with edit_file.",
    );
  }
  return planChange(path, before, content);
}
