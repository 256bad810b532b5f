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

test.each([
  ["nothing configured", undefined, MODEL, 16_384],
  ["nothing configured and a small model", undefined, { ...MODEL, trainedContext: 4096 }, 4096],
  ["nothing configured and an unknown model", undefined, UNKNOWN, 16_384],
  ["a window that fits", 24_576, MODEL, 24_576],
  ["a window beyond the training", 131_072, MODEL, 32_768],
  ["a window for an unknown model", 131_072, UNKNOWN, 131_072],
])("the window with %s", (_, configured, details, tokens) => {
  expect(contextWindow(configured, details)).toBe(tokens);
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
