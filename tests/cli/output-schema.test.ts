import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { ValidateFunction } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { createPlace } from "../helpers/run-cli.js";

const usage = { promptTokens: 10, outputTokens: 2 };
const session = { id: "20260304-0506", model: "m", cwd: "/w", contextWindow: 0, version: "0.1.0" };
const turnEnd = {
  type: "turn-end",
  outcome: "done",
  text: "",
  usage: { ...usage, steps: 1 },
  changedFiles: ["a.ts"],
  commands: [{ command: "npm test", exitCode: null }],
  denied: [{ tool: "run_command", because: "nobody could be asked" }],
};

/** The contract of the events, one line of each type; what may be left out stands apart. */
const LINES: readonly (readonly [line: Record<string, unknown>, optional: Record<string, unknown>])[] = [
  [{ type: "session", ...session }, {}],
  [{ type: "turn-start", prompt: "" }, {}],
  [
    { type: "model-start", step: 1 },
    { promptTokens: 900, newTokens: 20 },
  ],
  [
    { type: "model-progress", step: 1, phase: "reading", elapsedMs: 12.5 },
    { tokens: 12, tokensPerSecond: 9.5 },
  ],
  [{ type: "thinking-delta", text: "Hm" }, {}],
  [{ type: "text-delta", text: "Hi" }, {}],
  [
    {
      type: "model-end",
      step: 1,
      usage,
      timings: { loadMs: 0, promptMs: 1.5, outputMs: 2 },
      doneReason: "stop",
    },
    { recovered: "qwen", cachedTokens: 5 },
  ],
  [{ type: "tool-start", id: "c1", tool: "read_file", args: { path: "a" } }, {}],
  [{ type: "permission", id: "c1", verdict: "allow", by: "rule", because: "git status" }, {}],
  [{ type: "tool-output", id: "c1", text: "x" }, {}],
  [
    { type: "tool-end", id: "c1", tool: "read_file", status: "ok", output: "", durationMs: 3 },
    { diff: "--- a", exitCode: null, found: { files: 3, matches: 12 } },
  ],
  [{ type: "steering", text: "no, the other one" }, {}],
  [{ type: "context-compacted", tokensBefore: 9, tokensAfter: 3 }, {}],
  [{ type: "notice", level: "warning", code: "untrusted", text: "parts do not count" }, {}],
  [turnEnd, { error: { code: "loop", message: "in circles", hint: "say it otherwise" } }],
];

const RESULT = [{ ...session, ...turnEnd }, { error: { code: "loop", message: "in circles" } }] as const;

/** As a script of the package's users finds it. */
function published(format: "json" | "stream-json"): object {
  const require = createRequire(import.meta.url);
  return JSON.parse(readFileSync(require.resolve(`mini-cc/${format}.schema.json`), "utf8")) as object;
}

function compile(schema: object): ValidateFunction {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
  expect(ajv.validateSchema(schema)).toBe(true);
  return ajv.compile(schema);
}

/** The value with each of its fields, at any depth, changed once; `args` may hold anything. */
function* changed(
  value: Record<string, unknown>,
  change: (parent: Record<string, unknown>, key: string) => void,
  path: readonly string[] = [],
): Generator<[path: string, value: unknown]> {
  for (const key of Object.keys(path.reduce<object>((at, name) => at[name as never], value))) {
    const copy = structuredClone(value);
    const parent = path.reduce<Record<string, unknown>>((at, name) => at[name] as never, copy);
    const content = parent[key];
    change(parent, key);
    yield [[...path, key].join("."), copy];
    const isObject = typeof content === "object" && content !== null;
    if (isObject && key !== "args") yield* changed(value, change, [...path, key]);
  }
}

describe.each([
  ["stream-json", LINES],
  ["json", [RESULT]],
] as const)("the published schema of %s", (format, lines) => {
  const check = compile(published(format));
  const isValid = (value: unknown) => check(value);

  it("accepts what the contract says, with and without what may be left out, and fields that are new", () => {
    for (const [line, optional] of lines) {
      for (const value of [line, { ...line, ...optional }, { ...line, ...optional, novelty: [1] }]) {
        expect(isValid(value), JSON.stringify(value)).toBe(true);
      }
    }
  });

  it("refuses a line without one of its fields, and each field with a value of another kind", () => {
    const accepted: string[] = [];
    for (const [line, optional] of lines) {
      const without = changed(line, (parent, key) => {
        if (Array.isArray(parent)) parent[Number(key)] = undefined;
        else Reflect.deleteProperty(parent, key);
      });
      const otherKind = changed({ ...line, ...optional }, (parent, key) => (parent[key] = true));
      for (const [path, value] of [...without, ...otherKind]) {
        const mayBeAnything = path === "args" && Object.hasOwn(value as object, "args");
        if (!mayBeAnything && isValid(value)) accepted.push(`${String(line["type"])}: ${path}`);
      }
    }
    expect(accepted).toEqual([]);
  });

  it.each([
    ["a type that is not there", { type: "turn-middle", text: "" }],
    ["an outcome that is not there", { ...session, ...turnEnd, outcome: "perhaps" }],
    ["tokens below zero", { ...session, ...turnEnd, usage: { ...turnEnd.usage, steps: -1 } }],
    ["no object", [turnEnd]],
  ])("refuses %s", (_name, value) => {
    expect(isValid(value)).toBe(false);
  });

  it("is what mini-cc schema prints", async () => {
    const { code, stdout, stderr } = await createPlace().run(["schema", format]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout)).toEqual(published(format));
  });
});

it("mini-cc schema names the formats that there are", async () => {
  const place = createPlace();
  for (const args of [["schema"], ["schema", "text"]]) {
    const { code, stdout, stderr } = await place.run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("mini-cc schema --help");
  }
  expect((await place.run(["schema", "text"])).stderr).toContain("stream-json, json");
});
