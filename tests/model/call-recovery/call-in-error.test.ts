import { describe, expect, test } from "vitest";
import { callInError } from "../../../src/model/call-recovery/call-in-error.js";
import { TOOLS } from "./samples.js";

const READING = new Set(["read_file", "list_files", "search_code"]);
const inError = (raw: string) =>
  callInError(
    `scripted wrote a tool call that the server could not read (the server answered 500: error parsing tool call: raw='${raw}', err=invalid character ']' after top-level value)`,
    TOOLS,
    READING,
  );

describe("a call in the server's complaint about it", () => {
  test.each<[string, string, string, Record<string, unknown>]>([
    [
      "that names its tool, with a bracket too many",
      '{"name":"read_file","arguments":{"path":"a.txt"}}]',
      "read_file",
      { path: "a.txt" },
    ],
    [
      "that names its tool and changes something",
      '{"name":"write_file","arguments":{"path":"a.txt","content":"one\ntwo"}}',
      "write_file",
      { path: "a.txt", content: "one\ntwo" },
    ],
    [
      "in the marks of its family",
      '<tool_call>{"name":"run_command","arguments":{"command":"npm test"}}</tool_call>',
      "run_command",
      { command: "npm test" },
    ],
    [
      "whose arguments one reading tool alone takes",
      '{"pattern":"TODO"}}',
      "search_code",
      { pattern: "TODO" },
    ],
  ])("%s is made", (_, raw, name, args) => {
    expect(inError(raw)).toEqual({ name, args });
  });

  test.each([
    ["is only a word", "ls"],
    ["is nothing", ""],
    ["could be meant for more than one tool", '{"path":"a.txt"}]'],
    ["can be meant for one tool, which changes something", '{"command":"rm -rf build"}'],
    ["can be meant for one tool, which writes", '{"path":"a.txt","content":"x"}'],
    ["names no tool that there is", '{"name":"fly","arguments":{"path":"a.txt"}}'],
    ["breaks off", '{"name":"write_file","arguments":{"path":"a.txt","content":"one'],
    ["breaks off before its brackets", '{"pattern":"TODO"'],
    ["lacks arguments", '{"name":"write_file","arguments":{"path":"a.txt"}}'],
    ["has values that stand for others", '{"pattern":"<your pattern>"}'],
    ["has a key that no tool knows", '{"pattern":"TODO","depth":3}'],
    ["is spoken of", 'You can call {"name":"read_file","arguments":{"path":"a.txt"}} like this'],
  ])("that %s is not guessed", (_, raw) => {
    expect(inError(raw)).toBeUndefined();
  });

  test("is looked for in no other complaint", () => {
    const text = 'XML syntax error: raw={"name":"read_file","arguments":{"path":"a.txt"}}';
    expect(callInError(text, TOOLS, READING)).toBeUndefined();
  });
});
