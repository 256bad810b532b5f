import { describe, expect, test } from "vitest";
import { requestKind } from "../../src/agent/request-kind.js";

const WORK = { work: true, change: false };
const CHANGE = { work: true, change: true };
const NOTHING = { work: false, change: false };

describe("what a message asks for", () => {
  test.each([
    "Fix the failing test.",
    "fix it",
    "Please add a test for the parser",
    "Can you rename add to sum?",
    "Could you please write the tests for src/a.ts?",
    "I want you to remove the old flag.",
    "The test fails.\n\nFix the lexer so that it passes.",
    "Hi! Create a file notes.md with three lines.",
    "Find out why npm test fails, and fix it.",
    "修复失败的测试",
    "请帮我把 add 改成 sum",
    "能不能帮我添加一个测试？",
    "给解析器编写测试",
  ])("a change: %s", (prompt) => {
    expect(requestKind(prompt)).toEqual(CHANGE);
  });

  test.each([
    "Run the tests.",
    "go on",
    "Continue, please.",
    "yes",
    "Go.",
    "继续",
    "好的，请继续",
    "Find where tokens are made",
    "Check whether the build passes",
    "运行测试",
    "看看这个项目用了什么依赖。",
    "Fix nothing yet, just show me where the bug is; do not edit anything",
    "Check the code, don't change it",
    "给出修复的示例，不要修改文件",
  ])("work that changes nothing: %s", (prompt) => {
    expect(requestKind(prompt)).toEqual(WORK);
  });

  test.each([
    "Why does the test fail?",
    "How do I add a test?",
    "What does add do",
    "Explain how the tests are organised.",
    "Please explain what write_file does, and how to fix it",
    "Plan the change to the parser.",
    "Suggest how to fix this",
    "Review this change\n\ndiff --git a/a.ts b/a.ts\n+add(1)",
    "Does the add function work?",
    "src/add.ts: is it tested?",
    "Tell me what you changed.",
    "Thanks!",
    "Remember that I use tabs.",
    "hello",
    "Should we remove the flag?",
    "为什么测试失败？",
    "解释一下 add 函数",
    "请说明如何添加测试",
    "这个文件需要修改吗？",
    "谢谢",
    "",
  ])("words: %s", (prompt) => {
    expect(requestKind(prompt)).toEqual(NOTHING);
  });
});
