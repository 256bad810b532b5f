import { describe, expect, test } from "vitest";
import type { MendingPlace, MendingStep, ReplyFault } from "../../src/agent/reply-faults.js";
import { markOf, mendingStep, replyFault } from "../../src/agent/reply-faults.js";
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
    ["with words that were cut goes on", "Yes, and", false, { doneReason: "length" }, "cut-answer"],
    [
      "that is one of the marks for a lost reply is empty",
      `[${markOf("empty")}]`,
      false,
      { outputTokens: 1 },
      "empty",
    ],
    ["that was cut without a word lost half a call", "", false, { doneReason: "length" }, "truncated-call"],
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

  const climb = (fault: ReplyFault, place: MendingPlace) => {
    const steps: MendingStep[] = [];
    for (let found = mendingStep(fault, 0, place); found; found = mendingStep(fault, found.next, place)) {
      steps.push(found.step);
    }
    return steps;
  };

  test.each<[ReplyFault, Partial<MendingPlace>, number]>([
    ["swallowed-call", {}, 2],
    ["truncated-call", {}, 2],
    ["unreadable-call", {}, 2],
    ["server-parse", {}, 3],
    ["cut-answer", {}, 1],
    ["empty", { isLater: false }, 1],
    ["empty", { isLater: true }, 2],
    ["thinking-only", { canBeQuiet: true }, 2],
    ["thinking-only", { canBeQuiet: false }, 1],
    ["output-limit", { canBeQuiet: true }, 1],
    ["output-limit", { canBeQuiet: false }, 0],
  ])(
    "with the fault %s in the place %j has %i tries, each of which changes something",
    (fault, place, count) => {
      const steps = climb(fault, { isLater: false, canBeQuiet: false, ...place });
      expect(steps).toHaveLength(count);
      expect(new Set(steps.map((step) => JSON.stringify({ ...step, notice: "" }))).size).toBe(count);
      for (const { nudge, hotter, quiet } of steps) expect(nudge ?? hotter ?? quiet).toBeTruthy();
    },
  );
});
