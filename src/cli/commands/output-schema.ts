import { z } from "zod";
import { agentEvent, turnResult } from "../../agent/agent-events.js";
import type { ExitCode } from "../../errors.js";
import { EXIT, UserError } from "../../errors.js";
import type { CommandContext } from "../program.js";

/** The output formats of `ask` that a program reads. */
export const OUTPUT_FORMATS = ["stream-json", "json"] as const;

type OutputFormat = (typeof OUTPUT_FORMATS)[number];

const TITLES: Record<OutputFormat, string> = {
  "stream-json": "One line of mini-cc ask --output-format stream-json",
  json: "What mini-cc ask --output-format json prints",
};

/** JSON Schema (draft 2020-12); fields that it does not name may come. */
export function outputSchema(format: OutputFormat): object {
  const { $schema, ...schema } = z.toJSONSchema(format === "json" ? turnResult : agentEvent, { io: "input" });
  return { $schema, title: TITLES[format], ...schema };
}

/** `mini-cc schema`: the same that stands in `dist/` of the package. */
export function schemaCommand({ messages }: CommandContext, given: string): ExitCode {
  const format = OUTPUT_FORMATS.find((name) => name === given);
  if (!format) {
    throw new UserError(messages.usage.invalidValue("FORMAT", given, OUTPUT_FORMATS.join(", ")), {
      code: "usage",
      hint: messages.usage.seeHelp("mini-cc schema"),
      exitCode: EXIT.usage,
    });
  }
  process.stdout.write(`${JSON.stringify(outputSchema(format), null, 2)}\n`);
  return EXIT.done;
}
