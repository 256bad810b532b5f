import type { AgentEvent, TurnEnd } from "../../agent/agent-events.js";
import { printable } from "../../printable.js";
import type { Found } from "../../tools/tool.js";
import type { Messages } from "../messages/catalogue.js";
import { isWhole } from "./found-lines.js";
import { oneLine } from "./one-line.js";
import { fit, widthOf } from "./terminal.js";
import type { Colours } from "./terminal.js";
import type { TurnLog } from "./turn-log.js";

type ToolEnd = Extract<AgentEvent, { type: "tool-end" }>;

/** Tools whose success is a change, if there was anything to change. */
const CHANGING = ["edit_file", "write_file"];
/** Shorter calls show no duration, in milliseconds. */
const NOTABLE_DURATION = 1000;

/**
 * One line of less than `columns` cells, e.g. "✗ read a.ts  failed: no such file". `more` is told besides how the call
 * ended.
 */
export function callLine(
  event: ToolEnd,
  log: TurnLog,
  messages: Messages,
  colours: Colours,
  columns: number,
  ...more: readonly string[]
): string {
  const { glyphs } = messages;
  const { symbol, outcome } = endOfCall(event, log, messages, colours);
  const time =
    event.status !== "ok" || event.durationMs < NOTABLE_DURATION ? "" : messages.duration(event.durationMs);
  const detail = [outcome, foundWords(event.found, messages), ...more, time]
    .filter((words) => words !== "")
    .join(` ${glyphs.separator} `);
  const { label, change } = log.call(event.id);
  const [added, removed] = [`+${change?.added ?? 0}`, `${glyphs.minus}${change?.removed ?? 0}`];
  const counts = change === undefined ? "" : ` ${colours.green(added)} ${colours.red(removed)}`;
  // What has no room shares it: how the call ended is cut only beyond half of the line.
  const room = columns - 3 - (change === undefined ? 0 : added.length + removed.length + 2);
  const half = Math.floor(room / 2);
  const shown = fit(label, Math.max(room - (detail === "" ? 0 : widthOf(detail) + 2), half), glyphs.ellipsis);
  const rest = detail === "" ? "" : fit(detail, Math.max(1, room - widthOf(shown) - 2), glyphs.ellipsis);
  return `${symbol} ${shown}${counts}${rest === "" ? "" : `  ${colours.dim(rest)}`}`;
}

/** How a call ended, e.g. "✗" and "failed: no such file"; the symbol takes one cell. */
function endOfCall(
  event: ToolEnd,
  log: TurnLog,
  messages: Messages,
  colours: Colours,
): { symbol: string; outcome: string } {
  const { glyphs } = messages;
  switch (event.status) {
    case "ok": {
      const { exitCode = 0 } = event;
      const isIdle = CHANGING.includes(event.tool) && event.diff === undefined;
      return exitCode === 0
        ? { symbol: colours.green(glyphs.succeeded), outcome: isIdle ? messages.tools.noChange : "" }
        : { symbol: colours.yellow(glyphs.failed), outcome: messages.tool.exitCode(exitCode) };
    }
    case "error":
      return {
        symbol: colours.red(glyphs.failed),
        outcome: messages.tool.failed(firstLine(event.output, messages)),
      };
    case "denied": {
      const { permission } = log.call(event.id);
      const outcome =
        permission?.by === "user"
          ? messages.tool.declined
          : messages.tool.denied(oneLine(permission?.because ?? event.output, messages));
      return { symbol: colours.yellow(glyphs.failed), outcome };
    }
    case "cancelled":
      return { symbol: colours.yellow(glyphs.failed), outcome: messages.tool.cancelled };
    case "unknown":
      return { symbol: colours.yellow("?"), outcome: messages.tool.unknown };
  }
}

function foundWords(found: Found | undefined, { tools }: Messages): string {
  if (found === undefined) return "";
  const { lines, matches, files = 0, atLeast } = found;
  if (lines) return isWhole(lines) ? tools.lines(lines.total) : tools.ofLines(lines.total);
  const words = matches === undefined ? tools.files(files) : tools.hits(matches, files);
  return atLeast ? tools.atLeast(words) : words;
}

function firstLine(text: string, messages: Messages): string {
  return oneLine(printable(text).trim().split("\n")[0] ?? "", messages);
}

/** What went wrong in a turn, and the next step. */
export function errorLines(
  error: NonNullable<TurnEnd["error"]>,
  messages: Messages,
  colours: Colours,
): string[] {
  const told = (text: string) => printable(messages.translate.text(text));
  const hint = error.hint === undefined ? [] : [`  ${told(error.hint)}`];
  return [messages.joining.labelled(colours.red(messages.notice.error), told(error.message)), ...hint];
}

export function noticeLine(
  notice: Extract<AgentEvent, { type: "notice" }>,
  messages: Messages,
  colours: Colours,
): string {
  const text = printable(messages.translate.text(notice.text));
  return notice.level === "warning"
    ? messages.joining.labelled(colours.yellow(messages.notice.warning), text)
    : colours.dim(text);
}
