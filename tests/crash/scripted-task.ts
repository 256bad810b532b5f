import type { ChatMessage } from "../../src/demo/chat-request.js";
import type { Reply } from "../../src/demo/reply.js";
import { call, calls, say } from "../../src/demo/reply.js";

/** Steps of one turn. */
const STEPS = 4;

const STEP = /\b(?:line|done)-(\d+)\b/;

interface Step {
  number: number;
  /** What the model was told of it. */
  answer: string;
}

/**
 * A model that does the next step of its task and never one twice: it appends a line by a command, or edits a line of
 * a file, or both in one reply. What became of a step does not matter to it.
 */
export function nextReply(messages: readonly ChatMessage[]): Reply {
  const done = stepsIn(messages).length;
  const turnStart = messages.findLastIndex(({ role }) => role === "user");
  const inTurn = stepsIn(messages.slice(turnStart)).length;
  if (inTurn >= STEPS) return say(`Steps up to ${done} are done.`);
  return inTurn === 2 ? calls(step(done + 1), step(done + 2)) : step(done + 1);
}

function step(number: number) {
  const text = `Step ${number}. `;
  return number % 2 === 0
    ? call(
        "edit_file",
        { path: "tasks.txt", old_text: `todo-${number}.`, new_text: `done-${number}.` },
        { text },
      )
    : call("run_command", { command: `sleep 0.05; echo line-${number} >> log.txt; sleep 0.05` }, { text });
}

/** The steps that a conversation tells of, in order. */
function stepsIn(messages: readonly ChatMessage[]): Step[] {
  const answers = new Map(messages.map((message) => [message.tool_call_id, message.content]));
  return messages.flatMap(({ tool_calls = [] }) =>
    tool_calls.map(({ id, function: { arguments: args } }) => ({
      number: Number(STEP.exec(JSON.stringify(args))?.[1]),
      answer: answers.get(id ?? "") ?? "",
    })),
  );
}

/** How often the step has taken effect. */
function effectsOf(number: number, log: string, tasks: string): number {
  const wanted = number % 2 === 0 ? `done-${number}.` : `line-${number}`;
  return (number % 2 === 0 ? tasks : log).split("\n").filter((line) => line === wanted).length;
}

/** What does not fit: a step that happened twice, one that was told to be done and is not, or the other way round. */
export function wrongSteps(messages: readonly ChatMessage[], log: string, tasks: string): string[] {
  const steps = stepsIn(messages);
  const told = new Map(steps.map(({ number, answer }) => [number, answer]));
  const last = Math.max(0, ...told.keys());
  const wrong = steps.length === told.size ? [] : ["a step was asked for twice"];
  for (let number = 1; number <= last + 2 * STEPS; number++) {
    const answer = told.get(number);
    const effects = effectsOf(number, log, tasks);
    const allowed = allowedEffects(answer);
    if (!allowed.includes(effects)) {
      wrong.push(`step ${number} took effect ${effects} times, and the answer was ${JSON.stringify(answer)}`);
    }
  }
  return wrong;
}

function allowedEffects(answer: string | undefined): number[] {
  if (answer === undefined || answer.startsWith("Not run")) return [0];
  return answer.includes("may have taken effect") ? [0, 1] : [1];
}

/** Why a server or a chat template could refuse the conversation; undefined if there is no reason. */
export function conversationFault(messages: readonly ChatMessage[]): string | undefined {
  const open: (string | undefined)[] = [];
  let previous = "system";
  for (const { role, content, tool_calls = [], tool_call_id } of messages.slice(1)) {
    if (role === "tool" && open.shift() !== tool_call_id) return `an answer to no call: ${content}`;
    if (role !== "tool" && open.length > 0) return `calls without an answer: ${open.join(", ")}`;
    if (role === "user" && !["system", "assistant"].includes(previous)) return `user after ${previous}`;
    if (role === "assistant" && !["user", "tool"].includes(previous)) return `assistant after ${previous}`;
    if (role === "assistant" && content === "" && tool_calls.length === 0) return "an empty reply";
    open.push(...tool_calls.map(({ id }) => id));
    previous = role;
  }
  if (open.length > 0) return `calls without an answer at the end: ${open.join(", ")}`;
  return undefined;
}
