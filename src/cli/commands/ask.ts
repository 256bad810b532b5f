import type { AgentEvent, SessionStart, TurnEnd } from "../../agent/agent-events.js";
import { turnError } from "../../agent/turn-error.js";
import type { App } from "../../app.js";
import type { ExitCode } from "../../errors.js";
import { EXIT, UserError } from "../../errors.js";
import { exitCodeOfError } from "../../model/model-error.js";
import { tidySessions } from "../../setup/retention.js";
import { openAnswerScreen } from "../answer-screen.js";
import { createApprovalPrompt } from "../questions/approval-prompt.js";
import type { Bottom } from "../bottom/bottom.js";
import { openBottom } from "../bottom/open-bottom.js";
import { cancelOnSignals } from "../cancel-on-signals.js";
import { openKeyboard } from "../keyboard/keyboard.js";
import type { Messages } from "../messages/catalogue.js";
import { createDesktopNotices } from "../desktop-notice.js";
import { ASK_FORMATS } from "../formats.js";
import { closeApp, openApp } from "../open-app.js";
import type { CommandContext } from "../program.js";
import { createJsonRenderer } from "../render/json.js";
import { createProgress, noProgress } from "../render/progress.js";
import { createStreamJsonRenderer } from "../render/stream-json.js";
import { createTextRenderer } from "../render/text.js";
import { readPiped } from "../standard-input.js";
import type { Start } from "../start.js";
import { start } from "../start.js";
import { createTerminalInput } from "../keyboard/terminal-input.js";
import { settleTrust } from "./trust.js";
import { traitsOf } from "../traits-of.js";
import { oneOf, usageError } from "../usage-error.js";

export interface AskArguments {
  words: readonly string[];
  outputFormat: string;
  quiet?: boolean;
}

const COMMAND = "mini-cc ask";

type Format = (typeof ASK_FORMATS)[number];

type Notice = Extract<AgentEvent, { type: "notice" }>;

/** `mini-cc ask`: one turn; the answer on stdout, everything else on stderr. */
export async function askCommand(context: CommandContext, given: AskArguments): Promise<ExitCode> {
  const format = oneOf(ASK_FORMATS, given.outputFormat, {
    name: "--output-format",
    command: COMMAND,
    messages: context.messages,
  });
  // A question stands on standard error; where that is no terminal, nobody would see it.
  const keyboard = process.stderr.isTTY ? openKeyboard() : undefined;
  const begun = await settleTrust(context, await start(context), keyboard?.input);
  const { messages } = begun;
  const { prompt, notices } = await readPrompt(given.words, messages);
  const traits = traitsOf(process.stderr, context.options);
  const screen = format === "text" ? await openAnswerScreen(context.options, messages) : undefined;
  const spinner = () =>
    screen?.isShared === true
      ? screen.bottom.progress
      : createProgress({ stream: process.stderr, messages, colourLevel: traits.colourLevel });
  const progress = traits.animated && given.quiet !== true ? spinner() : noProgress;
  let isRead = true;
  process.stdout.once("error", () => (isRead = false));
  const renderers = [
    createTextRenderer({
      stdout: process.stdout,
      stderr: process.stderr,
      messages,
      colourLevel: traits.colourLevel,
      answer: format === "text" ? (screen ? "stream" : "final") : "none",
      screen,
      detail: given.quiet === true ? "quiet" : process.stderr.isTTY ? "all" : "plain",
      progress,
      isRead: () => isRead,
    }),
    ...jsonRenderer(format),
  ];
  let askedNobody = false;
  const onEvent = (event: AgentEvent) => {
    if (event.type === "permission" && event.by === "nobody") askedNobody = true;
    for (const render of renderers) render(event);
  };

  const desktop = createDesktopNotices({
    config: begun.loaded.config,
    messages,
    folder: begun.workspaceRoot,
    isDumb: process.env["TERM"] === "dumb",
    send: (sequence) => process.stderr.write(sequence),
  });

  return cancelOnSignals(async (signal) => {
    let app: App | undefined;
    /** Where questions stand. */
    let questions: Bottom | undefined;
    try {
      app = await openApp(context, begun, signal);
      if (keyboard) {
        const { colourLevel, animated } = traits;
        const input = createTerminalInput({ input: keyboard.input, output: process.stderr, animated });
        const onQuestion = (stands: boolean) => (stands ? progress.pause() : progress.resume());
        questions = screen?.isShared === true ? screen.bottom : openBottom(process.stderr, traits, messages);
        app.setApprove(
          createApprovalPrompt({
            input,
            bottom: questions,
            messages,
            colourLevel,
            notify: () => desktop.question(),
            onQuestion,
          }),
        );
      }
      onEvent(app.session());
      const tidied = given.quiet === true ? [] : await tidySessions(begun.loaded);
      for (const notice of [...notices, ...app.notices, ...tidied]) onEvent(notice);
      const startedAt = performance.now();
      const end = await app.prompt(prompt, { signal, onEvent });
      if (process.stderr.isTTY) desktop.turnEnded(end, performance.now() - startedAt);
      return exitCodeOf(end, askedNobody);
    } catch (error) {
      if (app || (!signal.aborted && !(error instanceof UserError))) throw error;
      // A mistake of usage or configuration goes to stderr alone, whatever the output format.
      if (error instanceof UserError && error.exitCode === EXIT.usage) throw error;
      onEvent(unopenedSession(begun, context.version));
      onEvent(failedTurn(error, signal));
      return signal.aborted ? EXIT.cancelled : error instanceof UserError ? error.exitCode : EXIT.failed;
    } finally {
      screen?.bottom.close();
      questions?.close();
      await closeApp(app, messages);
      keyboard?.close();
    }
  });
}

function exitCodeOf(end: TurnEnd, askedNobody: boolean): ExitCode {
  switch (end.outcome) {
    case "done":
      return askedNobody ? EXIT.denied : EXIT.done;
    case "limit":
      return EXIT.limit;
    case "cancelled":
      return EXIT.cancelled;
    case "failed":
      return exitCodeOfError(end.error?.code ?? "");
  }
}

function jsonRenderer(format: Format): ((event: AgentEvent) => void)[] {
  switch (format) {
    case "text":
      return [];
    case "json":
      return [createJsonRenderer(process.stdout)];
    case "stream-json":
      return [createStreamJsonRenderer(process.stdout)];
  }
}

/** Events are in English; who shows them translates. */
const NO_INPUT = "nothing came from standard input within 1 s; going on without it";
const NOT_UTF8 = "standard input is not UTF-8: characters that could not be read are shown as \ufffd";

/** The prompt of the arguments, with what was piped in as context; or what was piped in alone. */
async function readPrompt(
  words: readonly string[],
  messages: Messages,
): Promise<{ prompt: string; notices: Notice[] }> {
  const waits = words.length === 0 || words.includes("-");
  const written = words
    .filter((word) => word !== "-")
    .join(" ")
    .trim();
  if (process.stdin.isTTY) {
    if (written === "") throw usageError(messages.usage.noPrompt, COMMAND, messages);
    return { prompt: written, notices: [] };
  }
  const piped = await readPiped(process.stdin, waits || written === "" ? "unlimited" : "short");
  const notices: Notice[] = [];
  if (piped.kind === "silent") notices.push(notice("stdin-silent", NO_INPUT));
  if (piped.kind === "text" && piped.lossy) notices.push(notice("stdin-encoding", NOT_UTF8));
  const parts = [written, piped.kind === "text" ? piped.text.trimEnd() : ""].filter((part) => part !== "");
  if (parts.length === 0) throw usageError(messages.usage.noPrompt, COMMAND, messages);
  return { prompt: parts.join("\n\n"), notices };
}

function notice(code: string, text: string): Notice {
  return { type: "notice", level: "warning", code, text };
}

function unopenedSession({ loaded, workspaceRoot }: Start, version: string): SessionStart {
  const { model = "" } = loaded.config;
  return { type: "session", id: "", model, cwd: workspaceRoot, contextWindow: 0, version };
}

/** The end of a turn that never began, since server or model cannot be used. */
function failedTurn(error: unknown, signal: AbortSignal): TurnEnd {
  const nothing = { promptTokens: 0, outputTokens: 0, steps: 0 };
  const rest = { text: "", usage: nothing, changedFiles: [], commands: [], denied: [] };
  return signal.aborted
    ? { type: "turn-end", outcome: "cancelled", ...rest }
    : { type: "turn-end", outcome: "failed", error: turnError(error), ...rest };
}
