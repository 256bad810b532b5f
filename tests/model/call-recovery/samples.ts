import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { DeclaredTool } from "../../../src/model/call-recovery/declared-tools.js";
import { declaredTools } from "../../../src/model/call-recovery/declared-tools.js";
import type { NewReply, RecoveredReply } from "../../../src/model/call-recovery/recover-calls.js";

interface Sample {
  id: string;
  family: string;
  form: string;
  field: "content" | "thinking";
  content: string;
  expect: {
    calls: { name: string; args: Record<string, unknown> }[];
    text: string;
    problem?: RecoveredReply["problem"];
  };
  negative: boolean;
}

interface Samples {
  tools: Record<string, { required: string[]; optional: Record<string, string> }>;
  samples: Sample[];
}

const file = join(import.meta.dirname, "..", "..", "fixtures", "toolcall-leaks.json");
const read = JSON.parse(readFileSync(file, "utf8")) as Samples;

export const SAMPLES = read.samples;

/** The tools of the samples as they stand in a request. */
export const WIRE_TOOLS = Object.entries(read.tools).map(([name, { required, optional }]) => ({
  type: "function" as const,
  function: {
    name,
    description: name,
    parameters: {
      type: "object",
      properties: Object.fromEntries([
        ...required.map((key) => [key, { type: "string" }] as const),
        ...Object.entries(optional).map(([key, type]) => [key, { type }] as const),
      ]),
      required,
    },
  },
}));

export const TOOLS: DeclaredTool[] = declaredTools(WIRE_TOOLS);

export function replyOf({ field, content }: Pick<Sample, "field" | "content">): NewReply {
  return { content: "", thinking: "", doneReason: "stop", [field]: content };
}
