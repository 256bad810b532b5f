import { expect, test } from "vitest";
import type { NotesFile } from "../../src/notes/find-notes.js";
import { fitNotes } from "../../src/notes/fit-notes.js";

const file = (text: string): NotesFile => ({ path: "AGENTS.md", isUsers: false, text, isWhole: true });
/** One token a character. */
const fit = (texts: string[], room: number) =>
  fitNotes(texts.map(file), room, (text) => text.length).map(({ text, tokens, wholeTokens }) => {
    expect(tokens).toBe(text.length);
    return wholeTokens === tokens ? text : [text, wholeTokens];
  });

test("what fits is left as it is", () => {
  expect(fit(["a\n\nb", "c"], 5)).toEqual(["a\n\nb", "c"]);
});

test("a file that is too long is cut between two paragraphs", () => {
  const text = "# Title\n\nFirst.\nStill first.\n\nSecond.\n\nThird.";
  expect(fit([text], 40)).toEqual([["# Title\n\nFirst.\nStill first.\n\nSecond.", text.length]]);
  expect(fit([text], 30)).toEqual([["# Title\n\nFirst.\nStill first.", text.length]]);
});

test("a fenced block is never cut at a blank line in it", () => {
  const text = "Run:\n\n```sh\none\n\ntwo\n```\n\nEnd.";
  expect(fit([text], 17)).toEqual([["Run:", text.length]]);
  expect(fit([text], 27)).toEqual([["Run:\n\n```sh\none\n\ntwo\n```", text.length]]);
});

test("a first paragraph that is too long is cut between lines, a first line between characters", () => {
  expect(fit(["one\ntwo\nthree"], 9)).toEqual([["one\ntwo", 13]]);
  expect(fit(["😀😀😀"], 5)).toEqual([["😀😀", 6]]);
});

test("a long file pushes no short one out, and what a short one leaves goes to the long ones", () => {
  const [long, short] = ["l".repeat(100), "short"];
  expect(fit([long, short], 20)).toEqual([["l".repeat(15), 100], short]);
  expect(fit([short, long, long], 25)).toEqual([short, ["l".repeat(10), 100], ["l".repeat(10), 100]]);
});

test("without room nothing is told", () => {
  expect(fit(["text"], 0)).toEqual([["", 4]]);
});
