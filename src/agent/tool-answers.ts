import { z } from "zod";
import type { Tool } from "../tools/tool.js";

/** The words with which the gate answers the model; each says what to do next. */

export function unknownToolText(name: string, names: readonly string[]): string {
  return `There is no tool "${name}". Call one of: ${names.join(", ")}.`;
}

export function wrongArgumentsText(tool: Tool, args: unknown, error: z.ZodError): string {
  const problems = error.issues.map((issue) => `"${issue.path.join(".")}": ${issue.message}`).join("; ");
  return [
    `${tool.name} was not run, its arguments do not fit: ${problems}.`,
    `You sent: ${excerpt(JSON.stringify(args))}`,
    `Call it again with: ${shapeOf(tool)}`,
  ].join("\n");
}

/** `{"path": string, "start_line"?: integer}` */
function shapeOf(tool: Tool): string {
  const schema = z.toJSONSchema(tool.schema);
  const required = new Set(schema.required);
  const fields = Object.entries(schema.properties ?? {}).map(([key, property]) => {
    const kinds = typeof property === "object" ? (property.anyOf ?? [property]) : [];
    const types = kinds
      .map((kind) => (typeof kind === "object" ? kind.type : undefined))
      .filter((type) => type !== undefined && type !== "null");
    return `"${key}"${required.has(key) ? "" : "?"}: ${types.join(" | ")}`;
  });
  return `{${fields.join(", ")}}`;
}

export function denialText(by: "rule" | "mode" | "user" | "nobody", because: string): string {
  switch (by) {
    case "user":
      return `The user declined this call${because === "" ? "" : `: ${because}`}. Do not repeat it; take another way or ask what is wanted.`;
    case "nobody":
      return `Not run, it needs an approval and nobody can be asked: ${because}. Go on without it and say in your answer what is left undone.`;
    case "rule":
    case "mode":
      return `Not allowed: ${because}. Do not repeat it; take another way.`;
  }
}

/** Without half a character at a cut. */
function whole(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
}

function excerpt(text: string): string {
  return text.length > 300 ? `${whole(text.slice(0, 300))}…` : text;
}
