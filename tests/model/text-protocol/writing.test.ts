import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { recoverCalls } from "../../../src/model/call-recovery/recover-calls.js";
import { writtenCall } from "../../../src/model/text-protocol/written-call.js";
import { TOOLS } from "../call-recovery/samples.js";

const RUNS = Number(process.env["MINI_CC_FUZZ_RUNS"] ?? 5000);

describe("a past call is written", () => {
  test("as the model is told to write one", () => {
    const call = {
      name: "edit_file",
      args: { path: "src/a.ts", old_text: "a", new_text: "  b\nc\n", replace_all: true },
    };
    expect(writtenCall(call)).toBe(
      '<call tool="edit_file">\npath: src/a.ts\n<old_text>\na\n</old_text>\n<new_text>\n  b\nc\n\n</new_text>\nreplace_all: true\n</call>',
    );
  });

  test("with its last line ended once", () => {
    const expected = '<call tool="write_file">\npath: a\n<content>\nx\n</content>\n</call>';
    for (const content of ["x", "x\n"]) {
      expect(writtenCall({ name: "write_file", args: { path: "a", content } })).toBe(expected);
    }
  });
});

/** What could be taken for something else. */
const piece = fc.oneof(
  fc.constantFrom(
    ...[
      '<call tool="read_file">\n',
      "</call>\n",
      "<content>\n",
      "</content>\n",
      "<old_text>",
      "</old_text>\n",
    ],
    ...["<new_text>\n", "</new_text>", "path: a\n", "command: ls\n", "new_text: x\n", "replace_all: true\n"],
    ...[
      "<command>\n",
      "</command>\n",
      "</read_file>\n",
      "</tool>",
      "```\n",
      "\n",
      "\r\n",
      "    ",
      '"',
      "'",
      "`",
    ],
    ...[
      "<tool_call>",
      "</tool_call>\n",
      "{",
      "}",
      "|\n",
      "<think>",
      "text",
      "<div>",
      "</div>",
      "\\",
      ": ",
      "- ",
    ],
  ),
  fc.string({ maxLength: 5 }),
);
const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));
const line = text.map((value) => value.replace(/[\r\n]/g, " ").trim());
const path = line.map((value) => `src/${value}`);
const command = text.map((value) => `run ${value}`);
const call = fc.oneof(
  fc.record({ name: fc.constant("write_file"), args: fc.record({ path, content: text }) }),
  fc.record({ name: fc.constant("edit_file"), args: fc.record({ path, old_text: text, new_text: text }) }),
  fc.record({ name: fc.constant("run_command"), args: fc.record({ command, background: fc.boolean() }) }),
  fc.record({ name: fc.constant("search_code"), args: fc.record({ pattern: line, path }) }),
);

function lastLineEnded({ name, args }: { name: string; args: Record<string, unknown> }) {
  const content = args["content"];
  const isOpen = typeof content === "string" && content !== "" && !content.endsWith("\n");
  return { name, args: isOpen ? { ...args, content: `${content}\n` } : args };
}

test("what is written so is read as it was, whatever is in it", { timeout: 0 }, () => {
  fc.assert(
    fc.property(fc.array(call, { minLength: 1, maxLength: 2 }), (calls) => {
      const content = calls.map(writtenCall).join("\n");
      const found = recoverCalls({ content, thinking: "", doneReason: "stop" }, TOOLS, "text");
      expect(found.calls, content).toEqual(calls.map(lastLineEnded));
    }),
    { numRuns: RUNS },
  );
});
