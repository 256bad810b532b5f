import type { Steering } from "../../agent/steering.js";
import type { Bottom } from "../bottom/bottom.js";
import type { Draft, Pasted, Unit } from "../editor/draft.js";
import { textOf } from "../editor/draft.js";
import { createEditor } from "../editor/editor.js";
import type { EditorOptions } from "../editor/editor.js";
import type { EditorLook } from "../editor/editor-view.js";
import { draftWidth, editorArea } from "../editor/editor-view.js";
import { foldedLabel, shownText } from "./folded-label.js";
import type { TerminalEvent } from "../keyboard/key-events.js";
import type { Messages } from "../messages/catalogue.js";
import type { Colours } from "../render/terminal.js";
import { fit, widthOf, wrap } from "../render/terminal.js";
import { oneLine } from "../render/one-line.js";

/** A message as it was sent. */
export interface SentMessage {
  units: readonly Unit[];
  /** Unfolded, without blanks at its ends. */
  text: string;
}

/** The editor at the bottom, and the messages that wait to be sent. */
export interface PromptBox {
  /** Gets what is typed. */
  onEvent(event: TerminalEvent): void;
  /** The next message, as soon as there is one; undefined at the end. */
  next(): Promise<SentMessage | undefined>;
  /** No more messages come. */
  end(): void;
  /** All messages that wait, up to the first that is for this program and not for the model. */
  takePrompts(): SentMessage[];
  hasPrompt: Steering["isWaiting"];
  /** What waits becomes a part of the draft again. */
  recallAll(): void;
  /** While something is at work, messages wait. */
  setBusy(busy: boolean): void;
  readonly draft: Draft;
  exchange(text: string): void;
  /** Puts units before the draft. */
  prepend(units: readonly Unit[]): void;
  /** Shows the editor, or takes it away while the keyboard belongs to something else. */
  show(shown: boolean): void;
  /** What the completion or the status knows has changed. */
  refresh(): void;
}

export interface PromptBoxOptions extends Pick<EditorOptions, "history" | "complete"> {
  bottom: Bottom;
  messages: Messages;
  colours: Colours;
  /** The line above the editor, for a row of so many cells; empty for none. Not drawn where nothing may move. */
  status: (columns: number) => string;
  /** Whether a message is for this program. */
  isCommand: (text: string) => boolean;
  /** A message was sent. */
  onSubmit: (units: readonly Unit[]) => void;
  on: Record<"escape" | "suspend" | "external" | "end", () => void> & {
    /** Ctrl-C; whether it threw a draft away. */
    interrupt: (hadText: boolean) => void;
  };
}

/** Messages that wait, as many as are shown. */
const MOST_WAITING_SHOWN = 3;

export function createPromptBox(options: PromptBoxOptions): PromptBox {
  const { bottom, messages, colours, isCommand } = options;
  const waiting: SentMessage[] = [];
  let busy = false;
  let ended = false;
  let shown = false;
  let wake = (): void => undefined;

  const label = (folded: Pasted) => foldedLabel(folded, messages);
  const editor = createEditor({
    history: options.history,
    complete: options.complete,
    takeBack: () => waiting.pop()?.units,
    label,
  });
  const look: EditorLook = {
    prompt: `${messages.glyphs.prompt} `,
    label,
    glyphs: messages.glyphs,
    search: messages.input.search,
    styles: { prompt: colours.cyan, dim: colours.dim, selected: colours.cyan.bold, folded: colours.cyan },
  };
  // A terminal that cannot be drawn over breaks rows by itself.
  const columns = () => (bottom.isPlain ? Number.MAX_SAFE_INTEGER : bottom.columns);

  function waitingRows(): string[] {
    const hidden = waiting.length - MOST_WAITING_SHOWN;
    const { waiting: title, takeBack, moreWaiting } = messages.input;
    const { ellipsis } = messages.glyphs;
    const rows = waiting.slice(-MOST_WAITING_SHOWN).map(({ text }, index, all) => {
      const hint = index === all.length - 1 ? `  (${takeBack})` : "";
      const room = bottom.columns - 2 - widthOf(hint);
      return fit(`  ${title} ${oneLine(text, messages)}`, room, ellipsis) + hint;
    });
    const more = hidden > 0 ? [fit(`  ${moreWaiting(hidden)}`, bottom.columns - 2, ellipsis)] : [];
    return [...more, ...rows].map((row) => colours.dim(row));
  }

  function draw(): void {
    if (!shown) return;
    // There, a prompt would stand between the lines of the output.
    if (bottom.isPlain && busy && editor.state.draft.units.length === 0) return;
    const { draft, menu, search } = editor.state;
    const state = bottom.isPlain ? { draft, menu: undefined, search } : editor.state;
    const { rows, cursor } = editorArea(state, columns(), Math.max(3, Math.floor(bottom.rows / 2)), look);
    if (bottom.isPlain) {
      bottom.setFoot({ rows, cursor });
      return;
    }
    const isEmpty = draft.units.length === 0 && !menu && !search;
    const hint = busy && isEmpty ? [`${rows[0] ?? ""}${colours.dim(messages.input.busy)}`] : rows;
    const above = [...waitingRows(), options.status(bottom.columns - 1)].filter((row) => row !== "");
    const column = cursor.column;
    bottom.setFoot({ rows: [...above, ...hint], cursor: { row: above.length + cursor.row, column } }, draw);
  }

  function submit(units: readonly Unit[]): void {
    const text = textOf(units).trim();
    if (text === "") return;
    const message = { units, text };
    if (bottom.isPlain) bottom.leaveFoot(...sentLines(message, messages, colours));
    options.onSubmit(units);
    waiting.push(message);
    wake();
  }

  function end(): void {
    ended = true;
    wake();
  }

  function onEvent(event: TerminalEvent): void {
    if (event.type === "end") {
      end();
      options.on.end();
      return;
    }
    const result = editor.press(event, draftWidth(columns(), look.prompt));
    // What was sent is taken at once where nothing is at work, and then drawn.
    if (result.type !== "submit") draw();
    switch (result.type) {
      case "edited":
        break;
      case "submit":
        submit(result.units);
        if (busy || waiting.length === 0) draw();
        break;
      case "interrupt":
        options.on.interrupt(result.hadText);
        break;
      case "redraw":
        bottom.redraw();
        break;
      case "end":
        // Typed ahead it holds when what is at work has ended.
        if (busy) bottom.print(colours.dim(messages.input.leaves));
        end();
        break;
      case "escape":
      case "suspend":
      case "external":
        options.on[result.type]();
    }
  }

  const hasPrompt = () => waiting[0] !== undefined && !isCommand(waiting[0].text);

  return {
    onEvent,
    end,
    async next() {
      while (waiting.length === 0 && !ended) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return waiting.shift();
    },
    takePrompts() {
      const taken: SentMessage[] = [];
      while (hasPrompt()) taken.push(...waiting.splice(0, 1));
      draw();
      return taken;
    },
    hasPrompt,
    recallAll() {
      for (const { units } of waiting.splice(0).reverse()) editor.prepend(units);
      draw();
    },
    setBusy(nowBusy) {
      busy = nowBusy;
      draw();
    },
    get draft() {
      return editor.state.draft;
    },
    exchange(text) {
      editor.exchange(text);
      draw();
    },
    prepend(units) {
      editor.prepend(units);
      draw();
    },
    show(nowShown) {
      shown = nowShown;
      if (shown) draw();
      else bottom.setFoot(undefined);
    },
    refresh() {
      editor.refreshMenu();
      draw();
    },
  };
}

/** A sent message as it stays in the output, in rows of at most `columns` cells. */
export function sentLines(
  { units }: SentMessage,
  messages: Messages,
  colours: Colours,
  columns = Number.POSITIVE_INFINITY,
): string[] {
  const lines = shownText(units, messages)
    .trim()
    .split("\n")
    .flatMap((line) => wrap(line, columns - 2));
  return lines.map((line, index) =>
    index === 0 ? `${colours.cyan(messages.glyphs.prompt)} ${line}` : `  ${line}`,
  );
}
