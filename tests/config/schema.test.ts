import { expect, test } from "vitest";
import { CONFIG_KEYS, configJsonSchema, configSchema, durationMs } from "../../src/config/schema.js";

interface JsonSchema {
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean;
}

test("an empty file gives the documented defaults", () => {
  expect(configSchema.parse({})).toEqual({
    permissionMode: "default",
    maxSteps: 50,
    language: "auto",
    sandbox: "auto",
    autoCompact: true,
    bell: false,
    notify: "off",
    undo: true,
    warmStart: true,
    reflection: true,
    protocol: "auto",
    limits: { toolCalls: 200, minutes: 60, tokens: 2_000_000 },
    sessions: { keepDays: 180, maxMegabytes: 1000 },
    ollama: {
      host: "http://127.0.0.1:11434",
      numPredict: 4096,
      keepAlive: "30m",
      think: "off",
      firstTokenTimeout: "30m",
      idleTimeout: "5m",
      unloadOnExit: false,
    },
  });
});

test("every key explains itself in the JSON Schema and none is required", () => {
  const schema = configJsonSchema() as JsonSchema;
  for (const key of CONFIG_KEYS) {
    const [section, name] = key.split(".");
    const outer = schema.properties?.[section!];
    const property = name === undefined ? outer : outer?.properties?.[name];
    expect(property?.description, key).toBeTruthy();
  }
  for (const object of [
    schema,
    ...["ollama", "limits", "sessions"].map((name) => schema.properties?.[name]),
  ]) {
    expect(object?.required).toBeUndefined();
    expect(object?.additionalProperties).toBe(false);
  }
});

test.each([
  ["500ms", 500],
  ["5s", 5000],
  ["30m", 1_800_000],
  ["1h", 3_600_000],
  ["0s", 0],
])("the duration %s is %d ms", (text, ms) => {
  expect(durationMs(text)).toBe(ms);
});

test.each(["5", "", "5 s", "-5s", "1.5h", "5d", "1h30m", 5])("%j is no duration", (value) => {
  const [issue] = configSchema.safeParse({ ollama: { keepAlive: value } }).error?.issues ?? [];
  expect(issue?.path).toEqual(["ollama", "keepAlive"]);
});

test("keepAlive may be zero but a time limit may not, nor be longer than a timer can wait", () => {
  const accepts = (ollama: object) => configSchema.safeParse({ ollama }).success;
  expect(accepts({ keepAlive: "0s" })).toBe(true);
  expect(accepts({ keepAlive: "1000h" })).toBe(true);
  expect(accepts({ idleTimeout: "0s" })).toBe(false);
  expect(accepts({ idleTimeout: "596h" })).toBe(true);
  expect(accepts({ idleTimeout: "597h" })).toBe(false);
});

test.each([
  { model: "" },
  { model: null },
  { maxSteps: 0 },
  { maxSteps: 1.5 },
  { maxSteps: "50" },
  { autoCompact: "true" },
  { permissionMode: "yolo" },
  { allowedCommands: "ls" },
  { allowedCommands: [1] },
  { limits: 5 },
  { ollama: { numCtx: 16 } },
  { ollama: { think: true } },
  { ollama: { temperature: 3 } },
  { ollama: { host: "ftp://box" } },
])("%j breaks the schema", (value) => {
  expect(configSchema.safeParse(value).success).toBe(false);
});
