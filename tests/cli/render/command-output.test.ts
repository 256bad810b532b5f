import { describe, expect, it } from "vitest";
import { createCommandOutput } from "../../../src/cli/render/command-output.js";

function outputOf(...chunks: string[]) {
  const output = createCommandOutput();
  for (const chunk of chunks) output.write(chunk);
  return output;
}

describe("the output of a command as it comes", () => {
  it.each<[string, string[], string[], number]>([
    ["lines", ["a\nb\n"], ["a", "b"], 2],
    ["a line in pieces", ["a", "b", "c\nd"], ["abc", "d"], 2],
    ["CRLF, also in two pieces", ["a\r\nb\r", "\nc\r\n"], ["a", "b", "c"], 3],
    ["a line that is written over", ["10 %\r50 %", "\r", "100 %\ndone\n"], ["100 %", "done"], 2],
    ["a return at the end of a line that stays", ["a\r", "\n"], ["a"], 1],
    ["sequences, also in two pieces", ["\x1b[3", "1mred\x1b[0m\n"], ["red"], 1],
    ["a sequence that never ends", ["\x1b]0;title\rshown\n"], ["shown"], 1],
  ])("holds %s", (_name, chunks, lines, count) => {
    const output = outputOf(...chunks);
    output.end();
    expect(output.last(10)).toEqual(lines);
    expect(output.lines).toBe(count);
  });

  it("shows the line that stands open, and only the last ones", () => {
    const output = outputOf("a\nb\nc");
    expect(output.last(2)).toEqual(["b", "c"]);
    expect(output.lines).toBe(2);
  });
});
