import type { AgentEvent, TurnEnd } from "../../agent/agent-events.js";
import { printable } from "../../printable.js";
import type { Messages } from "../messages/catalogue.js";
import type { Colours } from "./terminal.js";
import { oneLine } from "./turn-log.js";
import type { TurnLog } from "./turn-log.js";

type ToolEnd = Extract<AgentEvent, { type: "tool-end" }>;

/** Shorter calls show no duration, in milliseconds. */
const NOTABLE_DURATION = 1000;

/** How a call ended, e.g. "✗ failed: no such file". */
export function endOfCall(event: ToolEnd, log: TurnLog, messages: Messages, colours: Colours) {
  const time = event.durationMs < NOTABLE_DURATION ? "" : messages.duration(event.durationMs);
  switch (event.status) {
    case "ok": {
      const { exitCode = 0 } = event;
      const failed = exitCode === 0 ? [] : [messages.tool.exitCode(exitCode)];
      const symbol = exitCode === 0 ? colours.green("✓") : colours.yellow("✓");
      return { symbol, detail: [...failed, ...(time === "" ? [] : [time])].join(" · ") };
    }
    case "error":
      return { symbol: colours.red("✗"), detail: messages.tool.failed(firstLine(event.output)) };
    case "denied": {
      const because = log.call(event.id).permission?.because ?? event.output;
      return { symbol: colours.yellow("✗"), detail: messages.tool.denied(oneLine(because)) };
    }
    case "cancelled":
      return { symbol: colours.yellow("✗"), detail: messages.tool.cancelled };
    case "unknown":
      return { symbol: colours.yellow("?"), detail: messages.tool.unknown };
  }
}

function firstLine(text: string): string {
  return oneLine(printable(text).trim().split("\n")[0] ?? "");
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
