import type { AgentEvent, TurnEnd } from "../../agent/agent-events.js";
import { printable } from "../../printable.js";
import type { Messages } from "../messages/catalogue.js";
import type { AnswerScreen } from "../answer-screen.js";
import { createRawAnswerView } from "./answer-view.js";
import { changeRows } from "./change-rows.js";
import { callLine, errorLines, noticeLine } from "./event-lines.js";
import type { Progress } from "./progress.js";
import { phaseWords } from "./progress-words.js";
import { columnsOf, createColours, createLineWriter, inRows } from "./terminal.js";
import type { OutputStream, TerminalTraits } from "./terminal.js";
import { createTurnLog } from "./turn-log.js";
import { figuresLine, workLines, workList } from "./turn-summary.js";

export interface TextRendererOptions {
  stdout: OutputStream;
  stderr: OutputStream;
  messages: Messages;
  /** Of stderr. */
  colourLevel: TerminalTraits["colourLevel"];
  /** "stream": as it comes; "final": once, at the end, for a pipe; "none": JSON is printed instead. */
  answer: "stream" | "final" | "none";
  /** Where the answer is streamed as Markdown, if standard output is a terminal. */
  screen?: AnswerScreen | undefined;
  /**
   * How much is told on stderr. "all": also tool lines, for a terminal; "plain": notices and the summary; "quiet":
   * warnings, denials and errors.
   */
  detail: "all" | "plain" | "quiet";
  progress: Progress;
  /** False when the reader of stdout has gone away, as `head` does: it is not told that this ended the turn. */
  isRead?: () => boolean;
}

/** Renders one turn: the answer on stdout, everything else on stderr. */
export function createTextRenderer(options: TextRendererOptions): (event: AgentEvent) => void {
  const { stdout, stderr, messages, screen, detail, progress } = options;
  const colours = createColours(options.colourLevel);
  const log = createTurnLog(messages, colours);
  const out = createLineWriter(stdout);
  const err = createLineWriter(stderr);
  const streamed = screen?.createView(beginReply) ?? createRawAnswerView(out, beginReply);
  const answer = options.answer === "stream" ? streamed : undefined;
  let request: Extract<AgentEvent, { type: "model-start" }> | undefined;

  /** What stands at the end of a screen that the answer shares with all else; an empty line keeps the two apart. */
  let last: "reply" | "report" | undefined;

  function set(kind: "reply" | "report"): void {
    if (screen?.isShared === true && last !== undefined && last !== kind) screen.bottom.print("");
    last = kind;
  }

  function beginReply(): void {
    progress.hide();
    set("reply");
  }

  /** Lines on stderr; the answer may stand on the same screen. */
  function report(...lines: string[]): void {
    progress.hide();
    out.endLine();
    if (lines.length === 0) return;
    set("report");
    const rows = inRows(lines, stderr);
    if (screen?.isShared === true) screen.bottom.print(...rows);
    else err.lines(...rows);
  }

  function summary(end: TurnEnd): string[] {
    if (detail === "quiet") return log.denials();
    if (detail === "plain") return [...workList(end, log, messages), ...log.denials()];
    const columns = columnsOf(stderr);
    const lines = [...workLines(end, log, messages, columns), figuresLine(end, log, messages, columns)];
    return [...log.denials(), ...lines.filter((line) => line !== "").map((line) => colours.dim(line))];
  }

  return (event) => {
    log.note(event);
    switch (event.type) {
      case "model-start":
        request = event;
        progress.show(messages.progress.starting);
        break;
      case "model-progress":
        if (answer?.open !== true) progress.show(phaseWords(event, request, messages), event.elapsedMs);
        break;
      case "text-delta":
        answer?.write(event.text);
        break;
      case "model-end":
        progress.hide();
        answer?.end();
        break;
      case "tool-start":
        progress.show(log.call(event.id).label);
        break;
      case "tool-end":
        progress.hide();
        if (detail === "all") {
          const columns = columnsOf(stderr);
          report(callLine(event, log, messages, colours, columns));
          const wasAsked = log.call(event.id).permission?.by === "user";
          if (event.diff !== undefined && !wasAsked)
            report(...changeRows(event.diff, { messages, colours, columns }));
        }
        break;
      case "context-compacted":
        if (detail !== "quiet")
          report(colours.dim(messages.notice.compacted(event.tokensBefore, event.tokensAfter)));
        break;
      case "notice":
        if (detail !== "quiet" || event.level === "warning") report(noticeLine(event, messages, colours));
        break;
      case "turn-end": {
        progress.hide();
        answer?.end();
        if (answer?.holds(event.text) === false) answer.show(event.text);
        const text = options.answer === "final" ? printable(event.text) : "";
        if (text !== "") out.lines(text.replace(/\n$/, ""));
        report(...summary(event));
        if (event.error !== undefined) report(...errorLines(event.error, messages, colours));
        else if (event.outcome === "limit") report(colours.yellow(messages.summary.limit));
        else if (event.outcome === "cancelled" && options.isRead?.() !== false)
          report(messages.tool.cancelled);
        break;
      }
      case "turn-start":
        answer?.restart();
        break;
      case "steering":
      case "session":
      case "thinking-delta":
      case "permission":
      case "tool-output":
        break;
    }
  };
}
