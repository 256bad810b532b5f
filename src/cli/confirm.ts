import { visible } from "../printable.js";
import type { Messages } from "./messages/catalogue.js";
import { block, GUTTER } from "./render/block.js";
import { diffLines } from "./render/diff.js";
import type { Colours, OutputStream } from "./render/terminal.js";
import { createLineWriter } from "./render/terminal.js";
import type { TerminalInput } from "./terminal-input.js";
import { readYesNo } from "./yes-no.js";

/** A question that one key answers. */
export interface Confirmation {
  question: string;
  /** What each key means, in one line. */
  answers: string;
  /** What would change: a file before and after. */
  change?: { path: string; before: string; after: string };
}

export interface ConfirmOptions {
  input: TerminalInput;
  output: OutputStream;
  messages: Messages;
  colours: Colours;
  signal: AbortSignal;
}

/** Asks, with the change as a diff. Undefined if neither yes nor no was answered: Ctrl-C, or the signal. */
export async function confirm(
  { question, answers, change }: Confirmation,
  { input, output, messages, colours, signal }: ConfirmOptions,
): Promise<boolean | undefined> {
  const clear = (text: string) => visible(text, (notation) => colours.inverse(notation));
  await input.settle();
  createLineWriter(output).lines(
    ...block([colours.yellow.bold(clear(question))], "", output),
    ...block(change ? diffLines(await patchOf(change), colours, clear) : [], GUTTER, output),
    `  ${answers}`,
  );
  output.write(`  ${messages.question.default} `);
  const answer = await readYesNo(input, signal);
  output.write(`${answer ?? ""}\n`);
  return answer === undefined ? undefined : answer === "y";
}

async function patchOf({ path, before, after }: NonNullable<Confirmation["change"]>): Promise<string> {
  const { createTwoFilesPatch } = await import("diff");
  return createTwoFilesPatch(path, path, before, after);
}
