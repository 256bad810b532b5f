import { z } from "zod";
import type { Tool } from "./tool.js";

interface WireProperty {
  type: string;
  description?: string;
  enum?: string[];
}

/** A tool as it stands in the `tools` of a chat request. */
export interface WireTool {
  type: "function";
  function: {
    name: string;
    description: string;
    parameters: { type: "object"; properties: Record<string, WireProperty>; required: string[] };
  };
}

/** The part of JSON Schema that flat tool schemas make use of. */
interface JsonSchema {
  type?: string | string[];
  description?: string;
  enum?: (string | null)[];
  anyOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
}

/** Only what servers pass on to the model: type, description, enum, required. A nullish key is an optional one. */
export function toWireTool({ name, description, schema }: Tool): WireTool {
  const json = z.toJSONSchema(schema) as JsonSchema;
  const properties = Object.fromEntries(
    Object.entries(json.properties ?? {}).map(([key, property]) => [key, toWireProperty(property)]),
  );
  const parameters = { type: "object" as const, properties, required: json.required ?? [] };
  return { type: "function", function: { name, description, parameters } };
}

function toWireProperty(property: JsonSchema): WireProperty {
  const variants = property.anyOf ?? [property];
  const types = variants.flatMap(({ type }) => type ?? []).filter((type) => type !== "null");
  const choices = variants.flatMap((variant) => variant.enum ?? []).filter((choice) => choice !== null);
  const [type] = types;
  if (type === undefined || types.length > 1) throw new Error("A tool parameter has more than one type");
  return {
    type,
    ...(property.description === undefined ? {} : { description: property.description }),
    ...(choices.length === 0 ? {} : { enum: choices }),
  };
}
