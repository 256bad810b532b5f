import { z } from "zod";
import { writtenCall } from "./written-call.js";

const wireTool = z.object({
  function: z.object({
    name: z.string(),
    description: z.string().default(""),
    parameters: z.object({
      properties: z.record(
        z.string(),
        z.object({
          type: z.string().default("string"),
          description: z.string().optional(),
          enum: z.array(z.string()).optional(),
        }),
      ),
      required: z.array(z.string()).default([]),
    }),
  }),
});
type Parameters = z.output<typeof wireTool>["function"]["parameters"];

/** Its path is one that is known for a stand-in, so that a model which copies the example makes no call. */
const EXAMPLE = writtenCall({
  name: "edit_file",
  args: { path: "path/to/file", old_text: "old lines", new_text: "new lines" },
});

/** For a model that has made no call or one that cannot be read. */
export const FORM_REMINDER =
  'A call is written as the first message shows, without a code fence: <call tool="…"> … </call>';

/** What the system text says of the tools in place of a request's `tools`. Throws for a tool that is not of that shape. */
export function toolText(tools: readonly unknown[]): string {
  return `# Tools

You work through tools. To use one, write a call in exactly this form and then stop:

${EXAMPLE}

An argument of one line is written "name: value". Text of more lines stands between <name> and </name> as raw lines: never escape, quote or indent it. The result comes in the next message between <tool_response> and </tool_response>; never write it yourself. An answer to the user has no call in it.

${tools.map(describe).join("\n")}`;
}

function describe(tool: unknown): string {
  const { name, description, parameters } = wireTool.parse(tool).function;
  return `${name}: ${description}\n  ${argumentList(parameters)}`;
}

/** `path, start_line? (integer)`; a question mark is for what may be left out. */
function argumentList({ properties, required }: Parameters): string {
  return Object.entries(properties)
    .map(([key, { type, description, enum: choices }]) => {
      const kind = choices?.join(" or ") ?? (type === "string" ? undefined : type);
      const notes = [kind, description].filter((note) => note !== undefined).join(", ");
      return `${key}${required.includes(key) ? "" : "?"}${notes === "" ? "" : ` (${notes})`}`;
    })
    .join(", ");
}
