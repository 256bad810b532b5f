import type { ApprovalAnswer, ApprovalRequest, Approve } from "../../agent/approval.js";
import { EDITS_RULE } from "../../permissions/access.js";
import type { Bottom } from "../bottom/bottom.js";
import type { Messages } from "../messages/catalogue.js";
import { offendingParts } from "./offending-parts.js";
import { readLine } from "./read-line.js";
import { block, blockColumns, gutterOf } from "../render/block.js";
import { clearText } from "../render/clear-text.js";
import { diffRows, makesFile } from "../render/diff.js";
import { columnsOf, createColours, hang } from "../render/terminal.js";
import type { Colours, TerminalTraits } from "../render/terminal.js";
import { createScrollView } from "./scroll-view.js";
import type { ScrollView } from "./scroll-view.js";
import type { TerminalInput } from "../keyboard/terminal-input.js";

/** Most reasons that are shown. */
const MAX_REASONS = 3;

export interface ApprovalPromptOptions {
  input: TerminalInput;
  bottom: Bottom;
  messages: Messages;
  colourLevel: TerminalTraits["colourLevel"];
  /** Tells a user who looks elsewhere that a question came up. */
  notify: () => void;
  /** Ctrl-C at a question: cancels the turn. Left out, the process gets SIGINT, as outside a question. */
  onCancel?: () => void;
  /** A question comes up, or is over. */
  onQuestion?: (stands: boolean) => void;
}

/** Asks on a terminal, one question at a time; one key answers. What was typed before a question does not count. */
export function createApprovalPrompt(options: ApprovalPromptOptions): Approve {
  let last: Promise<unknown> = Promise.resolve();
  /** Of the questions that came up together. */
  let [asked, together] = [0, 0];
  return (request, signal) => {
    together++;
    const answer = last.then(() =>
      ask(request, { ...options, number: ++asked, outOf: () => together, signal }),
    );
    // A question that was cancelled must not hinder the next; its failure reaches the one who asked.
    const over = answer
      .catch(() => undefined)
      .then(() => {
        if (asked === together) [asked, together] = [0, 0];
      });
    last = over;
    return answer;
  };
}

interface Question extends ApprovalPromptOptions {
  number: number;
  /** How many came up together with it. */
  outOf: () => number;
  signal: AbortSignal;
}

async function ask(request: ApprovalRequest, question: Question): Promise<ApprovalAnswer> {
  const { input, bottom, onQuestion, signal } = question;
  bottom.progress.pause();
  try {
    await input.settle();
    signal.throwIfAborted();
    onQuestion?.(true);
    const colours = createColours(question.colourLevel);
    const subject = questionLines(request, question, colours);
    bottom.print(...subject, ...answerLines(request, question, colours));
    question.notify();
    const view = createScrollView(subject.slice(1), { ...question, colours });
    return await readAnswer(request.verdict.rememberAs.length > 0, { ...question, view, colours });
  } finally {
    onQuestion?.(false);
    bottom.progress.resume();
  }
}

/** What would happen: the tool, and the command, the path or the change in full. */
function questionLines(request: ApprovalRequest, question: Question, colours: Colours): string[] {
  const { tool, subject, verdict, diff, warning } = request;
  const { run, edit, create, use, numbered } = question.messages.question;
  const { translate } = question.messages;
  const clear = clearText(question.messages, colours);
  const { bottom, messages } = question;
  const page = { output: bottom, messages };
  const look = { colours, messages, safe: clear, columns: blockColumns(bottom) };
  const name = clear(subject.replaceAll("\n", " "));
  const named = ` ${colours.dim(clear(tool))}`;
  const title =
    tool === "run_command"
      ? colours.yellow.bold(run) + named
      : diff === undefined
        ? colours.yellow.bold(use(clear(tool), name))
        : colours.yellow.bold(makesFile(diff) ? create(name) : edit(name)) + named;
  const outOf = question.outOf();
  const more = outOf > 1 ? ` ${colours.dim(numbered(question.number, outOf))}` : "";
  const real = verdict.path?.inside === false ? [clear(verdict.path.real)] : [];
  const content =
    tool === "run_command"
      ? offendingParts(subject, verdict)
          .map(({ text, marked }) => (marked ? colours.yellow(clear(text)) : clear(text)))
          .join("")
          .split("\n")
      : [...real, ...(diff === undefined ? [] : diffRows(diff, look).rows)];
  const remarkable =
    warning === undefined ? [] : [colours.yellow(clear(translate.text(warning).replaceAll("\n", " ")))];
  return [
    "",
    ...block([title + more], "", page),
    ...block(remarkable, "  ", page),
    ...block(content, gutterOf(question.messages), page),
  ];
}

/** Why it is asked, what may be answered, and what each answer keeps. */
function answerLines(
  { verdict, confinement }: ApprovalRequest,
  question: Question,
  colours: Colours,
): string[] {
  const { translate } = question.messages;
  const { because, cannotRemember, rememberEdits, once, session, project, no } = question.messages.question;
  const clearLine = clearText(question.messages, colours);
  const clear = (text: string) => clearLine(text.replaceAll("\n", " "));
  const page = { output: question.bottom, messages: question.messages };
  /** What is ours alone needs no mark. */
  const own = (text: string) => hang(`  ${text}`, columnsOf(question.bottom));
  const rules = verdict.rememberAs.flatMap((rule) =>
    rule === EDITS_RULE ? own(rememberEdits) : block([ruleText(clear(rule), question.messages)], "  ", page),
  );
  const reasons = verdict.because.slice(0, MAX_REASONS).map((reason) => `- ${clear(translate.text(reason))}`);
  return [
    `  ${colours.dim(because)}`,
    ...block(reasons, "  ", page),
    ...(confinement === undefined
      ? []
      : block([colours.dim(clear(translate.text(confinement)))], "  ", page)),
    ...(rules.length > 0 ? rules : own(cannotRemember)),
    ...own(
      [once, ...(rules.length > 0 ? [session, project] : []), no].join(
        ` ${question.messages.glyphs.separator} `,
      ),
    ),
  ];
}

/** A rule that begins with "=" covers one line; any other, what begins with its words. */
function ruleText(rule: string, { question }: Messages): string {
  return rule.startsWith("=") ? question.rememberLine(rule.slice(1)) : question.remember(rule);
}

const ANSWERS = new Map<string, ApprovalAnswer>([
  ["y", { answer: "once" }],
  ["a", { answer: "always", keep: "session" }],
  ["p", { answer: "always", keep: "project" }],
  ["n", { answer: "no" }],
  ["enter", { answer: "no" }],
  ["ctrl-j", { answer: "no" }],
  ["escape", { answer: "no" }],
]);

function readAnswer(
  mayKeep: boolean,
  question: Question & { view: ScrollView; colours: Colours },
): Promise<ApprovalAnswer> {
  const { input, bottom, messages, signal, view } = question;
  const line = `  ${messages.question.default} `;
  function draw(): void {
    const above = view.rows();
    bottom.setFoot({ rows: [...above, line], cursor: { row: above.length, column: line.length } }, draw);
  }
  return new Promise((resolve, reject) => {
    function end(): void {
      release();
      signal.removeEventListener("abort", onAbort);
    }
    function onAbort(): void {
      end();
      bottom.leaveFoot(line);
      reject(signal.reason as Error);
    }
    const release = input.read((event) => {
      if (event.type === "paste") return;
      const key = event.type === "end" ? "ctrl-d" : event.key;
      if (key === "ctrl-c") {
        cancel(question);
        return;
      }
      if (view.press(key)) {
        draw();
        return;
      }
      const answer = key === "ctrl-d" ? { answer: "no" as const } : ANSWERS.get(key.toLowerCase());
      if (answer === undefined || (answer.answer === "always" && !mayKeep)) return;
      end();
      bottom.leaveFoot(`${line}${answerText(answer, messages)}`);
      // The reader of the reason begins at once: what follows in the same chunk is meant for it.
      resolve(key.toLowerCase() === "n" ? readReason(question) : answer);
    });
    signal.addEventListener("abort", onAbort);
    draw();
  });
}

async function readReason(question: Question & { colours: Colours }): Promise<ApprovalAnswer> {
  const { messages, signal } = question;
  const reason = await readLine({ ...question, prompt: `  ${messages.question.reason} ` }, signal);
  if (reason === undefined) {
    cancel(question);
    signal.throwIfAborted();
  }
  return reason ? { answer: "no", reason } : { answer: "no" };
}

function cancel({ onCancel }: Question): void {
  if (onCancel === undefined) process.kill(process.pid, "SIGINT");
  else onCancel();
}

function answerText(answer: ApprovalAnswer, { question: { answered } }: Messages): string {
  if (answer.answer === "always") return answered[answer.keep];
  return answered[answer.answer];
}
