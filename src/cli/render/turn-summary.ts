import type { TurnEnd } from "../../agent/agent-events.js";
import type { Messages } from "../messages/catalogue.js";
import { commandLine, hasFailed } from "./command-lines.js";
import type { ChangeCount } from "./diff.js";
import { oneLine } from "./one-line.js";
import { fit, widthOf } from "./terminal.js";
import type { TurnLog } from "./turn-log.js";

type CommandRun = TurnEnd["commands"][number];

/** Most commands that are named one a line. */
const MAX_LISTED = 10;
/** Most files, or commands that failed, that are named on one line. */
const MAX_NAMED = 3;
/** Cells of a command among others, and of what stands behind it. */
const MOST_CELLS = 48;
const LEAST_CELLS = 14;
const END_CELLS = 20;
/** Fewer tell nothing of how fast they come. */
const MEASURABLE_TOKENS = 10;
/** Changing them needs no test. */
const PROSE = /\.(?:md|markdown|txt|rst|adoc)$/i;

/** What a turn has done, for a terminal: the files on one line, the commands on another. */
export function workLines(end: TurnEnd, log: TurnLog, messages: Messages, columns: number): string[] {
  const { glyphs, summary } = messages;
  const files = filesText(end, log, messages, MAX_NAMED);
  const since = isUnverified(end, log) ? summary.nothingRunSince : "";
  const together = [files, since].filter((text) => text !== "").join(` ${glyphs.separator} `);
  const lines = [
    ...(widthOf(together) < columns ? [together] : [files, since]),
    commandsText(end, messages, columns),
  ];
  return lines.filter((line) => line !== "").map((line) => fit(line, columns - 1, glyphs.ellipsis));
}

/** The same in full, a command a line: for a pipe or a file. */
export function workList(end: TurnEnd, log: TurnLog, messages: Messages): string[] {
  const hidden = end.commands.length - MAX_LISTED;
  const files = filesText(end, log, messages, Number.POSITIVE_INFINITY);
  return [
    ...(files === "" ? [] : [files]),
    ...end.commands
      .slice(0, MAX_LISTED)
      .map((run) => commandLine({ ...run, command: oneLine(run.command, messages) }, messages)),
    ...(hidden > 0 ? [messages.summary.moreCommands(hidden)] : []),
    ...(isUnverified(end, log) ? [messages.summary.nothingRunSince] : []),
  ];
}

/**
 * What a turn took: tokens, how fast they came, and time; where there is no room, without what matters least. Empty if
 * the model said nothing.
 */
export function figuresLine(end: TurnEnd, log: TurnLog, messages: Messages, columns: number): string {
  if (end.usage.promptTokens === 0) return "";
  const { promptTokens, cachedTokens, outputTokens, outputMs } = log.figures();
  const isMeasured = outputMs > 0 && outputTokens >= MEASURABLE_TOKENS;
  const isCounted = cachedTokens !== undefined && promptTokens > 0;
  const figures = {
    promptTokens: end.usage.promptTokens,
    outputTokens: end.usage.outputTokens,
    cachedPercent: isCounted
      ? Math.round((100 * Math.min(cachedTokens, promptTokens)) / promptTokens)
      : undefined,
    tokensPerSecond: isMeasured ? (1000 * outputTokens) / outputMs : undefined,
    milliseconds: log.elapsed(),
  };
  const lines = [
    figures,
    { ...figures, tokensPerSecond: undefined },
    { ...figures, tokensPerSecond: undefined, cachedPercent: undefined },
  ].map((shown) => messages.summary.turn(shown));
  return (
    lines.find((line) => widthOf(line) < columns) ??
    fit(lines.at(-1) ?? "", columns - 1, messages.glyphs.ellipsis)
  );
}

function filesText(end: TurnEnd, log: TurnLog, messages: Messages, most: number): string {
  const { changedFiles } = end;
  if (changedFiles.length === 0) return "";
  const named = changedFiles.slice(0, most).map((path) => {
    const change = log.changeOf(path);
    return change === undefined
      ? oneLine(path, messages)
      : `${oneLine(path, messages)} ${changeText(change, messages)}`;
  });
  const hidden = changedFiles.length - named.length;
  return messages.summary.changed(
    [...named, ...(hidden > 0 ? [messages.summary.moreFiles(hidden)] : [])],
    changedFiles.length,
  );
}

/** Each by name with its exit code if they all fit, else how many there were, and those that failed. */
function commandsText(end: TurnEnd, messages: Messages, columns: number): string {
  const { summary, glyphs } = messages;
  const separator = ` ${glyphs.separator} `;
  const background = end.commands.filter((run) => run.background !== undefined);
  const ended = end.commands.filter((run) => run.background === undefined);
  const running = background.map((run) =>
    commandLine(
      { ...run, command: fit(oneLine(run.command, messages), MOST_CELLS, glyphs.ellipsis) },
      messages,
    ),
  );
  if (ended.length === 0) return running.join(separator);
  const text = (cells: number) => (run: CommandRun) =>
    summary.commandEnd(fit(oneLine(run.command, messages), cells, glyphs.ellipsis), run.exitCode);
  const named = (cells: number) => [summary.ranAll(ended.map(text(cells))), ...running].join(separator);
  const share = Math.min(MOST_CELLS, Math.floor(columns / ended.length) - END_CELLS);
  const fitting = [MOST_CELLS, ...(share >= LEAST_CELLS ? [share] : [])]
    .map((cells) => named(cells))
    .find((line) => widthOf(line) < columns);
  if (fitting !== undefined && ended.length <= MAX_LISTED) return fitting;
  // A command that was stopped with the turn has not failed.
  const failed = ended.filter(
    (run) => hasFailed(run) && !(run.exitCode === null && end.outcome === "cancelled"),
  );
  const counted = summary.commands(ended.length, failed.length);
  const room = columns - widthOf([counted, ...running].join(separator)) - separator.length;
  const most = Math.min(MAX_NAMED, failed.length, Math.max(1, Math.floor(room / (LEAST_CELLS + END_CELLS))));
  const cells = Math.max(LEAST_CELLS, Math.min(MOST_CELLS, Math.floor(room / most) - END_CELLS));
  const told = failed.slice(0, most).map(text(cells));
  return [counted, ...(told.length === 0 ? [] : [summary.list(told)]), ...running].join(separator);
}

/** The lines that a change adds and takes away, e.g. "+3 −1". */
function changeText({ added, removed }: ChangeCount, { glyphs }: Messages): string {
  return `+${added} ${glyphs.minus}${removed}`;
}

/** No command has ended since the last change; of prose none is expected. */
function isUnverified(end: TurnEnd, log: TurnLog): boolean {
  return log.changedLast() && end.changedFiles.some((path) => !PROSE.test(path));
}
