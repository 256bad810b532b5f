import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { recoverCalls } from "../../../src/model/call-recovery/recover-calls.js";
import { fuzzedReply } from "./fuzzed-replies.js";
import { TOOLS, replyOf } from "./samples.js";
import { cutAt, streamed } from "./streamed.js";

/** More than the usual number on demand: MINI_CC_FUZZ_RUNS=200000. */
const RUNS = Number(process.env["MINI_CC_FUZZ_RUNS"] ?? 5000);

test(
  "no reply makes it throw, call what is not declared, or leave out what is required",
  { timeout: 0 },
  () => {
    fc.assert(
      fc.property(fuzzedReply, ({ text, field, doneReason, protocol }) => {
        const reply = { ...replyOf({ content: text, field }), doneReason };
        const found = recoverCalls(reply, TOOLS, protocol);
        if (protocol === "text" && field === "thinking") expect(found.calls, text).toEqual([]);
        for (const { name, args } of found.calls) {
          const tool = TOOLS.find((declared) => declared.name === name);
          expect(tool, text).toBeDefined();
          expect(Object.keys(args), text).toEqual(expect.arrayContaining([...tool!.required]));
        }
        if (found.problem !== undefined) expect(found.calls).toEqual([]);
        expect(found.form === undefined).toBe(found.calls.length === 0 && found.problem === undefined);
      }),
      { numRuns: RUNS },
    );
  },
);

test("no reply is read otherwise because it arrives in pieces", { timeout: 0 }, () => {
  const place = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(fuzzedReply, fc.array(place, { maxLength: 8 }), (reply, places) => {
      const { text: content, field, doneReason, protocol } = reply;
      const whole = recoverCalls({ ...replyOf({ content, field }), doneReason }, TOOLS, protocol);
      const { calls, text, thinking, ...recovery } = whole;
      const pieces = cutAt(content, places).map((part) => ({ [field]: part }));
      expect(streamed([...pieces, { doneReason }], TOOLS, protocol)).toEqual({
        calls,
        text,
        thinking,
        recovery,
      });
    }),
    { numRuns: Math.ceil(RUNS / 5) },
  );
});

/** What could make a reader look at the same text again and again. */
const REPEATED = [
  "<tool_call>",
  '<tool_call>{"name":"read_file","arguments":{"path":"',
  "<tool_call>{'name':'read_file','arguments':{'path':'a'}}",
  "<function=read_file>\n<parameter=path>\n",
  "<parameter=path>\na\n",
  "[TOOL_CALLS]",
  '{"a":',
  "[",
  '"',
  '" ',
  '"}',
  "\\",
  "`",
  "```\n",
  "```json\n{\n",
  "<",
  "<|im_end|>",
  " ",
  "\n",
  "\n    ",
  "<think>",
  "read_file(path='a', ",
  "call:read_file{path:a,",
  "<read_file><path>",
  "/*",
  "Action: read_file\n",
  "Let me look. ",
  '<call tool="write_file">\n',
  "<content>\n",
  "</content>\n",
  '</call>\n<call tool="read_file">\n',
  "path: a\n",
  '<call a="b" ',
];

const LEADS = [
  "",
  "<tool_call>\n",
  '<tool_call>{"name":"write_file","arguments":{"content":"',
  "<function=run_command>\n<parameter=command>\n",
  '{"name": "',
  "```json\n",
  "read_file(",
  '<call tool="write_file">\npath: a\n<content>\n',
  '<call tool="run_command">\ncommand: ',
];
const SHORT = 8_000;
const LONG = 128_000;

/** How much longer a long reply takes than a short one: 16 times if the time grows with the length, 256 with its square. */
function growth(lead: string, part: string, read: (content: string) => void): number {
  const least = (length: number) => {
    const content = lead + part.repeat(Math.ceil(length / part.length));
    const times = Array.from({ length: 3 }, () => {
      const begin = performance.now();
      read(content);
      return performance.now() - begin;
    });
    return Math.min(...times);
  };
  return least(LONG) / Math.max(least(SHORT), 0.5);
}

describe("the time grows with the length of a reply, not with its square", () => {
  test.each(REPEATED)("%j repeated", (part) => {
    for (const lead of LEADS) {
      const whole = growth(lead, part, (content) =>
        recoverCalls({ content, thinking: "", doneReason: "stop" }, TOOLS),
      );
      expect(whole, lead).toBeLessThan(100);
    }
  });

  test.each(REPEATED)("%j repeated and streamed", (part) => {
    for (const lead of LEADS.slice(0, 2)) {
      const inPieces = growth(lead, part, (content) => {
        const pieces = content.match(/[^]{1,16}/g) ?? [];
        streamed(
          pieces.map((piece) => ({ content: piece })),
          TOOLS,
        );
      });
      expect(inPieces, lead).toBeLessThan(100);
    }
  });
});
