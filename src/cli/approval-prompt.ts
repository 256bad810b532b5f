import type { Key } from "node:readline";
import type { ApprovalAnswer, ApprovalRequest, Approve } from "../agent/approval.js";
import { EDITS_RULE } from "../permissions/access.js";
import { visible } from "../printable.js";
import { readMessage } from "./line-editor.js";
import type { Messages } from "./messages/catalogue.js";
import { block, GUTTER } from "./render/block.js";
import { offendingParts } from "./offending-parts.js";
import { diffLines } from "./render/diff.js";
import type { Progress } from "./render/progress.js";
import { createColours, createLineWriter } from "./render/terminal.js";
import type { Colours, OutputStream, TerminalTraits } from "./render/terminal.js";
import type { TerminalInput } from "./terminal-input.js";

/** Most reasons that are shown. */
const MAX_REASONS = 3;

export interface ApprovalPromptOptions {
  input: TerminalInput;
  output: NodeJS.WritableStream & OutputStream;
  messages: Messages;
  colourLevel: TerminalTraits["colourLevel"];
  /** Yields while a question stands. */
  progress: Pick<Progress, "pause" | "resume">;
  /** Rings when a question comes up. */
  bell: boolean;
  /** Ctrl-C at a question: cancels the turn. Left out, the process gets SIGINT, as outside a question. */
  onCancel?: () => void;
}

/** Asks on a terminal, one question at a time; one key answers. What was typed before a question does not count. */
export function createApprovalPrompt(options: ApprovalPromptOptions): Approve {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return (request, signal) => {
    waiting++;
    const answer = last.then(() => {
      waiting--;
      return ask(request, { ...options, waiting, signal });
    });
    // A question that was cancelled must not hinder the next; its failure reaches the one who asked.
    last = answer.catch(() => undefined);
    return answer;
  };
}

interface Question extends ApprovalPromptOptions {
  /** How many questions come after this one. */
  waiting: number;
  signal: AbortSignal;
}

async function ask(request: ApprovalRequest, question: Question): Promise<ApprovalAnswer> {
  const { input, output, messages, progress, signal } = question;
  progress.pause();
  try {
    await input.settle();
    signal.throwIfAborted();
    const colours = createColours(question.colourLevel);
    const lines = [...questionLines(request, question, colours), ...answerLines(request, question, colours)];
    createLineWriter(output).lines(...lines);
    if (question.bell) output.write("\x07");
    output.write(`  ${messages.question.default} `);
    return await readAnswer(request.verdict.rememberAs.length > 0, question);
  } finally {
    progress.resume();
  }
}

/** What would happen: the tool, and the command, the path or the change in full. */
function questionLines(request: ApprovalRequest, question: Question, colours: Colours): string[] {
  const { tool, subject, verdict, diff, warning } = request;
  const { run, edit, use, waiting } = question.messages.question;
  const clear = (text: string) => visible(text, (notation) => colours.inverse(notation));
  const name = clear(subject.replaceAll("\n", " "));
  const named = ` ${colours.dim(clear(tool))}`;
  const title =
    tool === "run_command"
      ? colours.yellow.bold(run) + named
      : diff === undefined
        ? colours.yellow.bold(use(clear(tool), name))
        : colours.yellow.bold(edit(name)) + named;
  const more = question.waiting > 0 ? ` ${colours.dim(waiting(question.waiting))}` : "";
  const real = verdict.path?.inside === false ? [clear(verdict.path.real)] : [];
  const content =
    tool === "run_command"
      ? offendingParts(subject, verdict)
          .map(({ text, marked }) => (marked ? colours.yellow(clear(text)) : clear(text)))
          .join("")
          .split("\n")
      : [...real, ...(diff === undefined ? [] : diffLines(diff, colours, clear))];
  const remarkable = warning === undefined ? [] : [colours.yellow(clear(warning.replaceAll("\n", " ")))];
  return [
    "",
    ...block([title + more], "", question.output),
    ...block(remarkable, "  ", question.output),
    ...block(content, GUTTER, question.output),
  ];
}

/** Why it is asked, what may be answered, and what each answer keeps. */
function answerLines(
  { verdict, confinement }: ApprovalRequest,
  question: Question,
  colours: Colours,
): string[] {
  const { because, cannotRemember, once, session, project, no } = question.messages.question;
  const clear = (text: string) =>
    visible(text.replaceAll("\n", " "), (notation) => colours.inverse(notation));
  const rules = verdict.rememberAs.map((rule) => ruleText(clear(rule), question.messages));
  const reasons = verdict.because.slice(0, MAX_REASONS).map((reason) => `- ${clear(reason)}`);
  return [
    `  ${colours.dim(because)}`,
    ...block(reasons, "  ", question.output),
    ...(confinement === undefined ? [] : block([colours.dim(clear(confinement))], "  ", question.output)),
    ...block(rules.length > 0 ? rules : [cannotRemember], "  ", question.output),
    `  ${[once, ...(rules.length > 0 ? [session, project] : []), no].join(" · ")}`,
  ];
}

/** A rule that begins with "=" covers one line; any other, what begins with its words. */
function ruleText(rule: string, { question }: Messages): string {
  if (rule === EDITS_RULE) return question.rememberEdits;
  return rule.startsWith("=") ? question.rememberLine(rule.slice(1)) : question.remember(rule);
}

const ANSWERS = new Map<string | undefined, ApprovalAnswer>([
  ["y", { answer: "once" }],
  ["a", { answer: "always", keep: "session" }],
  ["p", { answer: "always", keep: "project" }],
  ["n", { answer: "no" }],
  ["return", { answer: "no" }],
  ["enter", { answer: "no" }],
  ["escape", { answer: "no" }],
]);

function readAnswer(mayKeep: boolean, question: Question): Promise<ApprovalAnswer> {
  const { input, output, messages, signal } = question;
  return new Promise((resolve, reject) => {
    function end(): void {
      release();
      signal.removeEventListener("abort", onAbort);
    }
    function onAbort(): void {
      end();
      output.write("\n");
      reject(signal.reason as Error);
    }
    const release = input.read((event) => {
      if (event.type === "paste") return;
      const key = event.type === "end" ? { ctrl: true, name: "d" } : event.key;
      if (key.ctrl === true && key.name === "c") {
        cancel(question);
        return;
      }
      const answer = answerOf(key);
      if (answer === undefined || (answer.answer === "always" && !mayKeep)) return;
      output.write(`${answerText(answer, messages)}\n`);
      // The reader of the reason begins at once: what follows in the same chunk is meant for it.
      resolve(key.name === "n" ? readReason(question) : answer);
      end();
    });
    signal.addEventListener("abort", onAbort);
  });
}

function answerOf(key: Key): ApprovalAnswer | undefined {
  if (key.ctrl === true && key.name === "d") return { answer: "no" };
  return key.ctrl === true || key.meta === true ? undefined : ANSWERS.get(key.name);
}

async function readReason(question: Question): Promise<ApprovalAnswer> {
  const { input, output, messages, signal } = question;
  const prompt = `  ${messages.question.reason} `;
  const message = await readMessage({ input, output, prompt, continuation: "  " }, signal);
  if (message.type === "interrupt") {
    cancel(question);
    signal.throwIfAborted();
  }
  const reason = message.type === "text" ? message.text.trim() : "";
  return reason === "" ? { answer: "no" } : { answer: "no", reason };
}

function cancel({ onCancel }: Question): void {
  if (onCancel === undefined) process.kill(process.pid, "SIGINT");
  else onCancel();
}

function answerText(answer: ApprovalAnswer, { question: { answered } }: Messages): string {
  if (answer.answer === "always") return answered[answer.keep];
  return answered[answer.answer];
}
