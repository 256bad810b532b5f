import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createCallStream } from "../../../src/model/call-recovery/call-stream.js";
import { recoverCalls } from "../../../src/model/call-recovery/recover-calls.js";
import { TOOLS } from "../call-recovery/samples.js";
import { cutAt, streamed } from "../call-recovery/streamed.js";

const READ = '<call tool="read_file">\npath: a.ts\n</call>';
const WRITE = `<call tool="write_file">\npath: a.ts\n<content>\n<p>${READ}</p>\n"</content>"\n</content>\n</call>`;

const REPLIES: [string, string][] = [
  ["a call", READ],
  [
    "prose, two calls and an invented result",
    `I look.\n\n${READ}\n${WRITE}\n<tool_response>\nx\n</tool_response>`,
  ],
  ["a call behind thinking", `<think>\n${READ}\n</think>\n\nNow.\n${READ}`],
  ["a call behind thinking of which only the end is marked", `${READ}\n</think>\n${READ}`],
  ["a shown call", `It looks like this:\n\n\`\`\`\n${READ}\n\`\`\`\nand no more.`],
  ["a call that breaks off", WRITE.slice(0, 60)],
  ["an answer with tags", "Use <content> and </content>, a <callback>, or 1 < 2."],
  ["JSON instead", 'I read it.\n\n```json\n{"name": "read_file", "arguments": {"path": "a.ts"}}\n```'],
];

describe("a reply that streams comes to the same however it is cut", () => {
  test.each(REPLIES)("%s", (_, content) => {
    const whole = recoverCalls({ content, thinking: "", doneReason: "stop" }, TOOLS, "text");
    const { calls, text, thinking, ...recovery } = whole;
    const check = (pieces: readonly string[]) => {
      const found = streamed(
        pieces.map((piece) => ({ content: piece })),
        TOOLS,
        "text",
      );
      expect(found).toEqual({ calls, text, thinking, recovery });
    };
    check(Array.from(content));
    const place = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.array(place, { maxLength: 12 }), (places) => check(cutAt(content, places))),
      { numRuns: 100 },
    );
  });

  test("a call is held back from its first character, and the prose before it is not", () => {
    const stream = createCallStream(TOOLS, "reply");
    let given = "";
    for (const char of `I look.\n\n${WRITE}`) given += stream.write(char);
    expect(given).toBe("I look.");
  });
});

describe("a reply that breaks off", () => {
  test("makes no call with a part of an argument, wherever it does", () => {
    const wholes = recoverCalls(
      { content: READ + WRITE, thinking: "", doneReason: "stop" },
      TOOLS,
      "text",
    ).calls;
    for (let length = 0; length < (READ + WRITE).length; length++) {
      const content = (READ + WRITE).slice(0, length);
      const cut = recoverCalls({ content, thinking: "", doneReason: "length" }, TOOLS, "text");
      for (const call of cut.calls) expect(wholes, content).toContainEqual(call);
    }
  });
});
