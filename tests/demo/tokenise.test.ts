import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tokenise } from "../../src/demo/tokenise.js";

const charsPerToken = (text: string) => text.length / tokenise(text).length;

describe("the scripted tokeniser", () => {
  it("loses nothing of any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(tokenise(text).join("")).toBe(text);
      }),
    );
  });

  it("makes of each script about as many tokens as large vocabularies do", () => {
    const english =
      "Users who ask for a larger window than the model was trained with get a smaller one. ".repeat(20);
    const code = "export function add(first: number, second: number) {\n  return first + second;\n}\n".repeat(
      20,
    );
    const chinese =
      "请先阅读项目的说明文件，然后修复失败的测试。不要修改公共接口，也不要删除任何文件。".repeat(20);
    expect(charsPerToken(english)).toBeGreaterThan(3.5);
    expect(charsPerToken(english)).toBeLessThan(4.6);
    expect(charsPerToken(code)).toBeGreaterThan(2.7);
    expect(charsPerToken(code)).toBeLessThan(4);
    expect(charsPerToken(chinese)).toBeGreaterThan(1);
    expect(charsPerToken(chinese)).toBeLessThan(1.6);
  });

  it("takes a control token of the template as one", () => {
    expect(tokenise("<|im_start|>user\nhi<|im_end|>\n")).toEqual([
      "<|im_start|>",
      "user",
      "\n",
      "hi",
      "<|im_end|>",
      "\n",
    ]);
  });
});
