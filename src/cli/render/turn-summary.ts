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
/** Most files and commands that are named on one line. */
const MAX_NAMED = 3;
/** Cells of a command among others. */
const COMMAND_CELLS = 32;
/** Fewer tell nothing of how fast they come. */
const MEASURABLE_TOKENS = 10;
/** Changing them needs no test. */
const PROSE = /\.(?:md|markdown|txt|rst|adoc)$/i;

/** What a turn has done, for a terminal: the files on one line, the commands on another. */
export function workLines(end: TurnEnd, log: TurnLog, messages: Messages, columns: number): string[] {
  const { glyphs, summary } = messages;
  const files = filesText(end, log, messages, MAX_NAMED);
  const since = isUnverified(end, log) ? ` ${glyphs.separator} ${summary.nothingRunSince}` : "";
  const lines = [
    files === "" ? "" : fit(files, columns - 1 - widthOf(since), glyphs.ellipsis) + since,
    fit(commandsText(end, messages), columns - 1, glyphs.ellipsis),
  ];
  return lines.filter((line) => line !== "");
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

/** What a turn took: tokens, how fast they came, and time. Empty if the model said nothing. */
export function figuresLine(end: TurnEnd, log: TurnLog, messages: Messages): string {
  if (end.usage.promptTokens === 0) return "";
  const { promptTokens, cachedTokens, outputTokens, outputMs } = log.figures();
  return messages.summary.turn({
    promptTokens: end.usage.promptTokens,
    outputTokens: end.usage.outputTokens,
    cachedPercent:
      cachedTokens === undefined || promptTokens === 0
        ? undefined
        : Math.round((100 * Math.min(cachedTokens, promptTokens)) / promptTokens),
    tokensPerSecond:
      outputMs > 0 && outputTokens >= MEASURABLE_TOKENS ? (1000 * outputTokens) / outputMs : undefined,
    milliseconds: log.elapsed(),
  });
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

function commandsText(end: TurnEnd, messages: Messages): string {
  const { summary, glyphs } = messages;
  const shortened = end.commands.map((run) => ({
    ...run,
    command: fit(oneLine(run.command, messages), COMMAND_CELLS, glyphs.ellipsis),
  }));
  const background = shortened.filter((run) => run.background !== undefined);
  const ended = shortened.filter((run) => run.background === undefined);
  const text = ({ command, exitCode }: CommandRun) => summary.commandEnd(command, exitCode);
  // A command that was stopped with the turn has not failed.
  const failed = ended.filter(
    (run) => hasFailed(run) && !(run.exitCode === null && end.outcome === "cancelled"),
  );
  return [
    ...(ended.length > MAX_NAMED ? [summary.commands(ended.length, failed.length)] : []),
    ...(ended.length > MAX_NAMED && failed.length > 0
      ? [failed.slice(0, MAX_NAMED).map(text).join(", ")]
      : []),
    ...(ended.length > 0 && ended.length <= MAX_NAMED ? [summary.ranAll(ended.map(text))] : []),
    ...background.map((run) => commandLine(run, messages)),
  ].join(` ${glyphs.separator} `);
}

/** The lines that a change adds and takes away, e.g. "+3 −1". */
export function changeText({ added, removed }: ChangeCount, { glyphs }: Messages): string {
  return `+${added} ${glyphs.minus}${removed}`;
}

/** No command has ended since the last change; of prose none is expected. */
function isUnverified(end: TurnEnd, log: TurnLog): boolean {
  return log.changedLast() && end.changedFiles.some((path) => !PROSE.test(path));
}
