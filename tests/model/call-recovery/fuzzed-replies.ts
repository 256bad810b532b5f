import fc from "fast-check";
import { openingMarks, SENTINELS } from "../../../src/model/call-recovery/marks.js";
import { SAMPLES, TOOLS } from "./samples.js";

const MARKS = openingMarks(TOOLS);

/** Pieces that calls and texts about calls are made of. */
const PIECES: readonly string[] = [
  ...[...MARKS.anywhere, ...MARKS.lineStart, ...MARKS.replyStart].map(({ mark }) => mark),
  ...SENTINELS,
  ...["</tool_call>", "</function>", "</parameter>", "<parameter=path>", "<parameter=content>", "</invoke>"],
  ...[
    '<call tool="read_file">\n',
    "</call>\n",
    "<content>\n",
    "</content>\n",
    "\npath: a.ts\n",
    "command: ls\n",
  ],
  ...["<arg_key>path</arg_key>", "<arg_value>a", "</arg_value>", "<tool_call|>", "<tool_response>", "[ARGS]"],
  ...[
    '{"name": "',
    "read_file",
    "write_file",
    "run_command",
    "rm_rf",
    '", "arguments": {',
    '"path": "a.ts"',
    "}}",
    "}",
  ],
  ...[
    "{",
    "[",
    "]",
    ",",
    ":",
    '"',
    "'",
    "“",
    "`",
    "```",
    "```json\n",
    "```bash\n",
    "~~~\n",
    '<|"|>',
    "<escape>",
    '"""',
  ],
  ...[
    "\n",
    "\n\n",
    "    ",
    "> ",
    "| ",
    "- ",
    "\\",
    "\\n",
    "//",
    "/*",
    "#",
    "<!--",
    "-->",
    "<pre>",
    "</pre>",
    "+++ b\n",
  ],
  ...[
    "Let me look. ",
    "For example:\n",
    "I'll run it:\n",
    "path/to/file",
    "<think>",
    "</think>",
    "é",
    "\u{1f600}",
    "\u0000",
  ],
  ...[
    "command",
    "=",
    "(",
    ")",
    "path=",
    '"ls -la"',
    "true",
    "None",
    "12",
    "__proto__",
    "constructor",
    "null",
    ";",
    "call:",
  ],
];

const piece = fc.constantFrom(...PIECES);
const assembled = fc
  .array(fc.oneof(piece, fc.string({ maxLength: 6 })), { maxLength: 30 })
  .map((parts) => parts.join(""));

/** A sample that lost a part, or has one twice, or one of another in it. */
const damaged = fc
  .tuple(
    fc.constantFrom(...SAMPLES),
    fc.array(
      fc.tuple(
        fc.constantFrom("cut" as const, "double" as const, "insert" as const),
        fc.nat(),
        fc.nat({ max: 12 }),
        piece,
      ),
      {
        minLength: 1,
        maxLength: 4,
      },
    ),
  )
  .map(([sample, changes]) =>
    changes.reduce((text, [kind, place, length, inserted]) => {
      const at = text.length === 0 ? 0 : place % text.length;
      const part = text.slice(at, at + length);
      const middle = { cut: "", double: part + part, insert: inserted + part }[kind];
      return text.slice(0, at) + middle + text.slice(at + length);
    }, sample.content),
  );

/** Replies between sense and noise, with the reason for which they ended. */
export const fuzzedReply = fc.record({
  text: fc.oneof(assembled, damaged),
  field: fc.constantFrom("content" as const, "thinking" as const),
  doneReason: fc.constantFrom("stop", "length"),
  protocol: fc.constantFrom("native" as const, "text" as const),
});
