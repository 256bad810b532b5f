import { expect, test } from "vitest";
import { contextWindow } from "../../src/model/model-settings.js";
import type { ModelDetails } from "../../src/model/ollama-client.js";

const MODEL: ModelDetails = {
  capabilities: ["completion", "tools"],
  family: "qwen2",
  trainedContext: 32_768,
  setsTemperature: false,
  cloud: false,
};
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
