import { describe, expect, test } from "vitest";
import { recoverCalls } from "../../../src/model/call-recovery/recover-calls.js";
import { TOOLS } from "../call-recovery/samples.js";

const recovered = (content: string, rest: { thinking?: string; doneReason?: string } = {}) =>
  recoverCalls({ content, thinking: "", doneReason: "stop", ...rest }, TOOLS, "text");

const READ = '<call tool="read_file">\npath: a.ts\n</call>';
const READ_ARGS = { name: "read_file", args: { path: "a.ts" } };

function write(content: string): string {
  return `<call tool="write_file">\npath: a.ts\n<content>\n${content}</content>\n</call>`;
}

describe("a call in the form of the text protocol", () => {
  test("is read with lines, numbers and truth values", () => {
    const text = 'I look.\n\n<call tool="read_file">\npath: src/a b.ts\nstart_line: 3\nend_line: 9\n</call>';
    expect(recovered(text)).toEqual({
      calls: [{ name: "read_file", args: { path: "src/a b.ts", start_line: 3, end_line: 9 } }],
      text: "I look.",
      thinking: "",
      form: "text-protocol",
    });
    const edit = (all: string) =>
      `<call tool="edit_file">\npath: a\nold_text: x = 1\n<new_text>\nx = 2\n</new_text>\nreplace_all: ${all}\n</call>`;
    expect(recovered(edit("true")).calls).toEqual([
      { name: "edit_file", args: { path: "a", old_text: "x = 1", new_text: "x = 2", replace_all: true } },
    ]);
  });

  test.each([
    ["quotes, backslashes and entities", 'const s = "a\\n\\"b\\"" + \'c\\d\' + `e${f}` + "&lt;";\n'],
    ["HTML", '<!doctype html>\n<p class="x">a</p>\n<content>b</content>\n<script>if (a < b) {}</script>\n'],
    ["XML with an element of the same name", "<feed>\n<content>\nx\n</content>\n<path>y</path>\n</feed>\n"],
    ["XML that ends with an element of the same name", '<content type="a">\n<b/>\n</content>\n'],
    ["JSON", '{"name": "read_file", "arguments": {"path": "b"}}\n'],
    ["a code fence", "# Title\n\n```ts\nconst a = 1;\n```\n\n~~~\nb\n~~~\n"],
    [
      "a call of another family",
      '<tool_call>{"name":"run_command","arguments":{"command":"rm -rf x"}}</tool_call>\n',
    ],
    ["a whole call of this form", `Write:\n\n${READ}\n\nor\n\n${write("y\n")}\n\nand so on.\n`],
    ["the closing mark in a sentence", "End it with </content> on a line, then with </call>.\n"],
    ["marks of templates and of thinking", "<|im_end|>\n<think>\na\n</think>\n[TOOL_CALLS]\n"],
    ["lines that look like arguments", "path: b\nname: c\ncontent: d\n"],
    ["blank lines and indentation at its ends", "\n\n    a\n\n\n"],
    ["CRLF", "a\r\nb\r\n"],
    ["wide characters", '名前 = "値" \u{1f600}\n'],
    ["nothing", ""],
  ])("keeps a raw block as it is: %s", (_, content) => {
    const args = { path: "a.ts", content };
    expect(recovered(write(content))).toMatchObject({ calls: [{ name: "write_file", args }], text: "" });
  });

  test("keeps both blocks of an edit, without the line break before the closing mark", () => {
    const text =
      '<call tool="edit_file">\npath: a.html\n<old_text>\n  <b class="x">\n    "old_text"\n  </b>\n</old_text>\n<new_text>\n\n</new_text>\n</call>';
    expect(recovered(text).calls).toEqual([
      {
        name: "edit_file",
        args: { path: "a.html", old_text: '  <b class="x">\n    "old_text"\n  </b>', new_text: "" },
      },
    ]);
  });

  test("may be a command of several lines", () => {
    const command = "cat > a.txt <<'EOF'\nname: x\n</p>\nEOF\nnpm test";
    for (const written of [`<command>\n${command}\n</command>`, `command: ${command}`]) {
      const { calls } = recovered(`<call tool="run_command">\n${written}\ntimeout: 60\n</call>`);
      expect(calls, written).toEqual([{ name: "run_command", args: { command, timeout: 60 } }]);
    }
  });

  test("follows another one", () => {
    const both = `I read both.\n${READ}\n\n${READ.replace("a.ts", "b.ts")}\n`;
    expect(recovered(both)).toMatchObject({
      calls: [READ_ARGS, { name: "read_file", args: { path: "b.ts" } }],
      text: "I read both.",
    });
    expect(recovered(write("a\n") + write("b\n")).calls.map(({ args }) => args["content"])).toEqual([
      "a\n",
      "b\n",
    ]);
  });

  test.each([
    ["prose", "\n\nNow I know what is in the file."],
    [
      "an invented result",
      "\n<tool_response>\nread_file:\nexport const a = 1;\n</tool_response>\nSo it exports a.",
    ],
    ["an invented result and another call", `\n\nResult: ok\n\n${READ.replace("a.ts", "invented.ts")}`],
    ["closing marks too many", "\n</call>\n</tool_call>"],
    ["a sentinel", "<|im_end|>"],
  ])("drops what follows it: %s", (_, rest) => {
    expect(recovered(`I look.\n${READ}${rest}`)).toMatchObject({ calls: [READ_ARGS], text: "I look." });
  });
});

describe("a call with a slip is still read", () => {
  test.each([
    ["without quotes in its tag", "<call tool=read_file>\npath: a.ts\n</call>"],
    ["with a colon in its tag", "<call:read_file>\npath: a.ts\n</call>"],
    ["with only a name in its tag", "<call read_file>\npath: a.ts\n</call>"],
    ["with another attribute", "<call name='read_file'>\npath: a.ts\n</call>"],
    ["with its arguments in the tag", '<call tool="read_file" path="a.ts">\n</call>'],
    ["closed at once", '<call tool="read_file" path="a.ts"/>'],
    ["on one line", '<call tool="read_file">path: a.ts</call>'],
    ["with a block on one line", '<call tool="read_file"><path>a.ts</path></call>'],
    ["with a block for a short value", '<call tool="read_file">\n<path>\na.ts\n</path>\n</call>'],
    ["with the value on the next line", '<call tool="read_file">\npath:\na.ts\n</call>'],
    [
      "with parameters of another form",
      "<call tool=read_file>\n<parameter=path>\na.ts\n</parameter>\n</call>",
    ],
    ["with named arguments", '<call tool="read_file">\n<arg name="path">a.ts</arg>\n</call>'],
    ["with quotes", '<call tool="read_file">\n"path": "a.ts"\n</call>'],
    ["with backticks", '<call tool="read_file">\npath: `a.ts`\n</call>'],
    ["with list marks", '<call tool="read_file">\n- path: a.ts\n</call>'],
    ["with another name of the argument", '<call tool="read_file">\nfile_path: a.ts\n</call>'],
    ["with another name of the tool", '<call tool="cat">\npath: a.ts\n</call>'],
    ["without the argument's name", '<call tool="read_file">a.ts</call>'],
    ["with JSON in it", '<call tool="read_file">\n{"path": "a.ts"}\n</call>'],
    ["as JSON", '<call>\n{"name": "read_file", "arguments": {"path": "a.ts"}}\n</call>'],
    ["closed by its tool's name", '<call tool="read_file">\npath: a.ts\n</read_file>'],
    ["closed as in another form", '<call tool="read_file">\npath: a.ts\n</tool_call>'],
    ["not closed", '<call tool="read_file">\npath: a.ts\n'],
    ["not closed, and prose after it", '<call tool="read_file">\npath: a.ts\n\nI wait for the file.'],
    ["with an argument too many", '<call tool="read_file">\npath: a.ts\nreason: I must see it\n</call>'],
    ["with CRLF", '<call tool="read_file">\r\npath: a.ts\r\n</call>\r\n'],
    ["in a fence that is the whole reply", `\`\`\`xml\n${READ}\n\`\`\``],
    ["behind thinking", `<think>\nI should read a.ts.\n</think>\n\n${READ}`],
    ["after a colon", `Step 1:\n${READ}`],
  ])("%s", (_, content) => {
    const { calls, problem } = recovered(content);
    expect({ calls: calls.map(({ name, args }) => ({ name, path: args["path"] })), problem }).toEqual({
      calls: [{ name: "read_file", path: "a.ts" }],
      problem: undefined,
    });
  });

  const CODE = 'if (a) {\n  b("c");\n}\n';
  const long = (body: string) => `<call tool="write_file">\npath: a.ts\n${body}</call>`;
  test.each([
    ["without the closing mark", long(`<content>\n${CODE}`)],
    ["with the closing mark twice", long(`<content>\n${CODE}</content>\n</content>\n`)],
    ["closed by the tool's name too", long(`<content>\n${CODE}</content>\n</write_file>\n`)],
    ["beginning behind its mark", long(`<content>${CODE}</content>\n`)],
    ["closed behind its last line", long(`<content>\n${CODE.trimEnd()}</content>\n`)],
    ["with an indented closing mark", long(`<content>\n${CODE}  </content>\n`)],
    ["as lines behind its name", long(`content:\n${CODE}`)],
    ["as YAML", long(`content: |\n${CODE.replace(/^/gm, "  ").trimEnd()}\n`)],
    ["in a fence behind its name", long(`content:\n\`\`\`ts\n${CODE}\`\`\`\n`)],
    ["in three quotes behind its name", long(`content: """\n${CODE}"""\n`)],
    ["before the path", `<call tool="write_file">\n<content>\n${CODE}</content>\npath: a.ts\n</call>`],
    [
      "as HTML in JSON in tags",
      `<call tool="write_file">\n${JSON.stringify({ path: "a.ts", content: CODE })}\n</call>`,
    ],
  ])("with a long text %s", (_, content) => {
    expect(recovered(content).calls).toEqual([{ name: "write_file", args: { path: "a.ts", content: CODE } }]);
  });

  test("without the closing mark, before another call", () => {
    const text = `<call tool="write_file">\npath: a.ts\n<content>\na\n</call>\n${write("b\n")}</content>`;
    expect(recovered(text).calls.map(({ args }) => args["content"])).toEqual(["a\n", "b\n"]);
  });

  test("with an edit whose first block is not closed", () => {
    const text = '<call tool="edit_file">\npath: a\n<old_text>\nx\n<new_text>\ny\n</new_text>\n</call>';
    expect(recovered(text).calls).toEqual([
      { name: "edit_file", args: { path: "a", old_text: "x", new_text: "y" } },
    ]);
  });

  test("with unescaped quotes in its JSON", () => {
    const text = '<call tool="run_command">\n{"command": "grep "a b" c"}\n</call>';
    expect(recovered(text).calls).toEqual([{ name: "run_command", args: { command: 'grep "a b" c' } }]);
  });
});

describe("the forms of other families still work, though the model was told otherwise", () => {
  test.each([
    ["hermes", '<tool_call>\n{"name": "read_file", "arguments": {"path": "a.ts"}}\n</tool_call>'],
    ["json", '{"name": "read_file", "arguments": {"path": "a.ts"}}'],
    ["fenced-json", '```json\n{"name": "read_file", "arguments": {"path": "a.ts"}}\n```'],
    ["function-xml", "<function=read_file>\n<parameter=path>\na.ts\n</parameter>\n</function>"],
    ["tool-xml", "<read_file>\n<path>a.ts</path>\n</read_file>"],
    ["python", 'read_file(path="a.ts")'],
  ])("%s", (form, content) => {
    expect(recovered(content)).toMatchObject({ calls: [READ_ARGS], form, text: "" });
  });
});

describe("no call is made", () => {
  test.each([
    ["shown in a fence as an example", `You call a tool like this:\n\n\`\`\`\n${READ}\n\`\`\``],
    [
      "shown in a fence in the middle",
      `I would write\n\n\`\`\`xml\n${READ}\n\`\`\`\n\nbut the answer is known: 4.`,
    ],
    ["shown as an example without a fence", `A call looks like this:\n${READ}`],
    ["in a quote", `> <call tool="read_file">\n> path: a.ts\n> </call>`],
    ["in inline code", 'It is `<call tool="read_file">path: a.ts</call>`.'],
    ["a tag alone", 'The tag <call tool="read_file"> opens a call.'],
    ["a tag of another kind", "Use a <callback> or a <call to=x> element."],
  ])("%s", (_, content) => {
    expect(recovered(content)).toEqual({ calls: [], text: content, thinking: "" });
  });

  test.each([
    ["in the thinking field", { content: "", thinking: READ }],
    ["between thinking marks", { content: `<think>\n${READ}\n</think>`, thinking: "" }],
  ])("%s", (_, reply) => {
    expect(recovered(reply.content, reply)).toMatchObject({ calls: [] });
  });

  test("in thinking of which only the end is marked; the call behind it is made", () => {
    const thought = `I could write\n${READ.replace("a.ts", "wrong.ts")}\nto see it.\n</think>\n\n`;
    expect(recovered(thought + READ).calls).toEqual([READ_ARGS]);
    expect(recovered(`${thought}The answer is 4.`).calls).toEqual([]);
  });
});

describe("a call that cannot be run is told", () => {
  test.each([
    [
      "cut in a raw block",
      '<call tool="write_file">\npath: a.ts\n<content>\nconst a',
      "truncated",
      "write_file",
    ],
    [
      "cut in a raw block of a command",
      '<call tool="run_command">\n<command>\nrm -rf',
      "truncated",
      "run_command",
    ],
    [
      "cut in lines behind a name",
      '<call tool="write_file">\npath: a.ts\ncontent:\nconst a\n',
      "truncated",
      "write_file",
    ],
    ["cut behind its tag", 'I look.\n<call tool="read_file">\n', "truncated", "read_file"],
    [
      "without an argument",
      '<call tool="write_file">\npath: a.ts\n</call>',
      "missing_args",
      "write_file: content",
    ],
    ["of an unknown tool", '<call tool="delete_all">\npath: a.ts\n</call>', "unknown_tool", "delete_all"],
    [
      "copied from the example",
      '<call tool="read_file">\npath: path/to/file\n</call>',
      "missing_args",
      "read_file",
    ],
    [
      "whose block may end in two places",
      write("Use <content> here:\n</content>\n</call>\nMore.\n"),
      "missing_args",
      "write_file",
    ],
    [
      "whose block ended too early",
      write("The end is\n</content>\n</call>\nthere.\n"),
      "missing_args",
      "write_file",
    ],
    [
      "with an argument twice",
      '<call tool="read_file">\npath: a\npath: b\n</call>',
      "missing_args",
      "read_file",
    ],
  ])("%s", (_, content, problem, detail) => {
    expect(recovered(content)).toMatchObject({ calls: [], problem, detail });
  });

  test("if it ends the reply in a code fence behind more than a word of intent", () => {
    const prose = "The sum is wrong. It takes b from a. The test says so too. So the file has to change.";
    const text = `${prose}\n\n\`\`\`xml\n${READ}\n\`\`\`\n`;
    expect(recovered(text)).toEqual({
      calls: [],
      text,
      thinking: "",
      form: "text-protocol",
      problem: "shown",
      detail: "read_file",
    });
    for (const shown of [`${prose} For example:`, `${prose} Shall I do that?`]) {
      expect(recovered(text.replace(prose, shown)).problem, shown).toBeUndefined();
    }
  });

  test("if the output limit was reached before it was closed", () => {
    for (const text of [
      '<call tool="run_command">\ncommand: rm -rf build',
      write("a\n").replace("</call>", ""),
    ]) {
      expect(recovered(text, { doneReason: "length" })).toMatchObject({ calls: [], problem: "truncated" });
    }
  });
});
