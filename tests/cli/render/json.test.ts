import { describe, expect, it } from "vitest";
import { createJsonRenderer } from "../../../src/cli/render/json.js";
import { createStreamJsonRenderer } from "../../../src/cli/render/stream-json.js";
import { createRecorder, session, turnEnd } from "./recorder.js";

const HOSTILE = "\x1b[31m\x9b\x7f\u2028\u202e\u{e0041}\ud800 \n 你好 🎉";

describe("the JSON renderer", () => {
  it("prints one object with the fields of the session and of the end of the turn", () => {
    const stdout = createRecorder();
    const renderer = createJsonRenderer(stdout);
    renderer(session);
    renderer({ type: "text-delta", text: "Hi" });
    renderer(turnEnd({ text: "Hi", changedFiles: ["a"] }));
    expect(stdout.text().endsWith("}\n")).toBe(true);
    expect(JSON.parse(stdout.text())).toEqual({
      ...session,
      ...turnEnd({ text: "Hi", changedFiles: ["a"] }),
    });
  });
});

describe("the stream-JSON renderer", () => {
  it("prints every event as it is, one a line", () => {
    const stdout = createRecorder();
    const renderer = createStreamJsonRenderer(stdout);
    const events = [session, { type: "text-delta", text: HOSTILE } as const, turnEnd({ text: "two\nlines" })];
    for (const event of events) renderer(event);
    const lines = stdout.text().trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(events);
  });

  it("writes no character that a terminal would act on", () => {
    const stdout = createRecorder();
    createStreamJsonRenderer(stdout)({ type: "text-delta", text: HOSTILE });
    expect(stdout.text().slice(0, -1)).not.toMatch(/[\x00-\x1f\x7f-\x9f\u2028\u202e]/);
  });
});
