import { describe, expect, test } from "vitest";
import { mendingStep, replyFault } from "../../src/agent/reply-faults.js";
import type { ReplyStats } from "../../src/model/reply-stats.js";

const STATS: ReplyStats = {
  doneReason: "stop",
  promptTokens: 100,
  outputTokens: 50,
  loadMs: 0,
  promptMs: 0,
  outputMs: 0,
};

describe("a reply without a call", () => {
  test.each<[string, string, boolean, Partial<ReplyStats>, string | undefined]>([
    ["with words may stand", "Yes.", false, {}, undefined],
    ["with words that were cut may stand", "Yes, and", false, { doneReason: "length" }, undefined],
    ["that is empty though tokens were written lost a call", "", false, {}, "swallowed-call"],
    ["that is empty is empty", " \n", false, { outputTokens: 1 }, "empty"],
    ["that is all thinking is told from it", "", true, {}, "thinking-only"],
    [
      "that hit the output limit before a word is told from it",
      "",
      true,
      { doneReason: "length" },
      "output-limit",
    ],
    ["whose call was cut off says so", "I edit.", false, { problem: "truncated" }, "truncated-call"],
    ["whose call names no tool says so", "", false, { problem: "unknown_tool" }, "unreadable-call"],
    ["whose call lacks arguments says so", "", false, { problem: "missing_args" }, "unreadable-call"],
  ])("%s", (_, text, thinking, stats, fault) => {
    expect(replyFault(text, thinking, { ...STATS, ...stats })).toBe(fault);
  });

  test("is asked about a few times, each time differently, and then no more", () => {
    for (const fault of ["swallowed-call", "truncated-call", "unreadable-call", "server-parse"] as const) {
      const steps = [0, 1, 2].map((times) => mendingStep(fault, times));
      expect(steps[0]).not.toEqual(steps[1]);
      expect(steps[2]).toBeUndefined();
    }
    expect(mendingStep("empty", 1)).toBeUndefined();
    expect(mendingStep("thinking-only", 1)).toBeUndefined();
  });
});
