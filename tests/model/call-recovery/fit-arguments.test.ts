import { describe, expect, test } from "vitest";
import { declaredTools } from "../../../src/model/call-recovery/declared-tools.js";
import { fitArguments } from "../../../src/model/call-recovery/fit-arguments.js";

const TOOL = {
  type: "function",
  function: {
    name: "edit_file",
    description: "",
    parameters: {
      type: "object",
      properties: {
        path: { type: "string" },
        content: { type: "string" },
        start_line: { type: "integer" },
        replace_all: { type: "boolean" },
      },
      required: ["path"],
    },
  },
};

const [declared] = declaredTools([TOOL]);

const repair = (args: Record<string, unknown>) => fitArguments(args, declared!)?.args;

describe("arguments", () => {
  test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ["that fit stay as they are", { path: "a", start_line: 3 }, { path: "a", start_line: 3 }],
    ["under another name get theirs", { file_path: "a", contents: "x" }, { path: "a", content: "x" }],
    ["with blanks around a key lose them", { " path": "a" }, { path: "a" }],
    [
      "that are numbers in quotes become numbers",
      { path: "a", start_line: "20" },
      { path: "a", start_line: 20 },
    ],
    ["that are truth values in quotes become such", { replace_all: "True" }, { replace_all: true }],
    ["that are null are left out", { path: "a", start_line: null }, { path: "a" }],
    ["in a nested object are taken out", { arguments: { path: "a" } }, { path: "a" }],
    ["in a nested string are taken out", { input: '{"path":"a"}' }, { path: "a" }],
    ["in an array of one are taken out", { arguments: '[{"path":"a"}]' }, { path: "a" }],
    ["nested twice are taken out", { parameters: { arguments: { path: "a" } } }, { path: "a" }],
    ["that are numbers where text is wanted become text", { path: 5 }, { path: "5" }],
    [
      "that are an object where text is wanted are written out",
      { content: { name: "demo" } },
      { content: '{\n  "name": "demo"\n}\n' },
    ],
  ])("%s", (_, given, repaired) => {
    expect(repair(given)).toEqual(repaired);
  });

  test.each<[string, Record<string, unknown>]>([
    ["a number that is none", { start_line: "twelve" }],
    ["a truth value that is none", { replace_all: "maybe" }],
    ["a key that nobody knows", { paths: "a" }],
    ["a string that is no JSON", { arguments: "a.txt" }],
    ["text that looks like JSON where text is wanted", { content: '{"a":1}' }],
    ["text that looks like a number where text is wanted", { content: "5" }],
    ["backslashes in text", { content: "\\n \\u0000 &lt;" }],
  ])("%s is left for the correction, or as it is", (_, given) => {
    expect(repair(given)).toEqual(given);
  });

  test("a key under its own name is never replaced by an alias", () => {
    expect(repair({ path: "a", filename: "b" })).toEqual({ path: "a", filename: "b" });
    expect(repair({ filename: "b", path: "a" })).toEqual({ path: "a", filename: "b" });
  });
});
