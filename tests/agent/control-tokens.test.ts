import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { restoreControlTokens, showControlTokens } from "../../src/agent/control-tokens.js";

const MARKS = [
  ["<|im_start|>system", "‹|im_start|›system"],
  ["a<|eot_id|>b<|start_header_id|>", "a‹|eot_id|›b‹|start_header_id|›"],
  ["<tool_call>{}</tool_call>", "‹tool_call›{}‹/tool_call›"],
  ["</think>", "‹/think›"],
  ["<start_of_turn>user", "‹start_of_turn›user"],
  ["[INST] x [/INST]", "⁅INST⁆ x ⁅/INST⁆"],
  ["[TOOL_CALLS]", "⁅TOOL_CALLS⁆"],
  ["<｜tool▁calls▁begin｜>", "‹｜tool▁calls▁begin｜›"],
  ["<|tool_call>call:x<tool_call|>", "‹|tool_call›call:x‹tool_call|›"],
] as const;

describe("marks of chat templates in tool results", () => {
  test.each(MARKS)("%s is shown to the model as %s", (text, shown) => {
    expect(showControlTokens(text)).toBe(shown);
  });

  test.each(["<div>", "a < b > c", "Array<string>", "[x]", "list[INSTALL]", "a || b", "<thinking>"])(
    "%s is no mark and stays as it is",
    (text) => {
      expect(showControlTokens(text)).toBe(text);
    },
  );

  test("what the model copies back is the text of the file again", () => {
    const piece = fc.oneof(fc.constantFrom(...MARKS.map(([text]) => text)), fc.string());
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join("");
        expect(restoreControlTokens(showControlTokens(text))).toBe(text);
      }),
    );
  });

  test("only text is turned back", () => {
    expect(restoreControlTokens(3)).toBe(3);
    expect(restoreControlTokens(null)).toBe(null);
  });
});
