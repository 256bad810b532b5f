import { getEncoding } from "js-tiktoken";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createProcessRegistry } from "../../src/processes/process-registry.js";
import { createBuiltinTools } from "../../src/tools/builtin-tools.js";
import { createFileMemory } from "../../src/tools/file-memory.js";
import { defineTool } from "../../src/tools/tool.js";
import { toWireTool } from "../../src/tools/wire-schema.js";

const tools = createBuiltinTools({
  memory: createFileMemory(),
  commands: {
    processes: createProcessRegistry(),
    shell: () => Promise.resolve({ argv: [], env: {} }),
    timeoutSeconds: 120,
    maxTimeoutSeconds: 600,
  },
  findRipgrep: () => Promise.resolve(undefined),
  env: {},
});

const wire = tools.map(toWireTool);

describe("the built-in tools on the wire", () => {
  it("have the names and parameters that users and scripts rely on, in a fixed order", () => {
    const shapes = wire.map(({ function: { name, parameters } }) => {
      const keys = Object.entries(parameters.properties).map(
        ([key, { type }]) => `${key}${parameters.required.includes(key) ? "" : "?"}: ${type}`,
      );
      return `${name} {${keys.join(", ")}}`;
    });
    expect(shapes).toEqual([
      "read_file {path: string, start_line?: integer, end_line?: integer}",
      "write_file {path: string, content: string}",
      "edit_file {path: string, old_text: string, new_text: string, replace_all?: boolean}",
      "list_files {path: string, pattern?: string}",
      "search_code {pattern: string, path?: string, glob?: string}",
      "run_command {command: string, timeout?: number, background?: boolean}",
      "command_output {id: string, action: string}",
    ]);
  });

  it("take at most 620 tokens", () => {
    expect(getEncoding("o200k_base").encode(JSON.stringify(wire)).length).toBeLessThanOrEqual(620);
  });

  it("name the choices of an enum, and nothing that servers drop", () => {
    const text = JSON.stringify(wire);
    expect(text).toContain('"action":{"type":"string","enum":["read","stop"]}');
    expect(text).not.toMatch(/anyOf|null|minimum|maximum|\$schema|additionalProperties/);
  });

  it("do not frighten the model", () => {
    expect(JSON.stringify(wire)).not.toMatch(/danger|safe|caution|careful|harm|permission|confirm/i);
  });

  it("accept null for every optional parameter", () => {
    for (const { schema } of tools) {
      const required = Object.entries(schema.shape).map(([key, type]) => [
        key,
        (type as z.ZodType).safeParse(null).success ? null : key === "action" ? "read" : "x",
      ]);
      expect(schema.safeParse(Object.fromEntries(required)).success).toBe(true);
    }
  });
});

describe("toWireTool", () => {
  it("refuses a parameter that has no single type", () => {
    const tool = defineTool({
      name: "odd",
      description: "",
      schema: z.object({ either: z.union([z.string(), z.number()]) }),
      effect: "read",
      touches: () => [],
      run: () => Promise.resolve({ status: "ok", output: "" }),
    });
    expect(() => toWireTool(tool)).toThrow("more than one type");
  });
});
