import { describe, expect, it } from "vitest";
import { decodeText, encodeText } from "../../src/tools/text-file.js";
import { createWorkspace } from "./workspace.js";

const utf16be = (text: string): Buffer => Buffer.from(text, "utf16le").swap16();
const hex = (text: string): Buffer => Buffer.from(text.replaceAll(" ", ""), "hex");

/** Bytes of a first line, of the word in the second, and of the word that replaces it; by other programs. */
const encodings = [
  { name: "UTF-8", text: "größe", word: "中", other: "日", encode: (text: string) => Buffer.from(text) },
  { name: "UTF-8 with BOM", text: "größe", word: "中", other: "日", encode: (text: string) => Buffer.from(text), bom: hex("ef bb bf") },
  { name: "UTF-16 LE with BOM", text: "größe", word: "中", other: "日", encode: (text: string) => Buffer.from(text, "utf16le"), bom: hex("ff fe") },
  { name: "UTF-16 BE with BOM", text: "größe", word: "中", other: "日", encode: utf16be, bom: hex("fe ff") },
  { name: "UTF-16 LE", text: "größe", word: "中", other: "日", encode: (text: string) => Buffer.from(text, "utf16le") },
  { name: "UTF-16 BE", text: "größe", word: "中", other: "日", encode: utf16be },
  { name: "GBK", text: "配置文件", word: "中", other: "日", encode: table({ 配: "c5e4", 置: "d6c3", 文: "cec4", 件: "bcfe", 中: "d6d0", 日: "c8d5" }) },
  { name: "GB18030", text: "配置文件\u{1F600}", word: "中", other: "\u{1F4A9}", encode: table({ 配: "c5e4", 置: "d6c3", 文: "cec4", 件: "bcfe", 中: "d6d0", "\u{1F600}": "9439fc36", "\u{1F4A9}": "9439da33" }) },
  { name: "Shift-JIS", text: "こんにちは", word: "中", other: "日", encode: table({ こ: "82b1", ん: "82f1", に: "82c9", ち: "82bf", は: "82cd", 中: "9286", 日: "93fa" }) },
  { name: "Latin-1", text: "größe", word: "é", other: "ü", encode: (text: string) => Buffer.from(text, "latin1") },
  { name: "Windows-1252", text: "größe “x”", word: "é", other: "€", encode: table({ ö: "f6", ß: "df", "“": "93", "”": "94", é: "e9", "€": "80" }) },
]; // prettier-ignore

function table(bytes: Record<string, string>): (text: string) => Buffer {
  return (text) =>
    Buffer.concat(
      Array.from(text, (sign) => (bytes[sign] === undefined ? Buffer.from(sign) : hex(bytes[sign]))),
    );
}

const endings = [
  { ends: "LF", first: "\n", second: "\n", third: "\n" },
  { ends: "CRLF", first: "\r\n", second: "\r\n", third: "\r\n" },
  { ends: "mixed", first: "\r\n", second: "\n", third: "\r\n" },
  { ends: "no last line end", first: "\n", second: "\n", third: "" },
];

const cases = encodings.flatMap((encoding) => endings.map((ending) => ({ ...encoding, ...ending })));

describe.each(cases)("$name with $ends", ({ text, word, other, encode, bom, first, second, third }) => {
  const bytes = (inner: string, added = ""): Buffer =>
    Buffer.concat([
      bom ?? Buffer.alloc(0),
      encode(`// ${text}${first}${inner} = 1;${second}${added}end${third}`),
    ]);

  it("is shown as text", async () => {
    const workspace = createWorkspace();
    workspace.file("f", bytes(word));
    const { output, status } = await workspace.run("read_file", { path: "f" });
    expect(status).toBe("ok");
    expect(output.split("\n").slice(1)).toEqual([`// ${text}`, `${word} = 1;`, "end"]);
    expect(output).not.toContain("\uFFFD");
  });

  it("is kept by edit_file", async () => {
    const workspace = createWorkspace();
    workspace.file("f", bytes(word));
    const args = { path: "f", old_text: `${word} = 1;\nend`, new_text: `${other} = 1;\nend` };
    const result = await workspace.run("edit_file", args);
    // A changed line of a file with mixed line ends gets the commonest one.
    const expected =
      second === first ? bytes(other) : encodeWith(`// ${text}${first}${other} = 1;${first}end${third}`);
    expect(result.status).toBe("ok");
    expect(workspace.bytes("f").toString("hex")).toBe(expected.toString("hex"));

    function encodeWith(whole: string): Buffer {
      return Buffer.concat([bom ?? Buffer.alloc(0), encode(whole)]);
    }
  });

  it("is kept by write_file", async () => {
    const workspace = createWorkspace();
    workspace.file("f", bytes(word));
    const content = `// ${text}\n${word} = 1;\nend${third === "" ? "" : "\n"}`.replace("1;", `"${other}";`);
    const result = await workspace.run("write_file", { path: "f", content });
    const changed = second === first ? second : first;
    const expected = encode(`// ${text}${first}${word} = "${other}";${changed}end${third}`);
    expect(result.status).toBe("ok");
    expect(workspace.bytes("f").toString("hex")).toBe(
      Buffer.concat([bom ?? Buffer.alloc(0), expected]).toString("hex"),
    );
  });

  it("is found by search_code where the pattern is ASCII", async () => {
    const workspace = createWorkspace({ ripgrep: "/nonexistent/rg", env: { PATH: "/nonexistent" } });
    workspace.file("f", bytes(word));
    const { output } = await workspace.run("search_code", { pattern: "= 1" });
    expect(output).toContain(`  2: ${word} = 1;`);
  });
});

describe("what cannot be told for certain", () => {
  it.each([
    { title: "Russian in KOI8-R", bytes: hex("f0d2c9d7c5d4 20 cdc9d2 0a") },
    { title: "Korean in EUC-KR", bytes: hex("c7d1b1db20c1d6bcae20c0d4b4cfb4d920b1d7b8aeb0ed20b4f520b8b9c0ba20b1dbc0da0a") },
    { title: "Japanese in EUC-JP", bytes: hex("a4b3a4f3a4cba4c1a4cf0a") },
    { title: "UTF-8 with one wrong byte", bytes: Buffer.concat([Buffer.from("größe ähnlich schön 配置文件"), hex("ff0a")]) },
    { title: "control characters", bytes: hex("01c4e3bac30a") },
  ])("is not changed: $title", async ({ bytes }) => {
    const workspace = createWorkspace();
    workspace.file("f", Buffer.concat([Buffer.from("x = 1\n"), bytes]));
    const edited = await workspace.run("edit_file", { path: "f", old_text: "x = 1", new_text: "x = 2" });
    const written = await workspace.run("write_file", { path: "f", content: "x = 2\n" });
    for (const { status, output } of [edited, written]) {
      expect(status).toBe("error");
      expect(output).toContain("encoding that was not recognised");
    }
    expect(workspace.bytes("f").equals(Buffer.concat([Buffer.from("x = 1\n"), bytes]))).toBe(true);
  }); // prettier-ignore

  it.each([
    { title: "a program", bytes: hex("7f454c46 02010100 00000000 00000000") },
    { title: "numbers of two bytes", bytes: hex("0100 0200 0300 0400 0500") },
    { title: "letters with zeros on both sides", bytes: hex("6100 0062 6300 0064 6500") },
  ])("is binary: $title", ({ bytes }) => {
    expect(decodeText(bytes).kind).toBe("binary");
  });

  it("is not written over: bytes that would come back as others", async () => {
    // Shift-JIS of NEC writes this sign in a second way.
    const bytes = Buffer.concat([hex("82b182f182c982bf82cd 8790 0a"), Buffer.from("x = 1\n")]);
    const workspace = createWorkspace();
    workspace.file("f", bytes);
    const result = await workspace.run("edit_file", { path: "f", old_text: "x = 1", new_text: "x = 2" });
    expect(result.status).toBe("error");
    expect(workspace.bytes("f").equals(bytes)).toBe(true);
  });
});

describe("every character of an encoding", () => {
  it.each(["gbk", "gb18030", "shift_jis"] as const)(
    "is written as the decoder reads it in %s",
    (encoding) => {
      const pairs = Array.from({ length: 126 * 191 }, (_, index) => [
        0x81 + Math.floor(index / 191),
        0x40 + (index % 191),
        10,
      ]);
      const lines = new TextDecoder(encoding).decode(Buffer.from(pairs.flat())).split("\n");
      const text = lines.filter((line) => line.length === 1 && line !== "\uFFFD").join("");
      const bytes = encodeText(text, { kind: "text", text: "", original: "", bom: false, encoding });
      expect(text.length).toBeGreaterThan(6_000);
      expect(new TextDecoder(encoding).decode(bytes)).toBe(text);
    },
  );
});
