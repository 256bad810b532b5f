import type { ChatMessage, ChatRequest } from "./chat-request.js";
import { DEMO_BUG, DEMO_FIX, DEMO_TEST_COMMAND } from "./demo-project.js";
import { call, say } from "./reply.js";
import type { MessageReply } from "./reply.js";
import type { ScriptedModel } from "./scripted-models.js";

export const DEMO_MODEL: ScriptedModel = { name: "scripted-demo", family: "scripted", contextLength: 32_768 };

export const DEMO_PROMPT =
  "One test of this project fails. Find the cause, fix it, and show that the tests pass.";

// Milliseconds between words: fast, yet one sees that the answer is streamed.
const PACE = { chunkDelay: 8 };
const FILE = "src/discount.js";

/**
 * What the scripted model says next in the demo project: list, search, read, test, edit, test, answer.
 * The steps are written down, the conclusions are not: they follow from the tool results in the request.
 */
export function demoReply({ messages }: ChatRequest): MessageReply {
  const results = resultsOfTurn(messages);
  const [, , read = "", before = "", , after = ""] = results;
  switch (results.length) {
    case 0:
      return call("list_files", { path: "." }, { ...PACE, text: "I start with a look at the project." });
    case 1:
      return call(
        "search_code",
        { pattern: "discount" },
        { ...PACE, text: "Where is the discount worked out?" },
      );
    case 2:
      return call("read_file", { path: FILE }, { ...PACE, text: `${FILE} decides it.` });
    case 3:
      return runTests("Now I run the tests to see the failure.");
    case 4:
      return edit(read, before);
    case 5:
      return runTests("Now the tests again.");
    default:
      return conclude(before, after);
  }
}

function runTests(text: string): MessageReply {
  return call("run_command", { command: DEMO_TEST_COMMAND }, { ...PACE, text });
}

function edit(read: string, testRun: string): MessageReply {
  const code = exitCode(testRun);
  if (code === undefined)
    return say(`I could not run the tests, so I changed nothing. ${quote(testRun)}`, PACE);
  if (code === 0) return say("The tests pass already (exit code 0), so I changed nothing.", PACE);
  if (!read.includes(DEMO_BUG.trim())) {
    return say(`The tests fail (exit code ${code}), but I did not find the cause. ${quote(read)}`, PACE);
  }
  const text = "Ten items should get the discount, but the comparison leaves out ten itself.";
  return call("edit_file", { path: FILE, old_text: DEMO_BUG, new_text: DEMO_FIX }, { ...PACE, text });
}

function conclude(before: string, after: string): MessageReply {
  const code = exitCode(after);
  if (code === undefined) {
    return say(
      `I could not run the tests again, so I do not know whether the change helps. ${quote(after)}`,
      PACE,
    );
  }
  if (code !== 0)
    return say(`The tests still fail (exit code ${code}): the bug is not fixed. ${quote(after)}`, PACE);
  return say(
    `Fixed: the tests pass now (exit code 0, it was ${exitCode(before) ?? "unknown"} before). ` +
      `${FILE} gave the discount only above ten items, while the README promises it from ten on. ` +
      "I changed `>` to `>=` in one line.",
    PACE,
  );
}

/** Tool results since the last user message, in order. */
function resultsOfTurn(messages: readonly ChatMessage[]): string[] {
  const start = messages.findLastIndex(({ role }) => role === "user");
  return messages.slice(start + 1).flatMap(({ role, content }) => (role === "tool" ? [content] : []));
}

/** "exit code 1", "Exit code: 1", "exited with code 1" or "exit 1"; undefined if the command was not run to its end. */
function exitCode(result: string): number | undefined {
  const match = /\bexit(?:ed with)?(?: code)?:? (\d+)\b/iu.exec(result);
  return match === null ? undefined : Number(match[1]);
}

function quote(result: string): string {
  const start = result.trim().slice(0, 300);
  return start === "" ? "The tool said nothing." : `The tool said: ${start}`;
}
