import type { AgentEvent, TurnEnd } from "../../agent/agent-events.js";
import { printable } from "../../printable.js";
import type { Messages } from "../messages/catalogue.js";
import { fit, widthOf } from "./terminal.js";
import type { Colours } from "./terminal.js";
import { oneLine } from "./turn-log.js";
import type { TurnLog } from "./turn-log.js";

type ToolEnd = Extract<AgentEvent, { type: "tool-end" }>;

/** Shorter calls show no duration, in milliseconds. */
const NOTABLE_DURATION = 1000;

/** One line of at most `columns` cells, e.g. "✗ read_file a.ts  failed: no such file". */
export function callLine(
  event: ToolEnd,
  log: TurnLog,
  messages: Messages,
  colours: Colours,
  columns: number,
): string {
  const { symbol, detail } = endOfCall(event, log, messages, colours);
  // What has no room shares it: how the call ended is cut only beyond half of the line.
  const room = columns - 3;
  const { ellipsis } = messages.glyphs;
  const half = Math.floor(room / 2);
  const label = fit(log.call(event.id).label, Math.max(room - widthOf(detail) - 2, half), ellipsis);
  const rest = fit(detail, room - widthOf(label) - 2, ellipsis);
  return `${symbol} ${label}${rest === "" ? "" : `  ${colours.dim(rest)}`}`;
}

/** How a call ended, e.g. "✗ failed: no such file". */
export function endOfCall(event: ToolEnd, log: TurnLog, messages: Messages, colours: Colours) {
  const { glyphs } = messages;
  const time = event.durationMs < NOTABLE_DURATION ? "" : messages.duration(event.durationMs);
  switch (event.status) {
    case "ok": {
      const { exitCode = 0 } = event;
      const failed = exitCode === 0 ? [] : [messages.tool.exitCode(exitCode)];
      const symbol = exitCode === 0 ? colours.green(glyphs.succeeded) : colours.yellow(glyphs.failed);
      return { symbol, detail: [...failed, ...(time === "" ? [] : [time])].join(` ${glyphs.separator} `) };
    }
    case "error":
      return {
        symbol: colours.red(glyphs.failed),
        detail: messages.tool.failed(firstLine(event.output, messages)),
      };
    case "denied": {
      const { permission } = log.call(event.id);
      const detail =
        permission?.by === "user"
          ? messages.tool.declined
          : messages.tool.denied(oneLine(permission?.because ?? event.output, messages));
      return { symbol: colours.yellow(glyphs.failed), detail };
    }
    case "cancelled":
      return { symbol: colours.yellow(glyphs.failed), detail: messages.tool.cancelled };
    case "unknown":
      return { symbol: colours.yellow("?"), detail: messages.tool.unknown };
  }
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
  const hint = error.hint === undefined ? [] : [`  ${printable(error.hint)}`];
  return [`${colours.red(messages.notice.error)} ${printable(error.message)}`, ...hint];
}

export function noticeLine(
  notice: Extract<AgentEvent, { type: "notice" }>,
  messages: Messages,
  colours: Colours,
): string {
  const text = printable(notice.text);
  return notice.level === "warning"
    ? `${colours.yellow(messages.notice.warning)} ${text}`
    : colours.dim(text);
}
