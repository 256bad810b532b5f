import type { AgentEvent, TurnEnd } from "../../agent/agent-events.js";
import { createPrintableStream, printable } from "../../printable.js";
import type { PrintableStream } from "../../printable.js";
import type { Bottom } from "../bottom/bottom.js";
import type { Messages } from "../messages/catalogue.js";
import { createAnswerStream } from "./answer-stream.js";
import { commandLine, hasFailed } from "./command-lines.js";
import { diffLines } from "./diff.js";
import { callLine, endOfCall, errorLines, noticeLine } from "./event-lines.js";
import { createColours, fit } from "./terminal.js";
import type { TerminalTraits } from "./terminal.js";
import { createTurnLog, oneLine } from "./turn-log.js";

/** Lines of a command's output that are shown as they come, and at its end; what is between is folded. */
const LIVE_LINES = 6;
const LAST_LINES = 3;

/** Most lines of a diff; a diff that was asked about was shown in full. */
const MAX_DIFF_LINES = 40;

interface CommandOutput {
  safe: PrintableStream;
  /** The line that is not complete yet. */
  open: string;
  shown: number;
  /** Lines that were not shown: how many, and the last of them. */
  folded: number;
  last: string[];
}

export interface InteractiveRendererOptions {
  bottom: Bottom;
  messages: Messages;
  colourLevel: TerminalTraits["colourLevel"];
}

/** Renders the turns of an interactive session on one terminal. What is set off begins with an empty line. */
export function createInteractiveRenderer(options: InteractiveRendererOptions): (event: AgentEvent) => void {
  const { bottom, messages } = options;
  const { progress } = bottom;
  const colours = createColours(options.colourLevel);
  const log = createTurnLog(messages, colours);
  const commands = new Map<string, CommandOutput>();
  let spoken = createAnswerStream();
  /** Whether the lines above are ones of calls and notices, which stand together. */
  let amongCalls = false;

  function print(...lines: string[]): void {
    progress.hide();
    bottom.print(...lines);
  }

  /** A line of a call, or a notice. */
  function printCall(line: string): void {
    print(...(amongCalls ? [] : [""]), line);
    amongCalls = true;
  }

  const indented = (line: string) => `  ${fit(line, bottom.columns - 3)}`;

  function say(delta: string): void {
    const begins = !spoken.open;
    const text = spoken.write(delta);
    if (text === "") return;
    if (begins) print("");
    amongCalls = false;
    bottom.write(text);
  }

  function endSaying(): void {
    bottom.write(spoken.end());
    bottom.endLine();
  }

  function showOutput(id: string, chunk: string): void {
    let command = commands.get(id);
    if (command === undefined) {
      command = { safe: createPrintableStream(), open: "", shown: 0, folded: 0, last: [] };
      commands.set(id, command);
      printCall(`${colours.cyan("●")} ${fit(log.call(id).label, bottom.columns - 3)}`);
    }
    const lines = (command.open + command.safe.write(chunk)).split("\n");
    command.open = lines.pop() ?? "";
    for (const line of lines) showOutputLine(command, line);
    progress.show(messages.progress.running(log.call(id).label));
  }

  function showOutputLine(command: CommandOutput, line: string): void {
    if (command.shown < LIVE_LINES) {
      command.shown++;
      print(colours.dim(indented(line)));
    } else {
      command.folded++;
      command.last = [...command.last, line].slice(-LAST_LINES);
    }
  }

  function endOutput(command: CommandOutput): void {
    const rest = command.open + command.safe.end();
    if (rest !== "") showOutputLine(command, rest);
    const hidden = command.folded - command.last.length;
    if (hidden > 0) print(colours.dim(`  ${messages.tool.moreLines(hidden)}`));
    print(...command.last.map((line) => colours.dim(indented(line))));
  }

  function endTool(event: Extract<AgentEvent, { type: "tool-end" }>): void {
    progress.hide();
    const command = commands.get(event.id);
    commands.delete(event.id);
    if (command === undefined) {
      printCall(callLine(event, log, messages, colours, bottom.columns));
    } else {
      const { symbol, detail } = endOfCall(event, log, messages, colours);
      endOutput(command);
      print(detail === "" ? `  ${symbol}` : `  ${symbol} ${colours.dim(indented(detail).trimStart())}`);
    }
    const asked = log.call(event.id).permission?.by === "user";
    if (event.diff === undefined || asked) return;
    const lines = diffLines(event.diff, colours, printable);
    const hidden = lines.length - MAX_DIFF_LINES;
    print(...lines.slice(0, MAX_DIFF_LINES).map((line) => `  ${line}`));
    if (hidden > 0) print(colours.dim(`  ${messages.tool.moreLines(hidden)}`));
  }

  function endTurn(end: TurnEnd): void {
    progress.hide();
    endSaying();
    const text = printable(end.text).trim();
    if (text !== "" && !spoken.holds(end.text)) print("", text);
    print("", ...log.denials("user"));
    if (end.error !== undefined) print(...errorLines(end.error, messages, colours));
    else if (end.outcome === "limit") print(colours.yellow(messages.summary.limit));
    else if (end.outcome === "cancelled") print(colours.yellow(messages.chat.cancelled));
    const running = end.commands.filter(({ state }) => state === "running");
    for (const run of running) {
      print(
        colours.dim(fit(commandLine({ ...run, command: oneLine(run.command) }, messages), bottom.columns)),
      );
    }
    if (end.usage.promptTokens > 0) print(colours.dim(messages.summary.turn(figures(end))));
  }

  function figures(end: TurnEnd): Parameters<Messages["summary"]["turn"]>[0] {
    // A command that was stopped with the turn has not failed.
    const failed = end.commands.filter(
      (run) => hasFailed(run) && !(run.exitCode === null && end.outcome === "cancelled"),
    );
    return {
      ...log.changes(),
      files: end.changedFiles.length,
      commands: end.commands.length,
      failedCommands: failed.length,
      promptTokens: end.usage.promptTokens,
      outputTokens: end.usage.outputTokens,
      milliseconds: Date.now() - log.startedAt(),
    };
  }

  return (event) => {
    log.note(event);
    switch (event.type) {
      case "model-start":
        progress.show(messages.progress.starting);
        break;
      case "model-progress":
        if (!spoken.open) progress.show(messages.progress[event.phase], event.elapsedMs);
        break;
      case "text-delta":
        say(event.text);
        break;
      case "model-end":
        progress.hide();
        endSaying();
        break;
      case "tool-start":
        progress.show(messages.progress.running(log.call(event.id).label));
        break;
      case "tool-output":
        showOutput(event.id, event.text);
        break;
      case "tool-end":
        endTool(event);
        break;
      case "context-compacted":
        printCall(colours.dim(messages.notice.compacted(event.tokensBefore, event.tokensAfter)));
        break;
      case "notice":
        printCall(noticeLine(event, messages, colours));
        break;
      case "turn-end":
        endTurn(event);
        break;
      case "turn-start":
        spoken = createAnswerStream();
        amongCalls = false;
        break;
      case "permission":
        // The question stands above the call.
        if (event.by === "user") amongCalls = true;
        break;
      case "steering":
      case "session":
      case "thinking-delta":
        break;
    }
  };
}
