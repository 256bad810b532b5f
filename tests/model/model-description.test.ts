import { expect, test } from "vitest";
import { memoryFit } from "../../src/model/memory-fit.js";
import { describeModel } from "../../src/model/model-description.js";
import { recommendedModel, weaknessOf } from "../../src/model/recommended-models.js";

const GIB = 1024 ** 3;

test.each<[string, Record<string, unknown>, number | undefined]>([
  [
    "qwen2.5:7b, whose head length follows from the embedding",
    { block_count: 28, embedding_length: 3584, "attention.head_count": 28, "attention.head_count_kv": 4 },
    57_344,
  ],
  [
    "qwen3:8b, which names its head length",
    {
      block_count: 36,
      embedding_length: 4096,
      "attention.head_count": 32,
      "attention.head_count_kv": 8,
      "attention.key_length": 128,
      "attention.value_length": 128,
    },
    147_456,
  ],
  [
    "a hybrid, most of whose layers keep no keys",
    { block_count: 4, "attention.key_length": 100, "attention.head_count_kv": [0, 0, 0, 2] },
    800,
  ],
  ["a server that does not tell enough", { block_count: 28 }, undefined],
  [
    "a server that hides long lists",
    { block_count: 4, "attention.key_length": 1, "attention.head_count_kv": null },
    undefined,
  ],
])("the memory that a token of the window takes: %s", (_name, facts, bytes) => {
  const info = Object.fromEntries(Object.entries(facts).map(([key, value]) => [`arch.${key}`, value]));
  const reply = { model_info: { "general.architecture": "arch", ...info } };
  expect(describeModel("a", reply).kvBytesPerToken).toBe(bytes);
});

test("a description keeps the Modelfile's parameters in order and names the server's renderer", () => {
  const found = describeModel("a", {
    parameters: 'stop                           "<|im_start|>"\nstop    "a b"\ntemperature    0.7\n',
    modelfile: "# RENDERER no\nFROM /blob\nRENDERER qwen3-coder\nPARSER qwen3-coder\n",
  });
  expect(found.parameters).toEqual([
    { name: "stop", value: '"<|im_start|>"' },
    { name: "stop", value: '"a b"' },
    { name: "temperature", value: "0.7" },
  ]);
  expect(found).toMatchObject({ renderer: "qwen3-coder", parser: "qwen3-coder", setsTemperature: true });
});

test.each([
  ["fits", 4 * GIB, "fits"],
  ["is tight", 6 * GIB, "tight"],
  ["is too large", 9 * GIB, "too-large"],
])("a model with its window %s", (_name, fileBytes, verdict) => {
  const model = { window: 16_384, kvBytesPerToken: 65_536, memoryBytes: 8 * GIB };
  expect(memoryFit({ ...model, fileBytes })).toEqual({ verdict, neededBytes: fileBytes + GIB });
});

test("a window too long for the memory makes a small model not fit", () => {
  const model = { fileBytes: GIB, kvBytesPerToken: 65_536, memoryBytes: 8 * GIB };
  expect(memoryFit({ ...model, window: 131_072 }).verdict).toBe("too-large");
});

test.each([
  ["qwen2.5:7b", "7.6B", "legacy"],
  ["qwen2.5-coder", undefined, "legacy"],
  ["library/llama3.1:8b", "8.0B", "legacy"],
  ["qwen3:4b", "4.0B", "small"],
  ["tiny", "494.03M", "small"],
  ["qwen3:8b", "8.2B", undefined],
  ["llama3000:8b", "8B", undefined],
  ["mistral-small:24b", "24B", undefined],
  ["unknown", undefined, undefined],
])("what stands against %s (%s)", (name, size, weakness) => {
  expect(weaknessOf(name, size)).toBe(weakness);
});

test("what is recommended grows with the memory", () => {
  const models = [8, 15.5, 31].map((gib) => recommendedModel(gib * GIB).model);
  expect(new Set(models).size).toBe(3);
});
