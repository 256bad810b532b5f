import { printable } from "../../printable.js";
import type { ShownChange } from "../../undo/change-diff.js";
import type { UndoAction } from "../../undo/undo.js";
import type { Messages } from "../messages/catalogue.js";
import { diffRows } from "../render/diff.js";
import { fit } from "../render/terminal.js";
import { oneLine } from "../render/one-line.js";
import type { SlashContext } from "./slash-commands.js";

/** Files named one by one, in a question and after an undo. */
const MAX_NAMED = 20;
/** Lines of diffs. */
const MAX_DIFF_LINES = 1_000;
/** Columns of the user's words that name a turn. */
const PROMPT_COLUMNS = 60;

const SYMBOLS: Record<ShownChange["what"], string> = { created: "+", deleted: "-", changed: "~" };

/** `/undo` and `/redo`. */
export async function undoCommand(context: SlashContext, action: UndoAction): Promise<void> {
  const { app, messages, say, confirm, signal } = context;
  const undo = app.undo();
  if (undo === undefined) {
    say(messages.undo.off);
    return;
  }
  const ask: Parameters<typeof undo.restore>[1] = async ({ prompt, newer, lost }) => {
    const lines = [
      ...(newer.length > 0 ? [messages.undo.newer(newer.length), ...named(newer, messages)] : []),
      ...(lost.length > 0 ? [messages.undo.lost(lost.length), ...named(lost, messages)] : []),
    ];
    const question = messages.undo.question[action](words(prompt, messages));
    return (await confirm({ question, answers: messages.undo.answers, lines })) === true;
  };
  const outcome = await undo.restore(action, ask, signal);
  switch (outcome.kind) {
    case "nothing":
      say(messages.undo.nothing[action]);
      break;
    case "gone":
      say(messages.undo.gone(words(outcome.prompt, messages)));
      break;
    case "declined":
      say(messages.undo.unchanged);
      break;
    case "blocked": {
      const reasons = outcome.blocked.map(({ path, because }) =>
        messages.joining.named(path, messages.translate.text(because)),
      );
      say(messages.undo.blocked(words(outcome.prompt, messages)), ...named(reasons, messages));
      break;
    }
    case "done": {
      const { prompt, files, lost, incomplete } = outcome;
      const rows = files.map((file) => rowOf(file, messages));
      say(
        messages.undo.done[action](words(prompt, messages)),
        ...named(rows, messages),
        ...(lost.length > 0 ? [messages.undo.stayed, ...named(lost, messages)] : []),
        ...(incomplete ? [messages.undo.incomplete] : []),
        messages.undo.total[action](files.length),
      );
    }
  }
}

/** `/diff`, of the last turn or of the session. */
export async function diffCommand(context: SlashContext, argument: string): Promise<void> {
  const { app, bottom, messages, colours, say, signal } = context;
  const undo = app.undo();
  const which = argument === "" ? "turn" : argument;
  if (undo === undefined) {
    say(messages.undo.off);
  } else if (which !== "turn" && which !== "session") {
    say(messages.undo.usage);
  } else {
    const shown = await undo.changes(which, signal);
    if (shown === undefined) {
      say(messages.undo.noChanges);
      return;
    }
    const { prompt, turns, changes } = shown;
    const title =
      which === "turn"
        ? messages.undo.changesOfTurn(words(prompt, messages))
        : messages.undo.changesOfSession(turns);
    const look = { colours, messages, safe: printable, columns: bottom.columns - 3 };
    const lines = changes.flatMap((change) => [
      colours.bold(rowOf(change, messages).trimStart()),
      ...(change.diff === undefined ? [] : diffRows(change.diff, look).rows.map((row) => `  ${row}`)),
    ]);
    const hidden = lines.length - MAX_DIFF_LINES;
    say(
      title,
      ...(lines.length === 0 ? [messages.undo.noNetChanges] : lines.slice(0, MAX_DIFF_LINES)),
      ...(hidden > 0 ? [colours.dim(messages.tool.moreLines(hidden))] : []),
    );
  }
}

/** A change on one line: what happened, to which path, and what is special about it. */
function rowOf({ path, what, kind, modes, unshown }: ShownChange, messages: Messages): string {
  const { undo, joining } = messages;
  const special = [
    undo.kind[kind],
    modes === undefined ? "" : undo.mode(octal(modes[0]), octal(modes[1])),
    unshown === undefined ? "" : undo.unshown[unshown],
  ].filter((text) => text !== "");
  const more = special.length === 0 ? "" : ` ${joining.bracketed(joining.list(special))}`;
  return `  ${SYMBOLS[what]} ${oneLine(path, messages)}${more}`;
}

function octal(mode: number): string {
  return mode.toString(8).padStart(4, "0");
}

/** Some of them, and how many more there are. */
function named(texts: readonly string[], messages: Messages): string[] {
  const hidden = texts.length - MAX_NAMED;
  return [
    ...texts.slice(0, MAX_NAMED).map((text) => `  ${oneLine(text, messages)}`),
    ...(hidden > 0 ? [`  ${messages.tool.moreLines(hidden)}`] : []),
  ];
}

function words(prompt: string, messages: Messages): string {
  return fit(oneLine(prompt, messages), PROMPT_COLUMNS, messages.glyphs.ellipsis);
}
