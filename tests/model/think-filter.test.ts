import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createThinkFilter } from "../../src/model/think-filter.js";

/** What becomes of a reply that comes in these chunks. */
function filter(chunks: readonly string[]): { thinking: string; text: string } {
  const thinkFilter = createThinkFilter();
  const parts = [...chunks.map((chunk) => thinkFilter.write(chunk)), thinkFilter.end()];
  return {
    thinking: parts.map(({ thinking }) => thinking).join(""),
    text: parts.map(({ text }) => text).join(""),
  };
}

const DIALECTS = [
  ["<think>", "</think>"],
  ["<thinking>", "</thinking>"],
  ["<reasoning>", "</reasoning>"],
  ["<thought>", "</thought>"],
  ["[THINK]", "[/THINK]"],
] as const;

/** Pieces that replies and marks are made of, so that near misses are frequent. */
const piece = fc.constantFrom(
  ...DIALECTS.flat(),
  "<th",
  "ink>",
  "</",
  "<",
  ">",
  "[",
  "THINK]",
  "\n",
  "\n\n",
  " ",
  "plan",
  "Done.",
  "```html\n",
  "中文",
  "😀",
);
const replies = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));

/** A text cut into chunks at the given places. */
function cutAt(text: string, places: readonly number[]): string[] {
  const cuts = [...new Set(places.map((place) => place % (text.length + 1)))].sort((a, b) => a - b);
  return [0, ...cuts].map((start, index) => text.slice(start, cuts[index]));
}

describe.each(DIALECTS)("thinking in %s", (open, close) => {
  test.each([
    ["at the beginning", `${open}plan${close}Done.`],
    ["behind white space", `\n ${open}plan${close}\n\nDone.`],
  ])("%s is parted from the answer", (_, reply) => {
    expect(filter([reply])).toEqual({ thinking: "plan", text: "Done." });
    expect(filter(Array.from(reply))).toEqual({ thinking: "plan", text: "Done." });
  });

  test("without an end is thinking to the end", () => {
    expect(filter([`${open}plan`, " on"])).toEqual({ thinking: "plan on", text: "" });
  });

  test("of which only the closing mark is left leaves the answer", () => {
    expect(filter([close, "\n", "Done."])).toEqual({ thinking: "", text: "Done." });
  });

  test.each([
    ["in the middle of an answer", `Use ${open}plan${close} here.`],
    ["in a code fence", `\`\`\`\n${open}sample${close}\n\`\`\`\n`],
    ["behind thinking and a first word", `Done: ${open}x${close}`],
  ])("%s is text, byte for byte", (_, reply) => {
    expect(filter([reply])).toEqual({ thinking: "", text: reply });
    expect(filter([`${open}hm${close}${reply}`])).toEqual({ thinking: "hm", text: reply });
  });

  test("twice at the beginning is thinking twice", () => {
    expect(filter([`${open}a${close}\n${open}b${close}\nDone.`])).toEqual({ thinking: "ab", text: "Done." });
  });
});

test.each([
  ["an answer with white space around it", "  Done.\n"],
  ["half a mark at the end", "<thi"],
  ["a mark in capitals that no model writes", "<Think>x</Think>"],
  ["another tag", "<thesis>x</thesis>"],
  ["markup", "<p>hello</p>"],
  ["white space", " \n"],
  ["nothing", ""],
])("%s is text, byte for byte", (_, reply) => {
  expect(filter([reply])).toEqual({ thinking: "", text: reply });
  expect(filter(Array.from(reply))).toEqual({ thinking: "", text: reply });
});

test("the chunks in which a reply comes make no difference", () => {
  fc.assert(
    fc.property(replies, fc.array(fc.nat(200), { maxLength: 20 }), (reply, places) => {
      expect(filter(cutAt(reply, places))).toEqual(filter([reply]));
    }),
    { numRuns: 2_000 },
  );
});

test("a reply without marks at its beginning passes as it is", () => {
  fc.assert(
    fc.property(replies, (reply) => {
      fc.pre(!/^\s*(<\/?(think|thinking|reasoning|thought)>|\[\/?THINK\])/.test(reply));
      expect(filter([reply])).toEqual({ thinking: "", text: reply });
    }),
    { numRuns: 1_000 },
  );
});

test("an answer is not held back once it has begun", () => {
  const thinkFilter = createThinkFilter();
  expect(thinkFilter.write("Done")).toEqual({ thinking: "", text: "Done" });
  expect(thinkFilter.write(" <thi")).toEqual({ thinking: "", text: " <thi" });
});

test("thinking is told while it comes", () => {
  const thinkFilter = createThinkFilter();
  expect(thinkFilter.write("<think>a plan")).toEqual({ thinking: "a plan", text: "" });
  expect(thinkFilter.write(" and</thi")).toEqual({ thinking: " and", text: "" });
  expect(thinkFilter.write("nk>Done")).toEqual({ thinking: "", text: "Done" });
});
