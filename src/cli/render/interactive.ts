import type { AgentEvent, TurnEnd } from "../../agent/agent-events.js";
import type { Bottom } from "../bottom/bottom.js";
import { createLazyHighlighter } from "../markdown/highlighter.js";
import type { Messages } from "../messages/catalogue.js";
import { changeRows } from "./change-rows.js";
import { createMarkdownView } from "./markdown-view.js";
import type { CommandOutput } from "./command-output.js";
import { createCommandOutput } from "./command-output.js";
import { callLine, errorLines, noticeLine } from "./event-lines.js";
import { phaseWords } from "./progress-words.js";
import { createColours, fit, hang, withoutTabs } from "./terminal.js";
import type { TerminalTraits } from "./terminal.js";
import { createThinkingView } from "./thinking-view.js";
import { createTurnLog } from "./turn-log.js";
import { figuresLine, workLines } from "./turn-summary.js";

type ModelStart = Extract<AgentEvent, { type: "model-start" }>;
type ToolEnd = Extract<AgentEvent, { type: "tool-end" }>;

/** Last lines of a command's output: while it runs, and when it has failed. */
const LIVE_LINES = 6;
const FAILED_LINES = 8;
/** Output of a command that went well is folded if it has more lines. */
const SHORT_OUTPUT = 3;

export interface InteractiveRendererOptions {
  bottom: Bottom;
  messages: Messages;
  colourLevel: TerminalTraits["colourLevel"];
  /** Whether more than ASCII may be drawn. */
  unicode?: boolean;
}

/** Renders the turns of an interactive session on one terminal. What is set off begins with an empty line. */
export function createInteractiveRenderer(options: InteractiveRendererOptions): (event: AgentEvent) => void {
  const { bottom, messages, colourLevel, unicode = true } = options;
  const { progress } = bottom;
  const { glyphs } = messages;
  const colours = createColours(colourLevel);
  const log = createTurnLog(messages, colours);
  const commands = new Map<string, CommandOutput>();
  const thinking = createThinkingView(bottom, colours);
  const answer = createMarkdownView({
    bottom,
    traits: { colourLevel, unicode },
    highlighter: createLazyHighlighter(),
    onBegin() {
      print("");
      amongCalls = false;
    },
  });
  let request: ModelStart | undefined;
  /** Whether the lines above are ones of calls and notices, which stand together. */
  let amongCalls = false;

  function print(...lines: string[]): void {
    progress.hide();
    bottom.print(...lines);
  }

  /** Words that may need several rows; a terminal that cannot be drawn over breaks lines by itself. */
  const inRows = (lines: readonly string[]) =>
    bottom.isPlain ? lines : lines.flatMap((line) => hang(line, bottom.columns));

  /** A line of a call, or a notice. */
  function printCall(line: string): void {
    print(...(amongCalls ? [] : [""]), ...inRows([line]));
    amongCalls = true;
  }

  const indented = (line: string) =>
    colours.dim(`  ${fit(withoutTabs(line), bottom.columns - 3, glyphs.ellipsis)}`.trimEnd());

  function endThinking(): void {
    const lasted = thinking.end();
    if (lasted === undefined) return;
    printCall(colours.dim(`${glyphs.separator} ${messages.progress.thought(messages.duration(lasted))}`));
  }

  function showOutput(id: string, chunk: string): void {
    let output = commands.get(id);
    if (output === undefined) {
      output = createCommandOutput();
      commands.set(id, output);
      // Where nothing may move, a command that takes long would otherwise be silent.
      if (bottom.isPlain) {
        const label = fit(log.call(id).label, bottom.columns - 3, glyphs.ellipsis);
        printCall(`${glyphs.running} ${label}`);
      }
    }
    output.write(chunk);
    const shown = output;
    bottom.setLive(() => shown.last(LIVE_LINES).map(indented));
  }

  function endTool(event: ToolEnd): void {
    progress.hide();
    const output = commands.get(event.id);
    commands.delete(event.id);
    if (output) bottom.setLive([]);
    output?.end();
    const failed = event.status !== "ok" || (event.exitCode ?? 0) !== 0;
    const lines = output?.lines ?? 0;
    const folded = !failed && lines > SHORT_OUTPUT;
    const counted = folded ? [messages.tools.outputLines(lines)] : [];
    printCall(callLine(event, log, messages, colours, bottom.columns, ...counted));
    if (output && !folded) printOutput(output, failed ? FAILED_LINES : SHORT_OUTPUT);
    // One that was asked about was shown in full.
    if (event.diff !== undefined && log.call(event.id).permission?.by !== "user") {
      print(...changeRows(event.diff, { messages, colours, columns: bottom.columns }));
    }
  }

  function printOutput(output: CommandOutput, most: number): void {
    const hidden = output.lines - most;
    if (hidden > 0) print(indented(messages.tool.moreLines(hidden)));
    print(...output.last(most).map(indented));
  }

  function endTurn(end: TurnEnd): void {
    progress.hide();
    endThinking();
    answer.end();
    if (!answer.holds(end.text)) answer.show(end.text);
    print("", ...inRows(log.denials("user")));
    if (end.error !== undefined) print(...inRows(errorLines(end.error, messages, colours)));
    else if (end.outcome === "limit") print(colours.yellow(messages.summary.limit));
    else if (end.outcome === "cancelled") print(colours.yellow(messages.chat.cancelled));
    print(...workLines(end, log, messages, bottom.columns).map((line) => colours.dim(line)));
    const figures = figuresLine(end, log, messages, bottom.columns);
    if (figures !== "") print(colours.dim(figures));
  }

  return (event) => {
    log.note(event);
    switch (event.type) {
      case "model-start":
        request = event;
        progress.show(messages.progress.starting);
        break;
      case "model-progress":
        if (event.phase !== "thinking") endThinking();
        progress.show(phaseWords(event, request, messages), event.elapsedMs);
        break;
      case "thinking-delta":
        thinking.write(event.text);
        break;
      case "text-delta":
        endThinking();
        answer.write(event.text);
        break;
      case "model-end":
        progress.hide();
        endThinking();
        answer.end();
        break;
      case "tool-start":
        progress.show(log.call(event.id).label);
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
        answer.restart();
        amongCalls = false;
        break;
      case "permission":
        // The question stands above the call.
        if (event.by === "user") amongCalls = true;
        break;
      case "steering":
      case "session":
        break;
    }
  };
}
