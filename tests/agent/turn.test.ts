import { describe, expect, test } from "vitest";
import { startTurn } from "../../src/agent/turn.js";

const start = (signal: AbortSignal) =>
  startTurn({
    prompt: "Go.",
    words: { canEdit: true, isPlanning: () => false, fileText: () => undefined },
    reflects: true,
    signal,
    limits: { maxSteps: 5, toolCalls: 5, minutes: 5, tokens: 5000 },
    log: { id: "s", append: () => undefined, close: () => undefined },
    onEvent: () => undefined,
    background: { takeEnded: () => [], now: () => undefined },
    isLoaded: () => Promise.resolve(true),
  });

const patience = () => new Promise((resolve) => setTimeout(resolve, 200, "still waiting"));

describe("a call whose reply is never told", () => {
  test("is given up when the turn is cancelled", async () => {
    const control = new AbortController();
    const told = start(control.signal).replyTold("c1");
    control.abort();
    expect(await Promise.race([told, patience()])).toBe(false);
  });

  test("is given up at once if the turn was cancelled before", async () => {
    const told = start(AbortSignal.abort()).replyTold("c1");
    expect(await Promise.race([told, patience()])).toBe(false);
  });
});
