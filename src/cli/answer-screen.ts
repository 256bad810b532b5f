import { fstatSync } from "node:fs";
import type { Bottom } from "./bottom/bottom.js";
import { openBottom } from "./bottom/open-bottom.js";
import { createLazyHighlighter } from "./markdown/highlighter.js";
import type { Messages } from "./messages/catalogue.js";
import type { AnswerView } from "./render/answer-view.js";
import type { TerminalTraits } from "./render/terminal.js";
import { traitsOf } from "./traits-of.js";

/** A terminal on which the answer of one turn is shown as it comes. */
export interface AnswerScreen {
  bottom: Bottom;
  /** Of standard output. */
  traits: TerminalTraits;
  /** Whether what is told on standard error stands on the same terminal: one writer must know of all lines. */
  isShared: boolean;
  createView: (onBegin: () => void) => AnswerView;
}

/** The terminal that standard output is; undefined if it is none. What Markdown needs is loaded only for a terminal. */
export async function openAnswerScreen(
  options: { color?: boolean; plain?: boolean; ascii?: boolean },
  messages: Messages,
): Promise<AnswerScreen | undefined> {
  const { stdout, stderr } = process;
  if (!stdout.isTTY) return undefined;
  const traits = traitsOf(stdout, options);
  const { createMarkdownView } = await import("./render/markdown-view.js");
  const highlighter = createLazyHighlighter();
  const bottom = openBottom(stdout, traits, messages);
  return {
    bottom,
    traits,
    isShared: stderr.isTTY && fstatSync(stdout.fd).rdev === fstatSync(stderr.fd).rdev,
    createView: (onBegin) => createMarkdownView({ bottom, traits, highlighter, onBegin }),
  };
}
