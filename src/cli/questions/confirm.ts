import type { Bottom } from "../bottom/bottom.js";
import type { Messages } from "../messages/catalogue.js";
import { block, blockColumns, gutterOf } from "../render/block.js";
import { clearText } from "../render/clear-text.js";
import { diffRows } from "../render/diff.js";
import type { Colours } from "../render/terminal.js";
import type { TerminalInput } from "../keyboard/terminal-input.js";
import { readYesNo } from "./yes-no.js";

/** A question that one key answers. */
export interface Confirmation {
  question: string;
  /** What each key means, in one line. */
  answers: string;
  /** What it is about, a line each. */
  lines?: readonly string[];
  /** What would change: a file before and after. */
  change?: { path: string; before: string; after: string };
}

export interface ConfirmOptions {
  input: TerminalInput;
  bottom: Bottom;
  messages: Messages;
  colours: Colours;
  signal: AbortSignal;
  /** The keyboard belongs to the question, or does no longer. */
  onQuestion?: (stands: boolean) => void;
}

/** Asks, with the change as a diff. Undefined if neither yes nor no was answered: Ctrl-C, or the signal. */
export async function confirm(
  { question, answers, lines = [], change }: Confirmation,
  { input, bottom, messages, colours, signal, onQuestion }: ConfirmOptions,
): Promise<boolean | undefined> {
  const clear = clearText(messages, colours);
  const page = { output: bottom, messages };
  const look = { colours, messages, safe: clear, columns: blockColumns(bottom) };
  const shown = [
    ...block([colours.yellow.bold(clear(question))], "", page),
    ...block(lines.map(clear), gutterOf(messages), page),
    ...block(change ? diffRows(await patchOf(change), look).rows : [], gutterOf(messages), page),
    `  ${answers}`,
  ];
  await input.settle();
  onQuestion?.(true);
  bottom.print(...shown);
  const line = `  ${messages.question.default} `;
  bottom.setFoot({ rows: [line], cursor: { row: 0, column: line.length } });
  const answer = await readYesNo(input, signal);
  bottom.leaveFoot(`${line}${answer ?? ""}`);
  onQuestion?.(false);
  return answer === undefined ? undefined : answer === "y";
}

async function patchOf({ path, before, after }: NonNullable<Confirmation["change"]>): Promise<string> {
  const { createTwoFilesPatch } = await import("diff");
  return createTwoFilesPatch(path, path, before, after);
}
