import type { ChatMessage, ChatRequest } from "./chat-request.js";
import { DEMO_BUG, DEMO_FIX, DEMO_TEST_COMMAND } from "./demo-project.js";
import { wordsLike } from "./demo-words.js";
import type { DemoWords } from "./demo-words.js";
import { call, say } from "./reply.js";
import type { MessageReply } from "./reply.js";
import type { ScriptedModel } from "./scripted-models.js";

export const DEMO_MODEL: ScriptedModel = { name: "scripted-demo", family: "scripted", contextLength: 32_768 };

// Milliseconds between words: fast, yet one sees that the answer is streamed.
const PACE = { chunkDelay: 8 };
const FILE = "src/discount.js";

/**
 * What the scripted model says next in the demo project, in the user's language: list, search, read, test, edit, test,
 * answer. The steps are written down, the conclusions are not: they follow from the tool results in the request.
 */
export function demoReply({ messages }: ChatRequest): MessageReply {
  const words = wordsLike(messages.findLast(({ role }) => role === "user")?.content ?? "");
  const results = resultsOfTurn(messages);
  const [, , read = "", before = "", , after = ""] = results;
  switch (results.length) {
    case 0:
      return call("list_files", { path: "." }, { ...PACE, text: words.look });
    case 1:
      return call("search_code", { pattern: "discount" }, { ...PACE, text: words.search });
    case 2:
      return call("read_file", { path: FILE }, { ...PACE, text: words.read(FILE) });
    case 3:
      return runTests(words.fail);
    case 4:
      return edit(read, before, words);
    case 5:
      return runTests(words.again);
    default:
      return conclude(before, after, words);
  }
}

function runTests(text: string): MessageReply {
  return call("run_command", { command: DEMO_TEST_COMMAND }, { ...PACE, text });
}

function edit(read: string, testRun: string, words: DemoWords): MessageReply {
  const code = exitCode(testRun);
  if (code === undefined) return say(`${words.notRun} ${quote(testRun, words)}`, PACE);
  if (code === 0) return say(words.passAlready, PACE);
  if (!read.includes(DEMO_BUG.trim())) return say(`${words.noCause(code)} ${quote(read, words)}`, PACE);
  const change = { path: FILE, old_text: DEMO_BUG, new_text: DEMO_FIX };
  return call("edit_file", change, { ...PACE, text: words.cause });
}

function conclude(before: string, after: string, words: DemoWords): MessageReply {
  const code = exitCode(after);
  if (code === undefined) return say(`${words.notRunAgain} ${quote(after, words)}`, PACE);
  if (code !== 0) return say(`${words.stillFails(code)} ${quote(after, words)}`, PACE);
  return say(words.fixed(FILE, exitCode(before)), PACE);
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

function quote(result: string, words: DemoWords): string {
  return words.toolSaid(result.trim().slice(0, 300));
}
