import { describe, expect, it } from "vitest";
import { createColours, fit, hang, terminalTraits, wrap } from "../../../src/cli/render/terminal.js";

function traits(isTTY: boolean, environment: Record<string, string>, noColor = false) {
  return terminalTraits({ isTTY }, { environment, noColor });
}

describe("what a stream may be sent", () => {
  it.each([
    ["a terminal", true, {}, { colourLevel: 1, animated: true }],
    ["a pipe, even with FORCE_COLOR", false, { FORCE_COLOR: "1" }, { colourLevel: 0, animated: false }],
    ["a terminal with NO_COLOR", true, { NO_COLOR: "1" }, { colourLevel: 0, animated: true }],
    [
      "NO_COLOR and FORCE_COLOR",
      true,
      { NO_COLOR: "1", FORCE_COLOR: "1" },
      { colourLevel: 0, animated: true },
    ],
    ["an empty NO_COLOR", true, { NO_COLOR: "" }, { colourLevel: 1, animated: true }],
    ["FORCE_COLOR=0", true, { FORCE_COLOR: "0" }, { colourLevel: 0, animated: true }],
    ["a dumb terminal", true, { TERM: "dumb" }, { colourLevel: 0, animated: false }],
    [
      "a dumb terminal with FORCE_COLOR",
      true,
      { TERM: "dumb", FORCE_COLOR: "1" },
      { colourLevel: 1, animated: false },
    ],
  ] as const)("is known for %s", (_name, isTTY, environment, expected) => {
    expect(traits(isTTY, environment)).toEqual({ ...expected, unicode: true });
  });

  it("has no colours after --no-color", () => {
    expect(traits(true, { FORCE_COLOR: "1" }, true)).toEqual({
      colourLevel: 0,
      animated: true,
      unicode: true,
    });
  });

  it("is nothing but ASCII of ours where the locale is not UTF-8", () => {
    expect(traits(true, { LANG: "C" })).toEqual({ colourLevel: 1, animated: true, unicode: false });
  });
});

describe("widths", () => {
  it.each([
    ["abc", 3, "abc"],
    ["abcd", 3, "ab…"],
    ["你好", 4, "你好"],
    ["你好吗", 5, "你好…"],
    ["你好吗", 4, "你…"],
    ["🎉🎉", 3, "🎉…"],
    ["e\u0301e\u0301e\u0301", 3, "e\u0301e\u0301e\u0301"],
    ["e\u0301e\u0301e\u0301", 2, "e\u0301…"],
    ["👨‍👩‍👧👨‍👩‍👧", 4, "👨‍👩‍👧👨‍👩‍👧"],
    ["👨‍👩‍👧👨‍👩‍👧", 3, "👨‍👩‍👧…"],
    ["“你”好", 4, "“你…"],
  ])("fit cuts %j to %i cells", (text, columns, expected) => {
    expect(fit(text, columns, "…")).toBe(expected);
  });

  it("wrap counts wide characters as two cells and our styles as none", () => {
    const { inverse } = createColours(1);
    expect(wrap("你好ab", 4)).toEqual(["你好", "ab"]);
    expect(wrap(`a${inverse("bcd")}e`, 3)).toEqual(["a\x1b[7mbc", "d\x1b[27me"]);
    expect(wrap("", 4)).toEqual([""]);
    expect(wrap("e\u0301e\u0301e\u0301", 2)).toEqual(["e\u0301e\u0301", "e\u0301"]);
    expect(wrap("👨‍👩‍👧a👨‍👩‍👧", 3)).toEqual(["👨‍👩‍👧a", "👨‍👩‍👧"]);
  });

  it("wrap keeps words whole where that leaves no half row empty, and loses nothing", () => {
    expect(wrap("one two three four", 9)).toEqual(["one two ", "three ", "four"]);
    expect(wrap("a verylongword", 9)).toEqual(["a verylon", "gword"]);
  });

  it.each([
    ["允许修改（受保护的文件名除外）", 28, ["允许修改（受保护的文件名除", "外）"]],
    ["哪些操作：default、plan", 16, ["哪些操作：", "default、plan"]],
    ["从accept-edits开始", 12, ["从accept-edi", "ts开始"]],
  ])("wrap breaks %j at %i cells where Chinese may be broken", (text, columns, expected) => {
    expect(wrap(text, columns)).toEqual(expected);
  });

  it.each([
    ["/help  lists the commands", 30, ["/help  lists the commands"]],
    ["  /help  lists the commands", 20, ["  /help  lists the ", "         commands"]],
    ["  /help  列出所有的命令", 20, ["  /help  列出所有的", "         命令"]],
    ["  one two three four", 12, ["  one two ", "  three four"]],
    ["a very long first column  text", 20, ["a very long first ", "column  text"]],
  ])("hang goes on with %j, in %i cells, below where its text begins", (text, columns, expected) => {
    expect(hang(text, columns)).toEqual(expected);
  });
});
