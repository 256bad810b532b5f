import { describe, expect, test } from "vitest";
import { recoverCalls } from "../../../src/model/call-recovery/recover-calls.js";
import { TOOLS } from "./samples.js";

const JSON_CALL = '{"name": "run_command", "arguments": {"command": "rm -rf build"}}';
const TAGGED = `<tool_call>\n${JSON_CALL}\n</tool_call>`;
const INLINE = `<tool_call>${JSON_CALL}</tool_call>`;

const recovered = (content: string, rest: { thinking?: string; doneReason?: string } = {}) =>
  recoverCalls({ content, thinking: "", doneReason: "stop", ...rest }, TOOLS);

describe("a call is shown, not made", () => {
  test.each([
    ["in a table", `| form | text |\n| --- | --- |\n| hermes | ${INLINE} |`],
    ["in HTML that shows it", `<pre>\n${TAGGED}\n</pre>`],
    ["in an HTML comment", `<!--\n${TAGGED}\n-->`],
    ["in a diff", `diff --git a/t b/t\n--- a/t\n+++ b/t\n@@ -1 +1 @@\n${TAGGED}`],
    ["on an added line", `@@ -1 +1 @@\n+${INLINE}`],
    ["in quotation marks", `The log says "${INLINE}" twice.`],
    ["in inline code", `It wrote \`x ${INLINE}\` there.`],
    ["in a fence of tildes", `See:\n\n~~~\n${TAGGED}\n~~~\n`],
    ["in a longer fence around a fence", `\`\`\`\`md\n\`\`\`json\n${JSON_CALL}\n\`\`\`\n\`\`\`\``],
    ["in a fence that never ends", `This is the file.\n\n\`\`\`ts\nconst s =\n${TAGGED}`],
    ["in a list", `Forms:\n- ${INLINE}\n- others`],
    ["in the middle of a sentence", `Models write ${INLINE} for this.`],
    ["as an example in marks", `For example:\n${TAGGED}`],
    ["after a colon that announces something else", `The log of the other agent:\n${TAGGED}`],
    ["in a sentence that goes on after it", `The model then emits\n${TAGGED}\nand the host runs it.`],
    ["in a fence after a description", `The config file is:\n\`\`\`json\n${JSON_CALL}\n\`\`\``],
    ["in a fence after an offer", `I'll run this if you want:\n\`\`\`json\n${JSON_CALL}\n\`\`\``],
    [
      "in a fence after a long text",
      `I'll explain. ${"More words. ".repeat(30)}\n\`\`\`json\n${JSON_CALL}\n\`\`\``,
    ],
    ["in a fence for another language", `I'll run it.\n\`\`\`python\nrun_command(command="ls")\n\`\`\``],
    ["as JSON before prose", `${JSON_CALL}\n\nThis removes the build.`],
    ["with a placeholder", `<tool_call>{"name": "read_file", "arguments": {"path": "..."}}</tool_call>`],
    [
      "with a name out of the template",
      "<function=example_function_name>\n<parameter=example_parameter_1>\nvalue_1\n</parameter>\n</function>",
    ],
    [
      "as a list of tools in the template's tags",
      '<tools>\n{"type": "function", "function": {"name": "read_file", "parameters": {"type": "object", "properties": {}}}}\n</tools>',
    ],
    ["as a record with a tool's name", '{"name": "search_code", "pattern": "x", "version": 2}'],
  ])("%s", (_, content) => {
    expect(recovered(content)).toEqual({ calls: [], text: content, thinking: "" });
  });

  test("where the request had no tools", () => {
    expect(recoverCalls({ content: TAGGED, thinking: "", doneReason: "stop" }, [])).toEqual({
      calls: [],
      text: TAGGED,
      thinking: "",
    });
  });

  test.each([
    ["and an answer follows", "Done.", TAGGED],
    ["and more thinking follows", "", `${TAGGED}\nNo, rather not.`],
    ["and its last mark is missing", "", `<tool_call>\n${JSON_CALL}`],
    ["and it has no marks", "", JSON_CALL],
  ])("in thinking, %s", (_, content, thinking) => {
    expect(recovered(content, { thinking })).toEqual({ calls: [], text: content, thinking });
  });
});

describe("an argument whose end is in doubt is not used", () => {
  test.each([
    [
      "text of a file that holds the keys of the call",
      '{"name": "write_file", "arguments": {"path": "a.json", "content": "{"a": "1", "path": "b"}"}}',
    ],
    [
      "a file that describes calls in their own marks",
      "<function=write_file>\n<parameter=path>\na.md\n</parameter>\n<parameter=content>\nWrite:\n</parameter>\n</function>\nThen more.\n</parameter>\n</function>",
    ],
    [
      "a command with the border of a key in it",
      '{"name": "run_command", "arguments": {"command": "rm": "ls"}}',
    ],
    [
      "an unclosed string before a mark",
      '<tool_call>{"name": "run_command", "arguments": {"command": "rm -rf b}}</tool_call>',
    ],
    [
      "text that ends at an inner quote",
      '{"name": "write_file", "arguments": {"path": "a", "content": "log("',
    ],
    ["braces without quotes that do not match", "call:write_file{content:a},path:a.txt}}"],
  ])("%s", (_, content) => {
    expect(recovered(content).calls).toEqual([]);
  });
});

describe("at the output limit", () => {
  test.each([
    [
      "a call whose last mark is missing",
      "<function=run_command>\n<parameter=command>\nls\n</parameter>\n",
      "truncated",
    ],
    ["a call in a fence that is open", `\`\`\`json\n${JSON_CALL}`, "truncated"],
    ["half a call", TAGGED.slice(0, 60), "truncated"],
  ])("%s is truncated", (_, content, problem) => {
    expect(recovered(content, { doneReason: "length" })).toMatchObject({
      calls: [],
      problem,
      detail: "run_command",
    });
  });

  test("a call that is closed is made", () => {
    expect(recovered(TAGGED, { doneReason: "length" }).calls).toHaveLength(1);
  });
});
