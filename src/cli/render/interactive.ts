import type { AgentEvent, TurnEnd } from "../../agent/agent-events.js";
import { createPrintableStream, printable } from "../../printable.js";
import type { PrintableStream } from "../../printable.js";
import type { Messages } from "../messages/catalogue.js";
import { diffLines } from "./diff.js";
import { endOfCall, errorLines, noticeLine } from "./event-lines.js";
import type { Progress } from "./progress.js";
import { columnsOf, createColours, createLineWriter, fit } from "./terminal.js";
import type { OutputStream, TerminalTraits } from "./terminal.js";
import { createTurnLog } from "./turn-log.js";

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
  output: OutputStream;
  messages: Messages;
  colourLevel: TerminalTraits["colourLevel"];
  progress: Progress;
}

/** Renders the turns of an interactive session on one terminal. */
export function createInteractiveRenderer(options: InteractiveRendererOptions): (event: AgentEvent) => void {
  const { output, messages, progress } = options;
  const colours = createColours(options.colourLevel);
  const log = createTurnLog(messages, colours);
  const writer = createLineWriter(output);
  const safe = createPrintableStream();
  const commands = new Map<string, CommandOutput>();
  /** Raw text of the turn that stands on the terminal. */
  let said = "";
  let saying = false;

  function print(...lines: string[]): void {
    progress.hide();
    writer.lines(...lines);
  }

  const indented = (line: string) => `  ${fit(line, columnsOf(output) - 3)}`;

  function say(delta: string): void {
    said += delta;
    const text = saying ? safe.write(delta) : safe.write(delta).trimStart();
    if (text === "") return;
    if (!saying) print("");
    saying = true;
    writer.write(text);
  }

  function endSaying(): void {
    writer.write(safe.end());
    if (saying) print("");
    saying = false;
  }

  function showOutput(id: string, chunk: string): void {
    let command = commands.get(id);
    if (command === undefined) {
      command = { safe: createPrintableStream(), open: "", shown: 0, folded: 0, last: [] };
      commands.set(id, command);
      print(`${colours.cyan("●")} ${fit(log.call(id).label, columnsOf(output) - 3)}`);
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
    const { symbol, detail } = endOfCall(event, log, messages, colours);
    if (command === undefined) {
      const label = fit(log.call(event.id).label, columnsOf(output) - 4);
      print(`${symbol} ${label}${detail === "" ? "" : `  ${colours.dim(detail)}`}`);
    } else {
      endOutput(command);
      print(`  ${symbol} ${colours.dim(detail)}`);
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
    if (text !== "" && !said.includes(end.text.trim())) print("", text, "");
    said = "";
    print(...log.denials());
    if (end.error !== undefined) print(...errorLines(end.error, messages, colours));
    else if (end.outcome === "limit") print(colours.yellow(messages.summary.limit));
    else if (end.outcome === "cancelled") print(colours.yellow(messages.chat.cancelled));
    const turn = {
      ...log.changes(),
      files: end.changedFiles.length,
      commands: end.commands.length,
      failedCommands: end.commands.filter(({ exitCode }) => exitCode !== 0).length,
      promptTokens: end.usage.promptTokens,
      outputTokens: end.usage.outputTokens,
      milliseconds: Date.now() - log.startedAt(),
    };
    print(colours.dim(messages.summary.turn(turn)), "");
  }

  return (event) => {
    log.note(event);
    switch (event.type) {
      case "model-start":
        progress.show(messages.progress.starting);
        break;
      case "model-progress":
        if (!saying) progress.show(messages.progress[event.phase], event.elapsedMs);
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
        print(colours.dim(messages.notice.compacted(event.tokensBefore, event.tokensAfter)));
        break;
      case "notice":
        print(noticeLine(event, messages, colours));
        break;
      case "turn-end":
        endTurn(event);
        break;
      case "session":
      case "turn-start":
      case "thinking-delta":
      case "permission":
        break;
    }
  };
}
