import { describe, expect, it } from "vitest";
import { AS_WRITTEN, createTranslator } from "../../../src/cli/messages/translator.js";

const { text, reasons } = createTranslator(
  [
    {
      "it is empty": "它是空的",
      '"{word}" writes a file': "“{word}”会写入文件",
      '"{option}" of {program} writes a file': "{program} 的“{option}”会写入文件",
      "{path} cannot be read: {why:phrase}": "无法读取 {path}：{why}",
      "the rule {rule} holds ({origin:phrase})": "规则 {rule} 有效（{origin}）",
      "{source:word} {value}: {issue:known}": "{source} {value}：{issue}",
      "{count:number} files are gone": "{count} 个文件已不存在",
      "since then {changes:reasons}": "此后{changes}",
      "{a} is {b} or {a}": "{a} 是 {b}",
    },
    { "expected a number": "应为数字" },
  ],
  "；",
);

describe("a translator", () => {
  it("finds whole texts, and texts around values, which it keeps as they are", () => {
    expect(text("it is empty")).toBe("它是空的");
    expect(text('"> a {word} b" writes a file')).toBe("“> a {word} b”会写入文件");
    expect(text('"" writes a file')).toBe("“”会写入文件");
  });

  it("leaves what it does not know as it is, above all words that only hold a phrase", () => {
    for (const unknown of ["", "hello", "it is empty.", "It is empty", "say: it is empty", "多谢"]) {
      expect(text(unknown)).toBe(unknown);
    }
  });

  it("takes the pattern that says most of the text", () => {
    expect(text('"-o" of sort writes a file')).toBe("sort 的“-o”会写入文件");
  });

  it("translates a value in turn only where the pattern says that it is one of ours", () => {
    expect(text("a.txt cannot be read: it is empty")).toBe("无法读取 a.txt：它是空的");
    expect(text("a.txt cannot be read: ELSE")).toBe("无法读取 a.txt：ELSE");
    expect(text("it is empty cannot be read: it is empty")).toBe("无法读取 it is empty：它是空的");
    expect(text('"it is empty" writes a file')).toBe("“it is empty”会写入文件");
  });

  it("says nothing where values could be told apart in two ways", () => {
    const unclear = "the rule a holds (b) holds (c)";
    expect(text(unclear)).toBe(unclear);
    expect(text("x is y or z")).toBe("x is y or z");
    expect(text("x is y or x")).toBe("x 是 y");
  });

  it("takes a text only if a part that must be known is", () => {
    expect(text('--max "a: b": expected a number')).toBe('--max "a: b"：应为数字');
    expect(text('--max "a": expected a miracle')).toBe('--max "a": expected a miracle');
    expect(text("1,200 files are gone")).toBe("1,200 个文件已不存在");
    expect(text("many files are gone")).toBe("many files are gone");
  });

  it("takes several lines if it knows each of them", () => {
    expect(text('it is empty\n"a" writes a file')).toBe("它是空的\n“a”会写入文件");
    expect(text("it is empty\nand so on")).toBe("it is empty\nand so on");
  });

  it("joins reasons as the language does, also where a value holds the separator", () => {
    expect(reasons('it is empty; "a; b" writes a file; "-o" of sort writes a file')).toBe(
      "它是空的；“a; b”会写入文件；sort 的“-o”会写入文件",
    );
    expect(reasons("it is empty; who knows")).toBe("it is empty; who knows");
    expect(text("since then it is empty; 2 files are gone")).toBe("此后它是空的；2 个文件已不存在");
  });

  it("answers about a long text at once: it is somebody's words", () => {
    const long = '"a" of it is empty; '.repeat(20_000);
    expect(text(long)).toBe(long);
    expect(reasons(long)).toBe(long);
  });

  it("comes to an end where the values of a text can be told apart in more ways than can be tried", () => {
    const nested = "Error a: ".repeat(200);
    expect(text(nested)).toBe(nested);
    const joined = "it is empty; ".repeat(100);
    expect(reasons(joined)).toBe(joined);
  });

  it("changes nothing where texts are shown as they are written", () => {
    expect(AS_WRITTEN.text("it is empty")).toBe("it is empty");
    expect(AS_WRITTEN.reasons("a; b")).toBe("a; b");
  });
});
