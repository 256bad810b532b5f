import type { Bottom } from "../bottom/bottom.js";
import { menuRows } from "../editor/editor-view.js";
import { fuzzyCandidate, fuzzyMatches } from "../editor/fuzzy-match.js";
import type { Messages } from "../messages/catalogue.js";
import { readLine } from "./read-line.js";
import { widthOf } from "../render/terminal.js";
import type { Colours } from "../render/terminal.js";
import type { TerminalInput } from "../keyboard/terminal-input.js";

interface PickItem {
  label: string;
  detail?: string;
}

export interface PickOptions {
  input: TerminalInput;
  bottom: Bottom;
  messages: Messages;
  colours: Colours;
  signal: AbortSignal;
  /** The keyboard belongs to the list, or does no longer. */
  onQuestion: (stands: boolean) => void;
}

export interface PickQuestion {
  title: string;
  items: readonly PickItem[];
  /** The one that is selected first. */
  selected?: number;
}

/**
 * Lets the user choose from a list: arrows and Enter, and characters that narrow it. Where nothing may move, by its
 * number. Resolves to the index of the item, undefined if none was chosen.
 */
export async function pick(question: PickQuestion, options: PickOptions): Promise<number | undefined> {
  const { input, bottom, onQuestion } = options;
  await input.settle();
  onQuestion(true);
  try {
    return await (bottom.isPlain ? pickByNumber(question, options) : pickByKeys(question, options));
  } finally {
    bottom.setFoot(undefined);
    onQuestion(false);
  }
}

async function pickByNumber(
  { title, items }: PickQuestion,
  options: PickOptions,
): Promise<number | undefined> {
  const rows = items.map(({ label, detail = "" }, index) => `${index + 1}. ${label}  ${detail}`.trimEnd());
  options.bottom.print(title, ...rows);
  const answer = await readLine(
    { ...options, prompt: `1${options.messages.glyphs.range}${items.length}: ` },
    options.signal,
  );
  const number = Number(answer);
  return Number.isInteger(number) && items[number - 1] ? number - 1 : undefined;
}

function pickByKeys(
  { title, items, selected = 0 }: PickQuestion,
  { input, bottom, messages, colours, signal }: PickOptions,
): Promise<number | undefined> {
  const candidates = items.map(({ label }) => fuzzyCandidate(label));
  const styles = {
    prompt: colours.cyan,
    dim: colours.dim,
    selected: colours.cyan.bold,
    folded: colours.cyan,
  };
  let filter = "";
  let shown = [...items.keys()];
  let at = selected;

  function draw(): void {
    const menu = {
      items: shown.map((index) => ({ text: "", ...items[index], label: items[index]?.label ?? "" })),
      selected: at,
    };
    const head = `${title} ${filter}`;
    bottom.setFoot(
      {
        rows: [
          head,
          ...menuRows(menu, bottom.columns, { styles, glyphs: messages.glyphs }),
          colours.dim(messages.input.pick),
        ],
        cursor: { row: 0, column: widthOf(head) },
      },
      draw,
    );
  }

  function narrow(text: string): void {
    filter = text;
    const found = new Set(fuzzyMatches(filter, candidates, candidates.length));
    shown = candidates.flatMap((candidate, index) => (found.has(candidate) ? [index] : []));
    at = 0;
  }

  return new Promise((resolve) => {
    function end(chosen: number | undefined): void {
      release();
      signal.removeEventListener("abort", onAbort);
      resolve(chosen);
    }
    const onAbort = () => end(undefined);
    const release = input.read((event) => {
      if (event.type === "paste") return;
      if (event.type === "end") {
        end(undefined);
        return;
      }
      const { key, text } = event;
      const count = Math.max(1, shown.length);
      if (key === "enter" || key === "ctrl-j") end(shown[at]);
      else if (["escape", "ctrl-c", "ctrl-d"].includes(key)) end(undefined);
      else {
        if (key === "up" || key === "ctrl-p") at = (at - 1 + count) % count;
        else if (key === "down" || key === "ctrl-n") at = (at + 1) % count;
        else if (key === "backspace") narrow(filter.slice(0, -1));
        else if (text !== "") narrow(filter + text);
        draw();
      }
    });
    signal.addEventListener("abort", onAbort);
    draw();
  });
}
