import { expect, test } from "vitest";
import { contextWindow, temperature, thinkField } from "../../src/model/model-settings.js";
import type { ModelDetails } from "../../src/model/ollama-client.js";

const MODEL: ModelDetails = {
  capabilities: ["completion", "tools"],
  family: "qwen2",
  trainedContext: 32_768,
  setsTemperature: false,
  cloud: false,
};
const THINKER: ModelDetails = {
  ...MODEL,
  family: "qwen3",
  capabilities: ["completion", "tools", "thinking"],
};
const GPT_OSS: ModelDetails = { ...THINKER, family: "gptoss" };
const UNKNOWN: ModelDetails = { ...MODEL, capabilities: undefined, trainedContext: undefined };

const GIB = 1024 ** 3;

test.each([
  ["nothing configured on 16 GB", {}, MODEL, 16_384],
  ["nothing configured on 8 GB", { memoryBytes: 8 * GIB }, MODEL, 8_192],
  ["nothing configured on 24 GB, which report a little less", { memoryBytes: 23.4 * GIB }, MODEL, 32_768],
  ["nothing configured and a small model", {}, { ...MODEL, trainedContext: 4096 }, 4096],
  ["nothing configured and an unknown model", {}, UNKNOWN, 16_384],
  ["a smaller one remembered", { remembered: 4_096 }, MODEL, 4_096],
  ["one configured, whatever is remembered", { configured: 24_576, remembered: 4_096 }, MODEL, 24_576],
  ["one configured beyond the training", { configured: 131_072 }, MODEL, 32_768],
  ["one configured for an unknown model", { configured: 131_072 }, UNKNOWN, 131_072],
])("the window with %s", (_, wish, details, tokens) => {
  const nothing = { configured: undefined, remembered: undefined, memoryBytes: 16 * GIB };
  expect(contextWindow({ ...nothing, ...wish }, details)).toBe(tokens);
});

test.each([
  ["configured", 0.7, MODEL, 0.7],
  ["configured as zero", 0, MODEL, 0],
  ["configured against the Modelfile", 0.7, { ...MODEL, setsTemperature: true }, 0.7],
  ["left to the Modelfile that sets one", undefined, { ...MODEL, setsTemperature: true }, undefined],
  ["set nowhere", undefined, MODEL, 0.2],
])("the temperature %s", (_, configured, details, value) => {
  expect(temperature(configured, details)).toBe(value);
});

test.each(["off", "on", "low", "medium", "high"] as const)(
  "a model that cannot think never does: %s",
  (level) => {
    expect(thinkField(level, MODEL)).toBe(false);
    expect(thinkField(level, UNKNOWN)).toBe(false);
  },
);

test.each([
  ["off", false, "low"],
  ["on", true, "medium"],
  ["low", true, "low"],
  ["medium", true, "medium"],
  ["high", true, "high"],
] as const)("thinking %s is %s, and %s for a model that knows levels only", (level, field, levelOnly) => {
  expect(thinkField(level, THINKER)).toBe(field);
  expect(thinkField(level, GPT_OSS)).toBe(levelOnly);
});
