import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createWorkspace } from "./workspace.js";

/** print("你好") */
const gbk = Buffer.from("7072696e742822c4e3bac322290a", "hex");

const many = (line: string): string => Array.from({ length: 40 }, (_, index) => `${line}${index}\n`).join("");

const nearFile =
  "// top\nfunction f() {\n  const a = 1;\n  // note\n  const b = 2;\n  const c = 3;\n  const d = 4;\n  return a;\n}\n";
const nearOld =
  "function f() {\n  const a = 1;\n  const b = 2;\n  const c = 3;\n  const d = 4;\n  return a;\n}";
const nearNew = nearOld.replace("c = 3", "c = 30");

interface EditCase {
  title: string;
  before: string | Buffer;
  old: string;
  new: string;
  all?: boolean;
  after: string | Buffer;
  says?: string;
}

const utf16 = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, "utf16le");

const landing: EditCase[] = [
  { title: "an exact text", before: "a\nb\nc\n", old: "b", new: "B", after: "a\nB\nc\n" },
  { title: "dollar signs literally", before: "a:\n\techo $$HOME\n", old: "echo $$HOME", new: "echo $$USER $& $' $1", after: "a:\n\techo $$USER $& $' $1\n" },
  { title: "a text with backslashes as it is", before: "re = /\\u0000/\n", old: "/\\u0000/", new: "/\\u0001\\t/", after: "re = /\\u0001\\t/\n" },
  { title: "only the changed line of a CRLF file", before: "x\r\ny\r\nz\r\n", old: "y", new: "Y\nnew", after: "x\r\nY\r\nnew\r\nz\r\n" },
  { title: "several lines of a CRLF file given with LF", before: "x\r\ny\r\nz\r\n", old: "x\ny", new: "x\nY", after: "x\r\nY\r\nz\r\n" },
  { title: "a text given with CRLF in an LF file", before: "x\ny\n", old: "x\r\ny", new: "x\r\nz", after: "x\nz\n" },
  { title: "added lines of a mixed file with its commonest ending", before: "a\r\nb\nc\r\nd\r\n", old: "c", new: "c\nC", after: "a\r\nb\nc\r\nC\r\nd\r\n" },
  { title: "a first line behind a BOM, which stays", before: "\uFEFFWrite-Host 1\r\n", old: "Write-Host 1", new: "Write-Host 2", after: "\uFEFFWrite-Host 2\r\n" },
  { title: "UTF-16 LE", before: utf16("a\r\nä\r\n"), old: "ä", new: "ü€", after: utf16("a\r\nü€\r\n") },
  { title: "UTF-16 BE", before: utf16("ä\n").swap16(), old: "ä", new: "ö", after: utf16("ö\n").swap16() },
  { title: "a file without a last newline", before: "a\nb", old: "b", new: "c", after: "a\nc" },
  { title: "a last line that the model ends with a newline", before: "a\nb", old: "b\n", new: "c\n", after: "a\nc" },
  { title: "all places with replace_all", before: "x1 x2 x3\n", old: "x", new: "xx", all: true, after: "xx1 xx2 xx3\n" },
  { title: "every blank with replace_all", before: "a b c\n", old: " ", new: "  ", all: true, after: "a  b  c\n" },
  { title: "a line that goes away", before: "a\nb\nc\n", old: "b\n", new: "", after: "a\nc\n" },
  { title: "a text in spite of blanks at line ends", before: "a  \nb\t\nc\n", old: "a\nb\n", new: "A\nb\n", after: "A\nb\t\nc\n", says: "blanks at line ends" },
  { title: "a text in spite of a blank line around it", before: "a\nb  \nc\n", old: "\nb\n\n", new: "\nB\n\n", after: "a\nB\nc\n", says: "blanks at line ends" },
  { title: "a deletion in spite of blanks at line ends", before: "a\nb  \nc\n", old: "b\n", new: "", after: "a\nc\n", says: "blanks at line ends" },
  { title: "spaces for tabs, re-indented", before: "func f() {\n\tif x {\n\t\treturn 1\n\t}\n}\n", old: "    if x {\n        return 1\n    }", new: "    if x {\n        if y {\n            return 2\n        }\n    }", after: "func f() {\n\tif x {\n\t\tif y {\n\t\t\treturn 2\n\t\t}\n\t}\n}\n", says: "indentation" },
  { title: "a block given without its indentation", before: "class A:\n    def f(self):\n        a = 1\n        return a\n", old: "def f(self):\n    a = 1\n    return a", new: "def f(self):\n    if True:\n        a = 2\n\n    return a", after: "class A:\n    def f(self):\n        if True:\n            a = 2\n\n        return a\n", says: "indentation" },
  { title: "a block given too deep", before: "if a:\n    b()\n    c()\n", old: "        b()\n        c()", new: "        b()\n        d()", after: "if a:\n    b()\n    d()\n", says: "indentation" },
  { title: "two spaces for four", before: "f() {\n    a {\n        b\n    }\n}\n", old: "  a {\n    b\n  }", new: "  a {\n    b\n    c\n  }", after: "f() {\n    a {\n        b\n        c\n    }\n}\n", says: "indentation" },
  { title: "a first line whose blanks were cut", before: "\tfoo()\n\tbar()\n", old: "foo()\n    bar()", new: "foo()\n    baz()", after: "\tfoo()\n\tbaz()\n", says: "indentation" },
  { title: "a file whose real lines begin like line numbers", before: "11| foo\n12| bar\n", old: "12| bar", new: "12| baz", after: "11| foo\n12| baz\n" },

  // Indentation
  { title: "deeper lines of a Makefile with their tabs", before: "all:\n\tcc a.c\n\tcc b.c\n", old: "all:\n    cc a.c\n    cc b.c", new: "all:\n    cc a.c\n    cc -O2 b.c", after: "all:\n\tcc a.c\n\tcc -O2 b.c\n", says: "indentation" },
  { title: "one tab too few", before: "func f() {\n\t\ta()\n\t\tb()\n}\n", old: "\ta()\n\tb()\n", new: "\ta()\n\tc()\n", after: "func f() {\n\t\ta()\n\t\tc()\n}\n" },
  { title: "YAML given without its indentation", before: "a:\n  b:\n    - x: 1\n      y: 2\n", old: "- x: 1\n  y: 2", new: "- x: 1\n  y: 3\n  z: 4", after: "a:\n  b:\n    - x: 1\n      y: 3\n      z: 4\n", says: "indentation" },
  { title: "blank lines in a re-indented block as blank", before: "  a\n\n  b\n", old: "    a\n\n    b", new: "    a\n\n    c\n\n    d", after: "  a\n\n  c\n\n  d\n", says: "indentation" },
  { title: "a deletion in spite of other indentation", before: "a\n\tb\n\tc\nd\n", old: "  b\n  c\n", new: "", after: "a\nd\n", says: "indentation" },
  { title: "a block in which kept lines keep their odd blanks", before: "\tif x {  \n\t\ta()\t\n\t}\n", old: "if x {\n    a()\n}", new: "if x {\n    a()\n    b()\n}", after: "\tif x {  \n\t\ta()\t\n\t\tb()\n\t}\n", says: "indentation" },
  { title: "the first of two lines that are equal but for blanks", before: "  a\n  s  \n  s\n  b\n", old: "a\ns\ns\nb", new: "a\nt\ns\nb", after: "  a\n  t\n  s\n  b\n", says: "indentation" },
  { title: "the last of two lines that are equal but for blanks", before: "a\nf(1,  2)\nf(1, 2)\nb\n", old: "a \nf(1, 2)\nf(1, 2)\nb", new: "a \nf(1, 2)\ng()\nb", after: "a\nf(1,  2)\ng()\nb\n", says: "blanks inside" },
  // Blanks inside lines
  { title: "whole lines with other blanks inside", before: "int  a   = 1;\nint  bb  = 2;\nx\n", old: "int a = 1;\nint bb = 2;", new: "int a = 1;\nint bb = 3;", after: "int  a   = 1;\nint bb = 3;\nx\n", says: "blanks inside the lines" },
  { title: "tabs between columns given as blanks", before: "name\t\tage\nbob\t\t7\n", old: "name age\nbob 7", new: "name age\nbob 8", after: "name\t\tage\nbob 8\n", says: "blanks inside the lines" },
  { title: "inner blanks and indentation together", before: "\tx  =  1\n\ty  =  2\n", old: "x = 1\ny = 2", new: "x = 1\nif x:\n    y = 2", after: "\tx  =  1\n\tif x:\n\t\ty = 2\n", says: "blanks inside the lines" },
  { title: "a part of a line, and no blank after it", before: "alpha    beta gamma\n", old: "alpha beta", new: "Z", after: "Z gamma\n", says: "blanks inside the line" },
  { title: "a part of a line between others", before: "f(a,  b) + g(a,b)\n", old: "f(a, b)", new: "f(b)", after: "f(b) + g(a,b)\n", says: "blanks inside the line" },
  // Typography and canonical equivalence
  { title: "a composed text in a decomposed file", before: "cafe\u0301 = 1\nx\n", old: "caf\u00e9 = 1", new: "caf\u00e9 = 2", after: "cafe\u0301 = 2\nx\n", says: "accents" },
  { title: "a decomposed text in a composed file", before: "caf\u00e9 = 1\n", old: "cafe\u0301 = 1", new: "the\u0301 = 1", after: "th\u00e9 = 1\n", says: "accents" },
  { title: "Korean syllables written as letters", before: "// \u1112\u1161\u11ab\u1100\u1173\u11af\nx\n", old: "// \ud55c\uae00", new: "// \ud55c\uae00!", after: "// \u1112\u1161\u11ab\u1100\u1173\u11af!\nx\n", says: "accents" },
  { title: "plain quotes where the file has curly ones, which stay", before: "say(\u201cHello\u201d);\ny\n", old: 'say("Hello");', new: 'say("Hello world");', after: "say(\u201cHello world\u201d);\ny\n", says: "quotes" },
  { title: "curly quotes where the file has plain ones", before: "it's here\n", old: "it\u2019s here", new: "it\u2019s there", after: "it's there\n", says: "quotes" },
  { title: "a hyphen for a dash", before: "1990\u20131999: x\n", old: "1990-1999: x", new: "1990-1999: y", after: "1990\u20131999: y\n", says: "dashes" },
  { title: "a blank for a no-break space", before: "10\u00a0km of road\n", old: "10 km of", new: "10 km on", after: "10\u00a0km on road\n", says: "quotes" },
  { title: "curly quotes in lines with other indentation", before: "\ta(\u2018x\u2019)\n\tb()\n", old: "a('x')\nb()", new: "a('x')\nc()", after: "\ta(\u2018x\u2019)\n\tc()\n", says: "adjusted" },
  { title: "several folded lines, of which one changes", before: "\u201ca\u201d\n\u201cb\u201d\n\u201cc\u201d\n", old: '"a"\n"b"\n"c"', new: '"a"\n"B"\n"c"', after: "\u201ca\u201d\n\u201cB\u201d\n\u201cc\u201d\n", says: "quotes" },
  // Escapes
  { title: "a text that was escaped twice", before: 'print("hi")\nx\n', old: 'print(\\"hi\\")\\nx', new: 'print(\\"ho\\")\\ny', after: 'print("ho")\ny\n', says: "escapes" },
  { title: "an escaped old text and a plain new one", before: "a\n\tb\n", old: "a\\n\\tb", new: "a\n\tc", after: "a\n\tc\n", says: "escapes" },
  { title: "a regular expression with escapes exactly", before: "re = /\\n\\t/\n", old: "/\\n\\t/", new: "/\\r?\\n/", after: "re = /\\r?\\n/\n" },
  { title: "an entity as it is", before: "<p>&lt;</p>\n", old: "&lt;", new: "&amp;lt;", after: "<p>&amp;lt;</p>\n" },
  // Copied marks
  { title: "a text with one copied line number", before: "a\nfoo()\nb\n", old: "   12| foo()", new: "   12| bar()", after: "a\nbar()\nb\n", says: "line numbers" },
  { title: "a block with copied line numbers and a new line without one", before: "a\n  foo()\n  baz()\nb\n", old: "12|   foo()\n13|   baz()", new: "12|   bar()\n  new()\n13|   baz()", after: "a\n  bar()\n  new()\n  baz()\nb\n", says: "line numbers" },
  { title: "line numbers before tabs", before: "a\nb\nc\n", old: "1\ta\n2\tb", new: "1\tA\n2\tb", after: "A\nb\nc\n", says: "line numbers" },
  { title: "line numbers and arrows", before: "def f():\n    return 1\n", old: "  1→def f():\n  2→    return 1", new: "  1→def f():\n  2→    return 2", after: "def f():\n    return 2\n", says: "line numbers" },
  { title: "line numbers of a search hit", before: "x = 1\ny = 2\n", old: "  2: y = 2", new: "  2: y = 3", after: "x = 1\ny = 3\n", says: "line numbers" },
  { title: "numbered lines with another indentation than the file", before: "\ta()\n\tb()\n", old: "4|a()\n5|b()", new: "4|a()\n5|c()", after: "\ta()\n\tc()\n", says: "line numbers were taken away; indentation" },
  { title: "line numbers in new_text only", before: "a\nfoo()\nb\n", old: "foo()", new: "   2| bar()\n   3| baz()", after: "a\nbar()\nbaz()\nb\n", says: "line numbers were taken away from new_text" },
  { title: "a deletion of a numbered line", before: "a\nb\nc\n", old: "2|b\n", new: "", after: "a\nc\n", says: "line numbers" },
  { title: "a new line that begins like a number in a file of such lines", before: "1| a\n2| b\n", old: "2| b\n", new: "2| b\n3| c\n", after: "1| a\n2| b\n3| c\n" },
  { title: "a text with a fence round it", before: "a\nfoo()\nb\n", old: "```ts\nfoo()\n```", new: "```ts\nbar()\n```", after: "a\nbar()\nb\n", says: "fence" },
  { title: "a fence that is in the file", before: "# T\n```sh\nnpm i\n```\n", old: "```sh\nnpm i\n```", new: "```sh\nnpm ci\n```", after: "# T\n```sh\nnpm ci\n```\n" },
  { title: "a text written as a diff", before: "a\nfoo()\nb\n", old: " a\n-foo()\n b", new: " a\n+bar()\n+baz()\n b", after: "a\nbar()\nbaz()\nb\n", says: "marks of a diff" },
  { title: "a bullet list that looks like a diff", before: "- one\n- two\n", old: "- one\n", new: "- one\n- more\n", after: "- one\n- more\n- two\n" },
  // Encodings and line ends
  { title: "GBK", before: gbk, old: 'print("\u4f60\u597d")\n', new: 'print("\u4f60\u597d")\n# \u914d\u7f6e\n', after: Buffer.concat([gbk, Buffer.from("2320c5e4d6c30a", "hex")]) },
  { title: "Shift-JIS", before: Buffer.from("2f2f2082b182f182c982bf82cd0d0a7820", "hex"), old: "\u3053\u3093", new: "\u3055\u3093", after: Buffer.from("2f2f2082b382f182c982bf82cd0d0a7820", "hex") },
  { title: "Latin-1", before: Buffer.from("caf\xe9 = 1\n", "latin1"), old: "caf\u00e9 = 1", new: "th\u00e9 = 1", after: Buffer.from("th\xe9 = 1\n", "latin1") },
  { title: "UTF-16 without a byte order mark", before: Buffer.from("name = 1\r\n", "utf16le"), old: "1", new: "\u00fc", after: Buffer.from("name = \u00fc\r\n", "utf16le") },
  { title: "one of equal lines in a file of mixed line ends", before: "a\n}\r\nb\n}\nc\r\n", old: "b\n}\n", new: "", after: "a\n}\r\nc\r\n" },
  { title: "line ends of the old Macintosh", before: "a\rb\rc\r", old: "a\nb", new: "a\nB\nnew", after: "a\rB\rnew\rc\r" },
  { title: "line ends of the old Macintosh, given as they are", before: "a\rb\rc\r", old: "a\rb", new: "a\rB", after: "a\rB\rc\r" },
  { title: "a lone carriage return, which stays", before: "a\rb\nc\r\n", old: "c", new: "d", after: "a\rb\nd\r\n" },
  { title: "CRLF with a tolerant match", before: "a  \r\nb\r\n", old: "a\nb", new: "A\nb", after: "A\r\nb\r\n", says: "blanks at line ends" },
]; // prettier-ignore

describe("edit_file lands", () => {
  it.each(landing)("$title", async ({ before, old, new: replacement, all, after, says }) => {
    const workspace = createWorkspace();
    workspace.file("f.txt", before);
    const args = { path: "f.txt", old_text: old, new_text: replacement, replace_all: all };
    const preview = await workspace.preview("edit_file", args);
    const result = await workspace.run("edit_file", args);
    expect(result.output).toMatch(/^Edited f\.txt/);
    expect(result.status).toBe("ok");
    expect(workspace.bytes("f.txt").toString("hex")).toBe(Buffer.from(after as string).toString("hex"));
    expect(result.changedFiles).toEqual(["f.txt"]);
    expect(preview).toEqual({ diff: result.diff });
    if (says !== undefined) expect(result.output).toContain(says);
    expect(readdirSync(workspace.root)).toEqual(["f.txt"]);
  });
});

const refused: { title: string; before: string | Buffer; old: string; new: string; all?: boolean; says: RegExp }[] = [
  { title: "an ambiguous text, with the line numbers", before: "x\na\nx\n", old: "x", new: "y", says: /occurs 2 times[^]*1: x\n {2}3: x[^]*replace_all/ },
  { title: "overlapping places", before: "aaa\n", old: "aa", new: "b", says: /occurs 2 times/ },
  { title: "a text that is ambiguous without its blanks", before: "a \nb\na  \nb\n", old: "a\nb\n", new: "c\n", says: /occurs 2 times/ },
  { title: "a block that is ambiguous without its indentation", before: "  a\n  b\n\ta\n\tb\n", old: "a\nb", new: "c", says: /occurs 2 times/ },
  { title: "an empty old_text in a file with content", before: "a\n", old: "", new: "b", says: /old_text is empty/ },
  { title: "a text that does not change", before: "a\n", old: "a", new: "a", says: /the same/ },
  { title: "new_text that leaves out existing text", before: "a\nb\n", old: "a", new: "A\n// ... existing code ...\n", says: /stands in for existing text/ },
  { title: "new_text with the rest of the file unwritten", before: "a\nb\n", old: "a", new: "A\n# rest of the code unchanged", says: /stands in for existing text/ },
  { title: "lines in another order of depth", before: "if a:\n  b()\n    c()\n", old: "    b()\n    c()", new: "    d()", says: /does not occur/ },
  { title: "a binary file", before: Buffer.from([1, 0, 2]), old: "a", new: "b", says: /binary file/ },
  { title: "a file in an encoding that is not known", before: Buffer.from("print('\xf0\xd2\xc9\xd7\xc5\xd4 \xcd\xc9\xd2')\n", "latin1"), old: "print", new: "x", says: /encoding that was not recognised/ },
  { title: "half of a surrogate pair", before: "a\n", old: "a", new: "\ud800", says: /surrogate/ },
  { title: "a part of a line that occurs twice with other blanks", before: "a  b c\na   b d\n", old: "a b", new: "x", says: /occurs 2 times/ },
  { title: "a part of a word", before: "alphabet  betas\n", old: "bet beta", new: "x", says: /does not occur/ },
  { title: "lines whose inner blanks differ in two places", before: "x  = 1\nx   = 1\n", old: "x = 1\n", new: "x = 2\n", says: /occurs 2 times/ },
  { title: "a folded text that occurs twice", before: "\u201ca\u201d\n\u201ea\u201c\n", old: '"a"', new: "b", says: /occurs 2 times/ },
  { title: "another accent", before: "caf\u00e9 = 1\n", old: "caf\u00e8 = 1", new: "x", says: /does not occur/ },
  { title: "another number at the front of a line", before: "43 bottles of beer\n", old: "42 bottles of beer", new: "42 cans of beer", says: /does not occur/ },
  { title: "a row of a file with numbered rows", before: "13| foo\n14| bar\n", old: "12| foo", new: "12| baz", says: /does not occur/ },
  { title: "a key of a YAML file with numbers for keys", before: "8080: web\n9090: web2\n", old: "8081: web", new: "8081: api", says: /does not occur/ },
  { title: "numbers that do not go up by one", before: "a\nb\n", old: "1| a\n5| b", new: "x", says: /does not occur/ },
  { title: "a bullet that is written with another mark", before: "* item\n", old: "- item", new: "- thing", says: /does not occur/ },
  { title: "a list item that is no line of a diff", before: "  x: 1\n  y: 2\n", old: "- x: 1\n  y: 2", new: "  x: 1\n  y: 3", says: /does not occur/ },
  { title: "backslashes that are no escapes", before: "re = /\\d+/\n", old: "re = /\\\\d+/ \\q", new: "x", says: /does not occur/ },
  { title: "escapes that stand for other characters, with another indentation", before: "if x {\n\tfor {\n\t\ty()\n", old: "for {\\n\\t\\t\\ty()", new: "z()", says: /does not occur/ },
  { title: "a changed word in one line of a block", before: "f() {\n  one();\n  two();\n}\n", old: "  one();\n  twoo();", new: "x", says: /does not occur/ },
  { title: "a text between the right first and last line", before: "f() {\n  a\n  b\n  c\n  d\n  e\n}\n", old: "f() {\n  v\n  w\n  x\n  y\n  z\n}", new: "f() {}", says: /does not occur/ },
  { title: "a text with a line missing, if no version control keeps the old one", before: nearFile, old: nearOld, new: nearNew, says: /Nearest: lines 3-9/ },
  { title: "replace_all of what is only nearly there", before: "  a\n  b\n", old: "a\n    b", new: "c", all: true, says: /does not occur/ },
  { title: "a loose deletion of most of a file", before: many(" x"), old: many("  x").replace(/(?:.*\n){4}$/, ""), new: "y", says: /would delete 3\d of 41 lines/ },
  { title: "a character that GBK does not have", before: gbk, old: "print", new: "\u{1F600}", says: /gbk, the file's encoding|gbk, the encoding of the file, has no "\u{1F600}" \(U\+1F600\)/u },
  { title: "a character that Shift-JIS does not have", before: Buffer.from("82b182f182c982bf82cd0a", "hex"), old: "\u3053", new: "\u{1F600}", says: /shift_jis/ },
  { title: "a character that Latin-1 does not have", before: Buffer.from("caf\xe9\n", "latin1"), old: "caf", new: "\u4f60", says: /windows-1252/ },
]; // prettier-ignore

describe("edit_file refuses and changes nothing:", () => {
  it.each(refused)("$title", async ({ before, old, new: replacement, all, says }) => {
    const workspace = createWorkspace();
    workspace.file("f.txt", before);
    const args = { path: "f.txt", old_text: old, new_text: replacement, replace_all: all };
    const result = await workspace.preview("edit_file", args);
    expect(result).toMatchObject({ status: "error", output: expect.stringMatching(says) as string });
    expect((await workspace.run("edit_file", args)).status).toBe("error");
    expect(workspace.bytes("f.txt").equals(Buffer.from(before as string))).toBe(true);
  });
});

const done: { title: string; before: string; old: string; new: string; line: number }[] = [
  { title: "the same edit again", before: "const answer = 42;\n", old: "const answer = 41;", new: "const answer = 42;", line: 1 },
  { title: "an insertion that stands there", before: "import a\nimport b\n", old: "import a\n", new: "import a\nimport b\n", line: 1 },
  { title: "an insertion that stands there with other indentation", before: "f() {\n\ta();\n\tb();\n}\n", old: "  a();", new: "  a();\n  b();", line: 2 },
  { title: "the end of blanks that are not there", before: "x\nfoo(1);\n", old: "foo(1);  ", new: "foo(1);", line: 2 },
]; // prettier-ignore

describe("edit_file says that it is done already:", () => {
  it.each(done)("$title", async ({ before, old, new: replacement, line }) => {
    const workspace = createWorkspace();
    workspace.file("f.txt", before);
    const result = await workspace.run("edit_file", { path: "f.txt", old_text: old, new_text: replacement });
    expect(result).toEqual({
      status: "ok",
      output: `Nothing was changed: new_text is in f.txt already, at line ${line}. Go on with the next step.`,
    });
    expect(workspace.text("f.txt")).toBe(before);
  });
});

describe("edit_file in a repository", () => {
  const edit = async (before: string, old: string, replacement: string, tracked = true) => {
    const workspace = createWorkspace();
    execFileSync("git", ["init", "-q"], { cwd: workspace.root });
    workspace.file("f.txt", before);
    if (tracked) execFileSync("git", ["add", "f.txt"], { cwd: workspace.root });
    const args = { path: "f.txt", old_text: old, new_text: replacement };
    const result = await workspace.run("edit_file", args);
    return { ...result, after: workspace.text("f.txt") };
  };

  it.each([
    { title: "a line missing, which stays", before: nearFile, after: nearFile.replace("c = 3", "c = 30") },
    {
      title: "a line remembered a little wrong, which stays",
      before: nearFile.replace("  // note\n", "").replace("b = 2;", "b = 20;"),
      after: nearFile.replace("  // note\n", "").replace("b = 2;", "b = 20;").replace("c = 3", "c = 30"),
    },
  ])("that keeps the file takes a near place with $title, and says so", async ({ before, after }) => {
    const result = await edit(before, nearOld, nearNew);
    expect(result.after).toBe(after);
    expect(result.output).toContain("nearly old_text");
  });

  it("that does not keep the file takes no near place", async () => {
    const result = await edit(nearFile, nearOld, nearNew, false);
    expect(result.after).toBe(nearFile);
    expect(result.output).toContain("Nearest: lines");
  });

  it.each([
    { title: "two places come as near", before: nearFile + nearFile },
    { title: "two lines differ", before: nearFile.replace("a = 1", "a = 100").replace("d = 4", "delta = 400") },
    { title: "the last line is another", before: nearFile.replace("}\n", "};\n") },
    { title: "the unknown line stands where the edit deletes", before: nearFile, next: nearOld.replace("  const a = 1;\n  const b = 2;\n", "") },
  ])("takes no near place if $title", async ({ before, next }) => {
    const result = await edit(before, nearOld, next ?? nearNew);
    expect(result.after).toBe(before);
    expect(result.status).toBe("error");
  });
}); // prettier-ignore
