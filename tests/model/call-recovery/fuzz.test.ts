import fc from "fast-check";
import { expect, test } from "vitest";
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
      fc.property(fuzzedReply, ({ text, field, doneReason }) => {
        const reply = { ...replyOf({ content: text, field }), doneReason };
        const found = recoverCalls(reply, TOOLS);
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
    fc.property(fuzzedReply, fc.array(place, { maxLength: 8 }), ({ text, field, doneReason }, places) => {
      const {
        calls,
        text: shown,
        thinking,
        ...recovery
      } = recoverCalls({ ...replyOf({ content: text, field }), doneReason }, TOOLS);
      const pieces = cutAt(text, places).map((part) => ({ [field]: part }));
      expect(streamed([...pieces, { doneReason }], TOOLS)).toEqual({
        calls,
        text: shown,
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
];

test.each(REPEATED)("time grows with the length of a reply, not with its square: %j repeated", (part) => {
  const leads = [
    "",
    "<tool_call>\n",
    '<tool_call>{"name":"write_file","arguments":{"content":"',
    "<function=run_command>\n<parameter=command>\n",
    '{"name": "',
    "```json\n",
    "read_file(",
  ];
  for (const lead of leads) {
    const least = (length: number) => {
      const content = lead + part.repeat(Math.ceil(length / part.length));
      const times = Array.from({ length: 3 }, () => {
        const begin = performance.now();
        recoverCalls({ content, thinking: "", doneReason: "stop" }, TOOLS);
        return performance.now() - begin;
      });
      return Math.min(...times);
    };
    const small = least(8_000);
    // Sixteen times the length: 16 where it is linear, 256 where it is not.
    expect(least(128_000) / Math.max(small, 0.5), lead).toBeLessThan(100);
  }
});
