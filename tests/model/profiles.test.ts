import { describe, expect, test } from "vitest";
import type { ModelDescription } from "../../src/model/model-description.js";
import { describeModel, showReply } from "../../src/model/model-description.js";
import { profileOf, temperature, thinkField } from "../../src/model/profiles.js";

const TOOLS = ["completion", "tools"];
const THINKING = [...TOOLS, "thinking"];

function details(family: string, reply: object = { capabilities: TOOLS }): ModelDescription {
  return describeModel("m", showReply.parse({ details: { family }, ...reply }));
}
const profile = (name: string, family: string, reply?: object) => profileOf(name, details(family, reply));

describe("the profile of a model", () => {
  test.each([
    ["with tools", { capabilities: TOOLS }, "native"],
    ["without tools", { capabilities: ["completion"] }, "text"],
    ["with capabilities that the server does not tell", {}, "native"],
  ])("%s has its protocol", (_, reply, protocol) => {
    expect(profile("some:7b", "unheard-of", reply)).toEqual({
      family: undefined,
      protocol,
      thinking: "none",
      leastTemperature: undefined,
    });
  });

  test.each([
    ["gpt-oss:20b", "gptoss", THINKING, "gpt-oss", "levels", undefined],
    ["qwen3:8b", "qwen3", THINKING, "Qwen3", "switch", 0.3],
    ["qwen3.6:35b-a3b", "qwen35moe", THINKING, "Qwen3", "switch", 0.3],
    ["hf.co/someone/Qwen3-4B-GGUF:Q4_K_M", "", TOOLS, "Qwen3", "none", 0.3],
    ["deepseek-r1:7b", "qwen2", ["completion"], "DeepSeek-R1", "in-text", 0.5],
    ["deepseek-r1:8b", "qwen3", THINKING, "DeepSeek-R1", "switch", 0.5],
    ["qwq", "qwen2", TOOLS, "QwQ", "in-text", 0.3],
    ["qwen2.5:7b", "qwen2", TOOLS, undefined, "none", undefined],
    ["my-notes-on-qwen3", "llama", TOOLS, undefined, "none", undefined],
  ])("%s of family %s", (name, family, capabilities, known, thinking, leastTemperature) => {
    expect(profile(name, family, { capabilities })).toMatchObject({
      family: known,
      thinking,
      leastTemperature,
    });
  });

  test("knows by the template that a model thinks in its text", () => {
    const template = "{{ .Prompt }}<think>";
    expect(profile("some:7b", "llama", { capabilities: TOOLS, template }).thinking).toBe("in-text");
    expect(profile("some:7b", "llama", { capabilities: THINKING, template }).thinking).toBe("switch");
  });
});

describe("the temperature", () => {
  test.each([
    ["configured", 0.7, "llama", "", 0.7],
    ["configured as zero", 0, "llama", "", 0],
    ["configured as zero for a family that would repeat itself", 0, "qwen3", "", 0.3],
    ["configured against the Modelfile", 0.7, "qwen3", "temperature 0.6", 0.7],
    ["left to the Modelfile that sets one", undefined, "qwen3", "temperature 0.6", undefined],
    ["set nowhere", undefined, "llama", "", 0.2],
    ["set nowhere for a family that wants more", undefined, "qwen3", "", 0.3],
  ])("%s", (_, configured, family, parameters, value) => {
    const model = details(family, { capabilities: TOOLS, parameters });
    expect(temperature(configured, model, profileOf("m", model))).toBe(value);
  });
});

describe("the think field", () => {
  test.each([
    ["off", false, "low"],
    ["on", true, "medium"],
    ["low", true, "low"],
    ["medium", true, "medium"],
    ["high", true, "high"],
  ] as const)("for %s is %s, and %s for a model that knows levels only", (level, field, levelOnly) => {
    expect(thinkField(level, profile("m", "qwen3", { capabilities: THINKING }))).toBe(field);
    expect(thinkField(level, profile("m", "gptoss", { capabilities: THINKING }))).toBe(levelOnly);
    for (const unable of [profile("m", "llama"), profile("m", "gptoss", {}), profile("qwq", "qwen2")]) {
      expect(thinkField(level, unable)).toBe(false);
    }
  });
});
