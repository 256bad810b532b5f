import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createPrintableStream, printable, visible } from "../src/printable.js";

const FORBIDDEN =
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/u;

/** Text in which sequences, their parts and ordinary characters meet in every order. */
const hostileText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "\x1b",
        "[",
        "]",
        "P",
        "_",
        "^",
        "X",
        "N",
        "\\",
        "\x07",
        "\x9b",
        "\x9d",
        "\x90",
        "\x9c",
      ),
      fc.constantFrom(
        "\x8e",
        "0;title",
        "31",
        "m",
        "K",
        "(",
        "B",
        "\x18",
        "\r",
        "\n",
        "\t",
        "\b",
        "\x7f",
        "\x00",
      ),
      fc.constantFrom(
        "\u202e",
        "\u200b",
        "\u{e0041}",
        "\ud83d",
        "\ude00",
        "😀",
        "你好",
        "plain text",
        " ",
        "\u2028",
      ),
      fc.string({ unit: "binary", maxLength: 5 }),
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(""));

describe("printable", () => {
  it.each([
    ["colours", "a\x1b[1;31mb\x1b[0mc", "abc"],
    ["cursor movement and clearing", "a\x1b[2K\x1b[1Gb\x1b[?25l", "ab"],
    ["a window title ended by BEL", "a\x1b]0;owned\x07b", "ab"],
    ["a hyperlink ended by ST", "\x1b]8;;http://x\x1b\\text\x1b]8;;\x1b\\", "text"],
    ["a clipboard write", "a\x1b]52;c;cm0gLXJmIC8=\x07b", "ab"],
    ["a device control string", "a\x1bPq#0;1~~\x1b\\b", "ab"],
    ["APC, PM and SOS strings", "a\x1b_x\x1b\\b\x1b^y\x1b\\c\x1bXz\x1b\\d", "abcd"],
    ["single shifts with their character", "a\x1bNxb\x1bOPc", "abc"],
    ["character sets and resets", "a\x1b(0b\x1b#8c\x1bcd\x1b7e", "abcde"],
    ["8-bit CSI", "a\x9b31mb", "ab"],
    ["8-bit OSC ended by 8-bit ST", "a\x9d0;t\x9cb", "ab"],
    ["8-bit DCS, APC, PM, SOS, SS2", "a\x90x\x9cb\x9fx\x9cc\x9ex\x9cd\x98x\x9ce\x8exf", "abcdef"],
    ["an escape that interrupts an escape", "a\x1b\x1b[31mb\x1b[3\x1b[0mc", "abc"],
    ["a sequence cut off at the end", "a\x1b[31", "a"],
    ["a lone escape at the end", "a\x1b", "a"],
    ["control characters", "a\x00b\x07c\bd\x7fe\x84f\x0bg", "abcdefg"],
    ["bidi controls", "a\u202eb\u2066c\u200fd\u061ce", "abcde"],
    ["zero-width characters", "a\u200bb\u200dc\ufeffd\u2060e\u00adf", "abcdef"],
    ["tag characters", "a\u{e0001}\u{e0041}\u{e007f}b", "ab"],
  ])("removes %s", (_name, text, expected) => {
    expect(printable(text)).toBe(expected);
  });

  it("turns CR, CRLF and repeated CR into one line end", () => {
    expect(printable("10%\r20%\r\ndone\r\r\nend\n\nx")).toBe("10%\n20%\ndone\nend\n\nx");
  });

  it("lets an unterminated string hide no more than its own line", () => {
    expect(printable("a\x1b]0;never ended\nthe next line")).toBe("a\nthe next line");
    expect(printable("a\x90never ended\r\nthe next line")).toBe("a\nthe next line");
  });

  it("leaves ordinary text of every script as it is", () => {
    const text = "tab\there\nß é 你好 こんにちは 🎉 ❤️ שלום";
    expect(printable(text)).toBe(text);
  });

  it("replaces half a surrogate pair", () => {
    expect(printable("a\ud83d")).toBe("a\ufffd");
    expect(printable("\ude00b")).toBe("\ufffdb");
  });

  it("never lets a control or invisible character through, and changes nothing the second time", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const result = printable(text);
        expect(result).not.toMatch(FORBIDDEN);
        expect(printable(result)).toBe(result);
      }),
    );
  });

  it("gives the same for a text in chunks, wherever it is split", () => {
    fc.assert(
      fc.property(hostileText, fc.array(fc.nat(200)), (text, cuts) => {
        const stream = createPrintableStream();
        const borders = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length];
        let result = "";
        for (let index = 1; index < borders.length; index++) {
          result += stream.write(text.slice(borders[index - 1], borders[index]));
        }
        expect(result + stream.end()).toBe(printable(text));
      }),
    );
  });

  it("begins afresh after the end of a text", () => {
    const stream = createPrintableStream();
    stream.write("a\x1b]0;open");
    stream.end();
    expect(stream.write("shown")).toBe("shown");
  });
});

describe("visible", () => {
  it.each([
    ["escape sequences", "echo \x1b[2Kls", "echo \\x1b[2Kls"],
    ["carriage returns and backspaces", "rm -rf /\rls\b", "rm -rf /\\rls\\x08"],
    ["bidi and zero-width characters", "ls \u202e\u200b\ufe0f", "ls \\u202e\\u200b\\ufe0f"],
    ["tag characters", "ls\u{e0041}", "ls\\u{e0041}"],
    ["spaces that are none to a shell", "ls\u00a0-l\u3000x", "ls\\u00a0-l\\u3000x"],
    ["long runs of blanks", `ls${" ".repeat(400)}; rm x`, "ls␠×400; rm x"],
    ["runs of empty lines", `ls${"\n".repeat(300)}rm x`, "ls⏎×300\nrm x"],
    ["empty lines made of blanks", `ls${"\n \t".repeat(300)}rm x`, "ls⏎×300\n \trm x"],
  ])("shows %s", (_name, text, expected) => {
    expect(visible(text)).toBe(expected);
  });

  it("leaves an ordinary script with indentation and empty lines as it is", () => {
    const script = "if true; then\n\t\techo '你好 🎉'\n\n\n        ls\nfi";
    expect(visible(script)).toBe(script);
  });

  it("marks its own notation, so that it differs from the same characters in the text", () => {
    expect(visible("\\x1b\x1b", (notation) => `<${notation}>`)).toBe("\\x1b<\\x1b>");
  });

  it("never lets a control or invisible character through", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(visible(text)).not.toMatch(FORBIDDEN);
      }),
    );
  });
});
