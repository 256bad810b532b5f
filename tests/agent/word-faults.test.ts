import { describe, expect, test } from "vitest";
import type { WordFacts } from "../../src/agent/word-faults.js";
import { wordFault } from "../../src/agent/word-faults.js";

const FILE =
  "export function add(a, b) {\n  return a - b;\n}\n\nexport function sub(a, b) {\n  return a - b;\n}\n";
const MENDED = FILE.replace("a - b", "a + b").trim();

const facts = (more: Partial<WordFacts> = {}): WordFacts => ({
  prompt: "Fix add in src/add.ts.",
  hasCalled: false,
  hasChanged: false,
  hasRun: false,
  hasDenied: false,
  canEdit: true,
  fileText: (path) => (path === "src/add.ts" ? FILE : undefined),
  ...more,
});

const faultOf = (text: string, more?: Partial<WordFacts>) => wordFault(text, facts(more))?.fault;
const fence = (code: string, label = "ts") => `\`\`\`${label}\n${code}\n\`\`\``;

describe("a step that is announced and not taken", () => {
  test.each([
    ["Let me read src/add.ts.", undefined],
    ["I'll start by looking at the project. First, I will read the file src/add.ts.", undefined],
    ["The bug is in line 2.\n\nNow I will edit the file to fix it.", undefined],
    ["Next I will create app.ts.", "go on"],
    ["I need to run the tests.", undefined],
    ["Let's check the lexer first", undefined],
    ["I’m going to update src/add.ts now:", undefined],
    ["Here is the fixed file:", undefined],
    ["我先查看一下 src/add.ts 的内容。", "修复测试"],
    ["问题在第二行。接下来我将修改这个文件。", "修复测试"],
    ["让我运行测试。", "运行测试"],
  ])("is noticed: %s", (text, prompt) => {
    const found = wordFault(text, facts(prompt === undefined ? {} : { prompt }));
    expect(found?.fault).toBe("announced");
    expect(text).toContain(found?.quote);
  });

  test("is quoted as the last sentence", () => {
    const text = "The bug is in src/add.ts. I will read it first. Then I will fix it with edit_file.";
    expect(wordFault(text, facts())?.quote).toBe("Then I will fix it with edit_file.");
  });

  test.each([
    ["a question to the user", "I can fix it in two ways. Shall I edit src/add.ts?"],
    ["a question before it", "Which of them is meant? I will edit the file then."],
    ["a condition", "If you want, I will also update the tests."],
    ["another condition", "Once you confirm, I'll edit the file."],
    ["something to wait for", "Let me know and I'll write the test."],
    ["the past", "I have updated add and I will say that I ran the tests."],
    ["what cannot be done", "I can't run the tests, so I will not edit anything."],
    ["what is left out", "I will not change the tests."],
    ["an answer with its summary", "In summary, add subtracts. Let me check again."],
    ["an offer", "Done: add adds now. Feel free to ask, I'll update more files."],
    ["no action", "I will be here."],
    ["words about the reader", "I will explain it: add subtracts."],
    ["a rule for later", "From now on I will write tests."],
    ["a finished task", "I fixed add; the test passes."],
    ["a plain answer", "add subtracts where it should add."],
    ["nothing", ""],
    ["a Chinese question", "我需要修改 src/add.ts，可以吗？"],
    ["a Chinese condition", "如果需要，我会修改这个文件。"],
    ["a Chinese request", "请告诉我文件名，我会修改它。"],
    ["the Chinese past", "我已经修改了这个文件。"],
  ])("is not taken from %s", (_, text) => {
    expect(faultOf(text, { hasChanged: true })).toBeUndefined();
  });

  test.each([
    ["only asked", "Why does the test fail?"],
    ["asked for an explanation", "Explain the bug in src/add.ts."],
    ["asked for a plan", "Plan how to fix it."],
    ["only greeted", "hello"],
    ["stated a wish for the future", "Remember that I use tabs."],
    ["asked in Chinese", "为什么测试失败？"],
  ])("is none where the user %s", (_, prompt) => {
    expect(faultOf("Let me read src/add.ts.", { prompt })).toBeUndefined();
  });

  test("is none where a call was denied: the model says what is left", () => {
    expect(faultOf("I need to run the tests.", { hasDenied: true })).toBeUndefined();
  });
});

describe("a change that is claimed and was not made", () => {
  test.each([
    "I have fixed the add function.",
    "I've updated src/add.ts. It adds now.",
    "The bug in add has been fixed.",
    "I updated the file as you wished.",
    "All tests pass now. I have also added a test for the function.",
    "我已经修复了 add 函数中的错误。",
    "已成功更新 src/add.ts 文件。",
  ])("is noticed: %s", (text) => {
    expect(faultOf(text)).toBe("claimed");
  });

  test.each<[string, string, Partial<WordFacts>]>([
    ["a file was changed", "I have fixed add.", { hasChanged: true }],
    ["a command was run, which may have changed it", "I have fixed the function.", { hasRun: true }],
    ["a call was denied", "I have fixed the function.", { hasDenied: true }],
    ["nothing can be changed", "I have fixed the function.", { canEdit: false }],
    ["it says that nothing was changed", "I have not fixed the function.", {}],
    ["it says that it could not", "I was unable to update the file, so the bug has not been fixed.", {}],
    ["it speaks of before", "The function was already fixed: it has been updated before.", {}],
    ["a question was asked", "I have fixed the function.", { prompt: "Did you fix add?" }],
    ["a summary was asked for", "I have updated src/add.ts.", { prompt: "Tell me what you changed." }],
    ["a text was asked for", "I have written a haiku:\n\nOld pond", { prompt: "Write a haiku." }],
    [
      "code was asked for and given",
      `I've written a function:\n\n${fence("const f = 1")}`,
      { prompt: "Write a function f." },
    ],
    ["changes were forbidden", "I have fixed the function.", { prompt: "Fix add, but do not edit files." }],
    ["it is an answer", "add subtracts.", {}],
  ])("is none where %s", (_, text, more) => {
    expect(faultOf(text, more)).toBeUndefined();
  });
});

describe("code that is shown in place of an edit", () => {
  test.each([
    ["in the label", `Here you go.\n\n${fence(MENDED, "ts src/add.ts")}`],
    ["in the label, as a title", `Here you go.\n\n${fence(MENDED, 'ts title="src/add.ts"')}`],
    ["in a comment at the top", `Change it like this.\n\n${fence(`// src/add.ts\n${MENDED}`)}`],
    ["in the line before", `**src/add.ts**\n\n${fence(MENDED)}\n\nThis adds.`],
    ["in the words before", `Replace the content of \`src/add.ts\` by this:\n${fence(MENDED, "")}`],
    [
      "in a diff",
      fence(
        `--- a/src/add.ts\n+++ b/src/add.ts\n@@ -1,3 +1,3 @@\n export function add(a, b) {\n-  return a - b;\n+  return a + b;\n }`,
        "diff",
      ),
    ],
  ])("is noticed by the file's name %s", (_, text) => {
    const found = wordFault(text, facts());
    expect(found).toEqual({ fault: "shown-code", quote: "src/add.ts" });
  });

  test.each<[string, string, Partial<WordFacts>]>([
    ["quotes the file", `In src/add.ts:\n${fence(FILE.trim())}\nadd subtracts.`, {}],
    ["is short", `In src/add.ts:\n${fence("  return a + b;")}`, {}],
    ["names no file that there is", `In src/other.ts:\n${fence(MENDED)}`, {}],
    ["names no file", `Like this:\n${fence(MENDED)}`, {}],
    ["is what a command prints", `For src/add.ts:\n${fence(MENDED, "console")}`, {}],
    ["follows an edit", `src/add.ts is now:\n${fence(MENDED)}`, { hasChanged: true }],
    ["was asked for", `In src/add.ts:\n${fence(MENDED)}`, { prompt: "Show me how add should look." }],
    ["explains", `In src/add.ts:\n${fence(MENDED)}`, { prompt: "How would you fix src/add.ts?" }],
    ["is an example", `In src/add.ts:\n${fence(MENDED)}`, { prompt: "Fix add, only as an example." }],
    ["cannot be applied", `In src/add.ts:\n${fence(MENDED)}`, { canEdit: false }],
    ["has no end", `In src/add.ts:\n\`\`\`ts\n${MENDED}`, {}],
  ])("is none where it %s", (_, text, more) => {
    expect(faultOf(text, more)).toBeUndefined();
  });
});
