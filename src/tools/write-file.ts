import { z } from "zod";
import { findElision } from "./elision.js";
import { applyChange, isFailure, planChange, readForChange } from "./file-change.js";
import type { ChangeOptions, FileChange } from "./file-change.js";
import { countLines } from "./file-diff.js";
import { toLf } from "./line-endings.js";
import { repairLiteralNewlines } from "./literal-newlines.js";
import { failure } from "./tool-failure.js";
import { defineTool } from "./tool.js";
import type { Tool, ToolContext, ToolResult } from "./tool.js";

/** Of a file with more lines than this, a text of less than half is remarkable. */
const SHORT_LINES = 20;

const schema = z.object({ path: z.string(), content: z.string() });

interface Plan {
  change: FileChange;
  /** What is remarkable about replacing this file; empty if nothing is. */
  warning: string;
  /** The text had its line breaks as "\n" in two characters. */
  repaired: boolean;
}

export function createWriteFileTool(options: ChangeOptions): Tool {
  return defineTool({
    name: "write_file",
    description: "Create a file, or replace all of a short one. content is the complete new text.",
    schema,
    effect: "change",
    touches: ({ path }) => [{ kind: "write", path }],
    async preview(args, context) {
      const planned = await plan(args, context, options);
      if (isFailure(planned)) return planned;
      options.memory.showed(context, planned.change.before?.hash ?? "");
      const { warning } = planned;
      return { diff: planned.change.diff, ...(warning !== "" && { warning }) };
    },
    async run(args, context) {
      const planned = await plan(args, context, options);
      if (isFailure(planned)) return planned;
      const { change, warning, repaired } = planned;
      const lines = countLines(change.after);
      const output = [
        `${change.before === undefined ? "Created" : "Replaced"} ${change.path.display} (${plural(lines)}).`,
        ...(repaired ? ['content held "\\n" in place of line breaks; real line breaks were written.'] : []),
        ...(warning === "" ? [] : [warning]),
      ];
      return applyChange(change, output.join(" "), context, options);
    },
  });
}

async function plan(
  args: z.infer<typeof schema>,
  context: ToolContext,
  { memory, env }: ChangeOptions,
): Promise<Plan | ToolResult> {
  const path = context.path(args.path);
  if (path.kind === "directory") {
    return failure(`${path.display} is a folder.`, "Give the path of a file in it. Nothing was changed.");
  }
  const before = await readForChange(path);
  if (before !== undefined && isFailure(before)) return before;
  const broken = await repairLiteralNewlines(path.real, args.content, env);
  const repaired = broken !== undefined;
  const content = broken ?? args.content;
  if (before === undefined) {
    const change = planChange(path, undefined, content);
    return isFailure(change) ? change : { change, warning: "", repaired };
  }

  const text = toLf(content);
  if (text === before.text) {
    return { status: "ok", output: `${path.display} has exactly this content already; nothing was changed.` };
  }
  const elision = findElision(text, before.text);
  if (elision !== undefined) {
    return failure(
      `content stands in for existing text with "${elision}".`,
      "Nothing was changed. Send the complete text, or change only a part with edit_file.",
    );
  }
  const known = memory.compare(path.real, before.hash);
  if (known === "changed") {
    return failure(
      `${path.display} was changed by something else since you read it.`,
      "Nothing was written. Read it again, then decide what to write.",
    );
  }
  const change = planChange(path, before, text);
  if (isFailure(change)) return change;
  return { change, warning: describeLoss(change, known === "unread"), repaired };
}

/** Says with both sizes that a file is replaced unread, or by much less than it held. */
function describeLoss({ before, after, bytes, path }: FileChange, unread: boolean): string {
  if (before === undefined || before.text.trim() === "") return "";
  const [old, now] = [countLines(before.text), countLines(after)];
  const shrinks = old > SHORT_LINES && now < old / 2;
  if (!unread && !shrinks) return "";
  const sizes = `${plural(old)} (${before.size} bytes) become ${plural(now)} (${bytes.length} bytes)`;
  return unread
    ? `${path.display} existed and was not read in this session: ${sizes}.`
    : `${path.display} gets much shorter: ${sizes}.`;
}

function plural(lines: number): string {
  return `${lines} ${lines === 1 ? "line" : "lines"}`;
}
