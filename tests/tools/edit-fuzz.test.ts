import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyReplacements, matchEdit } from "../../src/tools/edit-match.js";
import type { Replacement } from "../../src/tools/edit-match.js";
import { nearMatch } from "../../src/tools/edit-near.js";
import { decodeText, encodeEdited } from "../../src/tools/text-file.js";
import type { TextContent } from "../../src/tools/text-file.js";

const SIGNS = ["a", "b", " ", "\t", "$", "é", "e\u0301", "“", "\u00a0", "中", "\u{1F600}"] as const;
const line = fc.string({ unit: fc.constantFrom(...SIGNS), maxLength: 8 });
const ending = fc.constantFrom("\n", "\r\n");

/** A file with mixed line ends, in which one line is like no other. */
const files = fc
  .record({ lines: fc.array(fc.tuple(line, ending), { minLength: 1, maxLength: 30 }), seed: fc.nat() })
  .map(({ lines, seed }) => {
    const at = seed % lines.length;
    const marked = lines.map(
      ([text, end], index) => [index === at ? `${text}<unique>${text}` : text, end] as const,
    );
    return {
      original: marked.map((parts) => parts.join("")).join(""),
      lines: marked.map(([text]) => text),
      at,
    };
  });

function contentOf(original: string): TextContent {
  const decoded = decodeText(Buffer.from(original, "utf8"));
  if (decoded.kind !== "text") throw new Error(decoded.kind);
  return decoded;
}

/** Every byte before the first and after the last replacement is as it was. */
function expectOutsideUntouched(content: TextContent, replacements: readonly Replacement[]): void {
  const after = encodeEdited(content, replacements).toString("utf8");
  const crlfIn = (text: string): number => text.split("\r\n").length - 1;
  const first = replacements[0]?.start ?? 0;
  const behind = content.text.length - (replacements.at(-1)?.end ?? 0);
  const bare = (text: string): string => text.replaceAll("\r\n", "\n");
  for (const [before, now] of [
    [takeLf(content.original, first), takeLf(after, first)],
    [takeLfFromEnd(content.original, behind), takeLfFromEnd(after, behind)],
  ] as const) {
    expect(now).toBe(before);
    expect(crlfIn(now)).toBe(crlfIn(before));
  }
  expect(bare(after)).toBe(bare(applyReplacements(content.text, replacements)));
}

/** As much of the text as has `count` characters when a line end counts as one. */
function takeLf(text: string, count: number): string {
  let at = 0;
  for (let left = count; left > 0; left--) at += text.startsWith("\r\n", at) ? 2 : 1;
  return text.slice(0, at);
}

function takeLfFromEnd(text: string, count: number): string {
  let at = text.length;
  for (let left = count; left > 0; left--) at -= text.slice(at - 2, at) === "\r\n" ? 2 : 1;
  return text.slice(at);
}

describe("an edit of a unique text", () => {
  it("lands exactly there, and no byte outside changes, whatever the line ends", () => {
    fc.assert(
      fc.property(files, fc.array(line, { minLength: 1, maxLength: 4 }), ({ original, lines, at }, fresh) => {
        const content = contentOf(original);
        const old = lines[at]!;
        const replacement = fresh.join("\n");
        fc.pre(old !== replacement && !content.text.includes(replacement.trim() === "" ? "\0" : replacement));
        const match = matchEdit(content.text, old, replacement, false);
        if (match.kind !== "match") throw new Error(match.kind);
        const start = content.text.indexOf(old);
        expect(match.replacements).toEqual([{ start, end: start + old.length, text: replacement }]);
        expectOutsideUntouched(content, match.replacements);
      }),
      { numRuns: 400 },
    );
  });

  it("lands on its line or nowhere if blanks, quotes, accents or marks differ", () => {
    const distortions: ((text: string) => string)[] = [
      (text) => `${text}  `,
      (text) => `\t${text}`,
      (text) => text.trim(),
      (text) => text.replaceAll("\t", "    "),
      (text) => text.replace(/[ \t]+/g, " "),
      (text) => text.normalize("NFC"),
      (text) => text.normalize("NFD"),
      (text) => text.replaceAll("“", '"').replaceAll("\u00a0", " "),
      (text) => `   7| ${text}`,
      (text) => `\`\`\`\n${text}\n\`\`\``,
      (text) => text.replaceAll("\t", "\\t"),
    ];
    let landed = 0;
    fc.assert(
      fc.property(files, fc.constantFrom(...distortions), ({ original, lines, at }, distort) => {
        const content = contentOf(original);
        const old = distort(lines[at]!);
        fc.pre(old.trim() !== "" && old !== "<new line>");
        const match = matchEdit(content.text, old, "<new line>", false);
        if (match.kind === "missing" || match.kind === "ambiguous") return;
        if (match.kind !== "match") throw new Error(match.kind);
        landed++;
        const [place] = match.replacements;
        const lineStart = lines.slice(0, at).reduce((sum, text) => sum + text.length + 1, 0);
        expect(place!.start).toBeGreaterThanOrEqual(lineStart);
        expect(place!.end).toBeLessThanOrEqual(lineStart + lines[at]!.length);
        expectOutsideUntouched(content, match.replacements);
      }),
      { numRuns: 1_000 },
    );
    expect(landed).toBeGreaterThan(700);
  });

  it("is never made at a near place that lacks the line which it changes", () => {
    const words = fc.string({
      unit: fc.constantFrom("a", "b", "c", "d", "e", "f", " "),
      minLength: 6,
      maxLength: 14,
    });
    fc.assert(
      fc.property(
        fc.uniqueArray(words, { minLength: 12, maxLength: 20 }),
        fc.nat(),
        fc.constantFrom("", "  "),
        (lines, seed, indent) => {
          const from = seed % (lines.length - 9);
          const block = lines.slice(from, from + 9);
          const text = lines.map((each) => indent + each).join("\n");
          const old = block.filter((_, index) => index !== 3).join("\n");
          const near = nearMatch(text, old, old.replace(block[6]!, "<new line>"));
          if (near === undefined) return;
          const after = applyReplacements(text, [near]);
          const expected = lines.map((each, index) => indent + (index === from + 6 ? "<new line>" : each));
          expect(after.split("\n").map((each) => each.trim())).toEqual(expected.map((each) => each.trim()));
        },
      ),
    );
  });
});

const statements = [
  "foo(a, b);", "bar();", "return x;", "if (x) {", "}", "", "x = 1;", "x  = 2;", "const s = “hi”;", "// note", "café()", "- item", "} else {",
  "foo(a,  b);", "let z = 'q';", "a.b.c();",
] as const; // prettier-ignore

/** What models make of the lines that they copy. */
const miscopied: Record<string, (lines: string[]) => string[]> = {
  "nothing": (lines) => lines,
  "no indentation": (lines) => lines.map((line) => line.trim()),
  "too little indentation": (lines) => lines.map((line) => line.replace(/^(?:\t| {2})/, "")),
  "too much indentation": (lines) => lines.map((line) => (line.trim() === "" ? line : `  ${line}`)),
  "tabs for blanks": (lines) => lines.map((line) => line.replace(/^( {2})+/, (blanks) => "\t".repeat(blanks.length / 2))),
  "blanks for tabs": (lines) => lines.map((line) => line.replace(/^\t+/, (tabs) => "    ".repeat(tabs.length))),
  "single blanks": (lines) => lines.map((line) => line.replace(/(\S)[ \t]+/g, "$1 ")),
  "plain quotes": (lines) => lines.map((line) => line.replace(/[“”]/g, '"')),
  "other accents": (lines) => lines.map((line) => line.normalize("NFD")),
  "no blanks at line ends": (lines) => lines.map((line) => line.trimEnd()),
  "line numbers": (lines) => lines.map((line, index) => `${index + 7}| ${line}`),
  "a fence": (lines) => ["```js", ...lines, "```"],
  "blank lines round it": (lines) => ["", ...lines, ""],
}; // prettier-ignore

/** Code with many lines that are alike, indented by one unit. */
const code = fc
  .record({
    unit: fc.constantFrom("\t", "  ", "    "),
    lines: fc.array(fc.tuple(fc.constantFrom(...statements), fc.constantFrom("", "", "7"), fc.constantFrom("", "", "", "  ")), { minLength: 8, maxLength: 30 }),
    from: fc.nat(29),
    length: fc.integer({ min: 1, max: 9 }),
    changed: fc.nat(8),
  })
  .map(({ unit, lines, from, length, changed }) => {
    let depth = 0;
    const text = lines.map(([statement, number, tail]) => {
      if (statement.startsWith("}")) depth = Math.max(0, depth - 1);
      const line = statement === "" ? tail : unit.repeat(depth) + statement + number + tail;
      if (statement.endsWith("{")) depth++;
      return line;
    });
    const start = from % text.length;
    const region = text.slice(start, start + length);
    return { text, start, region, changed: changed % region.length };
  }); // prettier-ignore

/** A line without what copies lose. */
const bare = (line: string): string =>
  line.trim().replace(/\s+/g, " ").normalize("NFC").replace(/[“”]/g, '"');

describe("an edit of lines that were copied with a slip", () => {
  it("changes the line that was meant and no other, or nothing", () => {
    let landed = 0;
    const isRight = (
      { text, start, region, changed }: typeof code extends fc.Arbitrary<infer Case> ? Case : never,
      slip: string,
    ): void => {
      const key = region.map(bare).join("\n");
      const places = text.filter(
        (_, at) =>
          text
            .slice(at, at + region.length)
            .map(bare)
            .join("\n") === key,
      );
      // A blank line at the edge of a text is not told from its last line end.
      fc.pre(places.length === 1 && [0, changed, -1].every((at) => bare(region.at(at)!) !== ""));
      const fresh = [...region];
      fresh[changed] = `${/^\s*/.exec(region[changed]!)![0]}NEW_LINE();`;
      const file = `${text.join("\n")}\n`;
      const copy = miscopied[slip]!;
      const [old, next] = [copy(region).join("\n"), copy(fresh).join("\n")];
      fc.pre(old !== next);

      let match = matchEdit(file, old, next, false);
      const near = match.kind === "missing" ? nearMatch(file, old, next) : undefined;
      if (near !== undefined) match = { kind: "match", replacements: [near], adjusted: "near" };
      // A text that is exactly in the file, if only as a part of a line, is what was asked for.
      if (match.kind !== "match" || match.adjusted === undefined) return;
      landed++;
      const expected = [...text, ""];
      expected[start + changed] = "NEW_LINE();";
      const after = applyReplacements(file, match.replacements).split("\n");
      expect(after.map((line, at) => (at === start + changed ? line.trim() : line))).toEqual(expected);
    };
    fc.assert(fc.property(code, fc.constantFrom(...Object.keys(miscopied)), isRight), { numRuns: 1_500 });
    expect(landed).toBeGreaterThan(300);
  });
});

describe("a match", () => {
  it("is never made of a block in which a word differs", () => {
    const text = "f() {\n    one();\n    two();\n}\n";
    expect(matchEdit(text, "one();\n    twoo();", "x", false)).toEqual({ kind: "missing" });
  });

  it("is the same whatever way a text is written canonically, and keeps the file's way", () => {
    const texts = fc.string({
      unit: fc.constantFrom("é", "e\u0301", "한", "a", "ö", "o\u0308", "x"),
      minLength: 1,
    });
    fc.assert(
      fc.property(texts, texts, (before, behind) => {
        const file = `${before.normalize("NFD")}<1>${behind.normalize("NFD")}\n`;
        const old = `${before}<1>${behind}`.normalize("NFC");
        const match = matchEdit(file, old, old.replace("<1>", "<2>"), false);
        if (match.kind !== "match") throw new Error(match.kind);
        expect(applyReplacements(file, match.replacements)).toBe(file.replace("<1>", "<2>"));
      }),
    );
  });
});
