import { describe, expect, test } from "vitest";
import { recoverCalls } from "../../../src/model/call-recovery/recover-calls.js";
import { TOOLS } from "./samples.js";

const recovered = (content: string) => recoverCalls({ content, thinking: "", doneReason: "stop" }, TOOLS);
const read = (path: string) => ({ name: "read_file", args: { path } });

describe("a call is read", () => {
  test.each([
    [
      "in tags one after another",
      '<tool_call>{"name":"read_file","arguments":{"path":"a"}}</tool_call>\n<tool_call>{"name":"read_file","arguments":{"path":"b"}}</tool_call>',
      ["a", "b"],
    ],
    ["without the first tag", '{"name":"read_file","arguments":{"path":"a"}}\n</tool_call>', ["a"]],
    [
      "as JSON lines",
      '{"name":"read_file","arguments":{"path":"a"}}\n{"name":"read_file","arguments":{"path":"b"}}',
      ["a", "b"],
    ],
    ["in a fence without a label", '```\n{"name":"read_file","arguments":{"path":"a"}}\n```', ["a"]],
    [
      "in tags in a fence",
      'I\'ll read it.\n```xml\n<tool_call>{"name":"read_file","arguments":{"path":"a"}}</tool_call>\n```',
      ["a"],
    ],
    [
      "in OpenAI's shape",
      '{"type":"function","function":{"name":"read_file","arguments":"{\\"path\\":\\"a\\"}"}}',
      ["a"],
    ],
    ["under the name of the tool", '{"read_file":{"path":"a"}}', ["a"]],
    ["in smart quotes", "{“name”: “read_file”, “arguments”: {“path”: “a”}}", ["a"]],
    ["with comments", '{"name":"read_file", // the tool\n "arguments":{"path":"a" /* here */}}', ["a"]],
    ["with typed values", '{"name":"read_file","parameters":{"path":{"type":"string","value":"a"}}}', ["a"]],
    [
      "as functions in one tag",
      "<tool_call>\n<function=read_file>\n<parameter=path>\na\n</parameter>\n</function>\n<function=read_file>\n<parameter=path>\nb\n</parameter>\n</function>\n</tool_call>",
      ["a", "b"],
    ],
    [
      "as a parameter that its function closes",
      "<tool_call>\n<function=read_file>\n<parameter=path>\na\n</function>\n</tool_call>",
      ["a"],
    ],
    [
      "after Mistral's mark",
      '[TOOL_CALLS]read_file[ARGS]{"path":"a"}[TOOL_CALLS]read_file[ARGS]{"path":"b"}',
      ["a", "b"],
    ],
    ["with Mistral's mark lost", 'Let me look.\nread_file[ARGS]{"path":"a"}', ["a"]],
    ["in Gemma's fence with print", '```tool_code\nprint(default_api.read_file(path="a"))\n```', ["a"]],
    [
      "in Gemma's marks twice",
      '<|tool_call>call:read_file{path:<|"|>a<|"|>}<tool_call|><|tool_call>call:read_file{path:<|"|>b<|"|>}<tool_call|>',
      ["a", "b"],
    ],
    [
      "to a recipient",
      '<|start|>assistant to=functions.read_file<|channel|>commentary json<|message|>{"path":"a"}<|call|>',
      ["a"],
    ],
    [
      "in Python lines",
      '<function_calls>\nread_file(path="a")\nread_file(path="b")\n</function_calls>',
      ["a", "b"],
    ],
    [
      "in Cohere's action",
      '<|START_ACTION|>[{"tool_call_id":"0","tool_name":"read_file","parameters":{"path":"a"}}]<|END_ACTION|>',
      ["a"],
    ],
    [
      "in Kimi's section",
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{"path":"a"}<|tool_call_end|>',
      ["a"],
    ],
    [
      "before an invented observation",
      'Action: read_file\nAction Input: {"path":"a"}\nObservation: nothing',
      ["a"],
    ],
    [
      "at the end of a line",
      'Let me read it. <tool_call>{"name":"read_file","arguments":{"path":"a"}}</tool_call>',
      ["a"],
    ],
    [
      "after an intent in Chinese",
      '我先看一下文件。\n```json\n{"name":"read_file","arguments":{"path":"a"}}\n```',
      ["a"],
    ],
  ])("%s", (_, content, paths) => {
    expect(recovered(content).calls).toEqual(paths.map(read));
  });

  test("only up to an invented result, even if more calls follow it", () => {
    const call = (path: string) =>
      `<tool_call>{"name":"read_file","arguments":{"path":"${path}"}}</tool_call>`;
    const content = `${call("a")}\n<tool_response>\nempty\n</tool_response>\n${call("b")}`;
    expect(recovered(content)).toMatchObject({ calls: [read("a")], text: "" });
  });
});

describe("text in an argument", () => {
  test.each([
    ["keeps the marks of calls", "Use <tool_call> and </tool_call>.\n"],
    ["keeps a closing tag of the form that it stands in", "Use </function> here.\n"],
  ])("%s", (_, content) => {
    const json = JSON.stringify({ name: "write_file", arguments: { path: "a.md", content } });
    expect(recovered(`<tool_call>\n${json}\n</tool_call>`).calls).toMatchObject([{ args: { content } }]);
    const xml = `<function=write_file>\n<parameter=path>\na.md\n</parameter>\n<parameter=content>\n${content}\n</parameter>\n</function>`;
    expect(recovered(xml).calls).toMatchObject([{ args: { content } }]);
  });

  test.each([
    [
      "unescaped quotes in more than one",
      '{"name":"edit_file","arguments":{"path":"a.js","old_text":"log("a")","new_text":"log("b")"}}',
      { old_text: 'log("a")', new_text: 'log("b")' },
    ],
    [
      "JSON with unescaped quotes",
      '{"name":"write_file","arguments":{"path":"a.json","content":"{"a": "x", "b": "y"}"}}',
      { content: '{"a": "x", "b": "y"}' },
    ],
    [
      "triple quotes",
      '{"name":"write_file","arguments":{"path":"a.py","content":"""print("x")\n"""}}',
      { content: 'print("x")\n' },
    ],
    [
      "an expression with illegal escapes",
      '{"name":"search_code","arguments":{"pattern":"\\d+\\s"}}',
      { pattern: "\\d+\\s" },
    ],
    [
      "a command in words",
      '{"name":"run_command","arguments":{"command":["npm","test","--","-t","a b"]}}',
      { command: "npm test -- -t 'a b'" },
    ],
    [
      "a command for a shell",
      '{"name":"run_command","arguments":{"cmd":["bash","-lc","ls | head"]}}',
      { command: "ls | head" },
    ],
  ])("is read with %s", (_, content, args) => {
    expect(recovered(content).calls).toMatchObject([{ args }]);
  });
});

describe("beside a call that the server recognised", () => {
  const nativeCalls = [read("a")];
  const echo = '<tool_call>{"name":"read_file","arguments":{"path":"a"}}</tool_call>';

  test("its echo in the text is dropped and not made again", () => {
    const found = recoverCalls(
      { content: `I look. ${echo}`, thinking: "", doneReason: "stop", nativeCalls },
      TOOLS,
    );
    expect(found).toEqual({ calls: [], text: "I look.", thinking: "" });
  });

  test("another call in the text stays text", () => {
    const content = echo.replace('"a"', '"b"');
    expect(recoverCalls({ content, thinking: "", doneReason: "stop", nativeCalls }, TOOLS)).toEqual({
      calls: [],
      text: content,
      thinking: "",
    });
  });
});
