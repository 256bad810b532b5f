import { z } from "zod";
import { agentEvent, turnResult } from "../../agent/agent-events.js";
import type { ExitCode } from "../../errors.js";
import { EXIT } from "../../errors.js";
import { SCHEMA_FORMATS } from "../formats.js";
import type { CommandContext } from "../program.js";
import { oneOf } from "../usage-error.js";

export { SCHEMA_FORMATS };

type OutputFormat = (typeof SCHEMA_FORMATS)[number];

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
  const format = oneOf(SCHEMA_FORMATS, given, { name: "FORMAT", command: "mini-cc schema", messages });
  process.stdout.write(`${JSON.stringify(outputSchema(format), null, 2)}\n`);
  return EXIT.done;
}
