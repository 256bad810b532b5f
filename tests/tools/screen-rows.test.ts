import { expect, it } from "vitest";
import { screenRows } from "../../src/tools/screen-rows.js";

it.each([
  { title: "plain lines", text: "a\nb\n", rows: ["a", "b", ""] },
  { title: "line ends of Windows", text: "a\r\nb\r\n", rows: ["a", "b", ""] },
  { title: "a line that is written over", text: "10%\r50%\r100%", rows: ["100%"] },
  { title: "a shorter text over a longer one", text: "abcdef\rXY", rows: ["XYcdef"] },
  { title: "a line that is erased", text: "working\r\x1b[Kdone", rows: ["done"] },
  { title: "a whole line that is erased", text: "working\x1b[2K\rdone", rows: ["done"] },
  { title: "a line that is erased up to the cursor", text: "abc\x1b[D\x1b[1KX", rows: ["  X"] },
  { title: "backspaces", text: "a|\b/\b-\bb", rows: ["ab"] },
  { title: "a spinner that rubs itself out", text: "x|\b \bdone", rows: ["xdone"] },
  {
    title: "two lines that are drawn again",
    text: "one 1%\ntwo 1%\n\x1b[2Aone 100%\ntwo 100%\nend",
    rows: ["one 100%", "two 100%", "end"],
  },
  { title: "the lines above, erased down to the end", text: "a\nb\nc\x1b[2A\x1b[Jd", rows: ["ad"] },
  { title: "columns", text: "abc\x1b[1Gx\x1b[Cy\x1b[2Dz", rows: ["xzy"] },
  { title: "colours and titles", text: "\x1b[31mred\x1b[0m\x1b]0;title\x07!", rows: ["red!"] },
  { title: "a screen that is cleared", text: "before\n\x1b[2J\x1b[Hafter", rows: ["before", "", "after"] },
  { title: "a screen that is drawn again", text: "\x1b[Hframe 1\x1b[Hframe 2", rows: ["frame 2"] },
  { title: "combining marks", text: "\re\u0301a\b\bX", rows: ["Xa"] },
  { title: "a place far away", text: "\x1b[99999;99999Hx", rows: { length: 500 } },
  { title: "a sequence without an end", text: "a\x1b[3", rows: ["a"] },
])("a terminal shows $title", ({ text, rows }) => {
  expect(screenRows(text)).toMatchObject(rows);
});

it("bytes of any kind cost no more than their number", () => {
  const wild = "\x1b[500B\x1b[500C x\x1b[2J".repeat(2_000);
  const rows = screenRows(wild);
  expect(rows.join("").length).toBeLessThan(2_000_000);
});
