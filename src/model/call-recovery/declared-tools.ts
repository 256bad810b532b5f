import { z } from "zod";

/** What a request tells the model of a tool, as far as a call can be held against it. */
export interface DeclaredTool {
  name: string;
  /** JSON Schema type by parameter; empty where the schema names none. */
  parameters: ReadonlyMap<string, string>;
  required: readonly string[];
}

const wireTool = z.object({
  function: z.object({
    name: z.string(),
    parameters: z
      .object({
        properties: z.record(z.string(), z.object({ type: z.unknown().optional() })).nullish(),
        required: z.array(z.string()).nullish(),
      })
      .nullish(),
  }),
});

/** Reads the `tools` of a chat request; what is not a function tool is left out. */
export function declaredTools(tools: readonly unknown[]): DeclaredTool[] {
  return tools.flatMap((tool) => {
    const read = wireTool.safeParse(tool);
    if (!read.success) return [];
    const { name, parameters } = read.data.function;
    const types = Object.entries(parameters?.properties ?? {}).map(
      ([key, { type }]) => [key, typeof type === "string" ? type : ""] as const,
    );
    return [{ name, parameters: new Map(types), required: parameters?.required ?? [] }];
  });
}
