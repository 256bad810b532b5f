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
