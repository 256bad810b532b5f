import { describe, expect, it } from "vitest";
import { offendingParts } from "../../../src/cli/questions/offending-parts.js";
import type { JudgedCommand, Verdict } from "../../../src/permissions/access.js";

const verdict = (because: string[], commands: JudgedCommand[] = []): Verdict => ({
  verdict: "ask",
  by: "rule",
  because,
  commands,
  rememberAs: [],
});

const shown = (text: string, judged: Verdict) =>
  offendingParts(text, judged)
    .map((piece) => (piece.marked ? `[${piece.text}]` : piece.text))
    .join("");

describe("the parts of a command that a question is about", () => {
  it("are the simple commands that are not allowed, and what the reasons quote", () => {
    const line = "git status && npm test > out.txt";
    const judged = verdict(
      ['no rule allows "npm test"', '"> out.txt" writes a file'],
      [
        { text: "git status", verdict: "allow", because: "" },
        { text: "npm test", verdict: "ask", because: "" },
      ],
    );
    expect(shown(line, judged)).toBe("git status && [npm test] [> out.txt]");
  });

  it("are nothing where all of the line is meant", () => {
    const judged = verdict(['no rule allows "rm x"'], [{ text: "rm x", verdict: "ask", because: "" }]);
    expect(shown("rm x", judged)).toBe("rm x");
  });

  it("that overlap are one part", () => {
    expect(shown("ls && rm -rf b", verdict(['no rule allows "rm -rf"', '"-rf b" is meant']))).toBe(
      "ls && [rm -rf b]",
    );
  });

  it("lose no character, whatever the reasons quote", () => {
    const text = 'echo "a" \n$(x) > "b"';
    const pieces = offendingParts(text, verdict(['"a" and "$(x)" and "nowhere" and "\\"']));
    expect(pieces.map((piece) => piece.text).join("")).toBe(text);
  });
});
