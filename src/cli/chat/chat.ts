import type { AgentEvent } from "../../agent/agent-events.js";
import type { App } from "../../app.js";
import type { Config } from "../../config/schema.js";
import { EXIT, UserError } from "../../errors.js";
import type { ExitCode } from "../../errors.js";
import { createApprovalPrompt } from "../questions/approval-prompt.js";
import { bannerLines } from "./banner.js";
import { openBottom } from "../bottom/open-bottom.js";
import { confirm } from "../questions/confirm.js";
import type { Confirmation } from "../questions/confirm.js";
import { createDesktopNotices } from "../desktop-notice.js";
import { textOf } from "../editor/draft.js";
import { editorOf, writeInEditor } from "./external-editor.js";
import { createFileCompletion } from "./file-completion.js";
import { createJobControl } from "./job-control.js";
import { pick } from "../questions/list-picker.js";
import type { PickQuestion } from "../questions/list-picker.js";
import type { Messages } from "../messages/catalogue.js";
import { createPromptBox, sentLines } from "./prompt-box.js";
import type { SentMessage } from "./prompt-box.js";
import type { PromptHistory } from "./prompt-history.js";
import { errorLines, noticeLine } from "../render/event-lines.js";
import { createInteractiveRenderer } from "../render/interactive.js";
import { createColours, hang } from "../render/terminal.js";
import type { Colours, TerminalTraits } from "../render/terminal.js";
import { positionLines } from "./resume-session.js";
import { createStatusLine } from "./status-line.js";
import { completeSlashCommand, isSlashCommand, runSlashCommand } from "../slash/slash-commands.js";
import type { SlashContext } from "../slash/slash-commands.js";
import { createTerminalInput } from "../keyboard/terminal-input.js";
import type { InputStream } from "../keyboard/terminal-input.js";
import { runUserCommand, userCommandOf } from "../slash/user-command.js";

type Notice = Extract<AgentEvent, { type: "notice" }>;

export interface ChatOptions {
  app: App;
  input: InputStream;
  output: NodeJS.WriteStream;
  messages: Messages;
  /** Of `output`. */
  traits: TerminalTraits;
  /** How a user who looks elsewhere is told of questions and of the end of long turns. */
  notices: Pick<Config, "bell" | "notify">;
  history: PromptHistory;
  /** Lines below the banner, for somebody who is new in this folder. */
  firstSteps: readonly string[];
  environment: NodeJS.ProcessEnv;
  doctor: SlashContext["doctor"];
  /** Leaves: the turn is cancelled, and the session ends when it has ended. */
  signal: AbortSignal;
}

/** The interactive session, until the user leaves. The app stays open; the terminal is given back as it was. */
export async function runChat(options: ChatOptions): Promise<ExitCode> {
  const { app, output, messages, traits, notices, history, environment, doctor, signal } = options;
  const { colourLevel, animated, unicode } = traits;
  const colours = createColours(colourLevel);
  const bottom = openBottom(output, traits, messages);
  // A terminal that cannot be drawn over breaks lines by itself.
  const columns = () => (bottom.isPlain ? Number.POSITIVE_INFINITY : bottom.columns);
  const say = (...lines: string[]) => bottom.print(...lines.flatMap((line) => hang(line, columns())));
  const input = createTerminalInput({ input: options.input, output, animated, keysOf: environment["TERM"] });
  const jobs = createJobControl(input, bottom);
  const files = createFileCompletion({
    workspaceRoot: app.session().cwd,
    env: environment,
    onChange: () => box.refresh(),
  });
  const render = createInteractiveRenderer({ bottom, messages, colourLevel, unicode });
  const status = createStatusLine({
    app,
    messages,
    colours,
    homeDir: environment["HOME"],
    onChange: () => box.refresh(),
  });
  const desktop = createDesktopNotices({
    config: notices,
    messages,
    folder: app.session().cwd,
    isDumb: environment["TERM"] === "dumb",
    send: (sequence) => bottom.send(sequence),
  });
  let lastAnswer = "";
  let turnStartedAt = 0;
  const onEvent = (event: AgentEvent) => {
    if (event.type === "turn-end" && event.text !== "") lastAnswer = event.text;
    render(event);
    status.note(event);
    if (event.type === "turn-start") turnStartedAt = performance.now();
    if (event.type === "turn-end") desktop.turnEnded(event, performance.now() - turnStartedAt);
  };
  let work: AbortController | undefined;
  let abandonWork = (): void => undefined;
  let left = false;
  /** Ctrl-C in a row without anything to clear. */
  let interrupts = 0;

  const box = createPromptBox({
    bottom,
    messages,
    colours,
    status: status.text,
    isCommand: (text) => isSlashCommand(text) || userCommandOf(text) !== undefined,
    history: () => history.entries(),
    complete: (request) =>
      request.kind === "file" ? files.items(request.query) : completeSlashCommand(request, messages),
    onSubmit(units) {
      interrupts = 0;
      history.add(units);
    },
    on: {
      interrupt,
      escape: () => stopWork(),
      suspend: () => jobs.suspend(),
      external: () => void writeOutside(),
      end: leave,
    },
  });

  function stopWork(): void {
    if (!work || work.signal.aborted) return;
    bottom.progress.show(messages.chat.stopping);
    const byUser = new DOMException("cancelled by the user", "AbortError");
    work.abort(signal.aborted ? signal.reason : byUser);
    // What waited was written for what is now stopped.
    box.recallAll();
  }

  function leave(): void {
    left = true;
    stopWork();
  }

  /** Ctrl-C: stops what is at work, and the second one does not wait until it has ended. At the prompt the second leaves. */
  function interrupt(hadText: boolean): void {
    if (work?.signal.aborted === true) {
      left = true;
      abandonWork();
    } else if (work) {
      stopWork();
    } else if (hadText) {
      interrupts = 0;
    } else if (++interrupts === 1) {
      say(colours.dim(messages.chat.leaveHint));
    } else {
      box.end();
    }
  }

  async function writeOutside(): Promise<void> {
    const editor = editorOf(environment);
    const takeBack = input.lend();
    bottom.hide();
    const written = await writeInEditor(editor, textOf(box.draft.units)).catch((error: unknown) => {
      say(colours.yellow(messages.input.editorFailed(editor, error instanceof Error ? error.message : "?")));
      return undefined;
    });
    takeBack();
    bottom.show();
    if (written !== undefined) box.exchange(written);
  }

  const steering = {
    isWaiting: () => box.hasPrompt(),
    take: () => Promise.all(box.takePrompts().map(toSend)),
  };

  /** Shows a message as sent; resolves to what the model gets. */
  async function toSend(message: SentMessage): Promise<string> {
    if (!bottom.isPlain) say(...sentLines(message, messages, colours, bottom.columns));
    return app.withFiles(message.text, work?.signal ?? signal);
  }

  /** Work that Ctrl-C stops; undefined if it was left behind. */
  async function interruptible<T>(start: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
    const controller = new AbortController();
    work = controller;
    const abandoned = new Promise<undefined>((resolve) => {
      abandonWork = () => resolve(undefined);
    });
    box.setBusy(true);
    try {
      return await Promise.race([start(controller.signal), abandoned]);
    } finally {
      work = undefined;
      bottom.progress.hide();
      box.setBusy(false);
    }
  }

  const hasLeft = () => left;
  const onQuestion = (stands: boolean) => box.show(!stands);

  async function handle(message: SentMessage, ended: AbortSignal): Promise<"stay" | "leave"> {
    const command = userCommandOf(message.text);
    if (command !== undefined || isSlashCommand(message.text)) {
      if (!bottom.isPlain) say(...sentLines(message, messages, colours, bottom.columns));
      const context = {
        app,
        bottom,
        messages,
        colours,
        say,
        environment,
        lastAnswer: () => lastAnswer,
        prompt: async (text: string) => {
          await app.prompt(text, { signal: ended, onEvent, steering });
        },
        doctor,
        pick: (question: PickQuestion) =>
          pick(question, { input, bottom, messages, colours, signal: ended, onQuestion }),
        notice: (notice: Notice) => say(noticeLine(notice, messages, colours)),
        confirm: (question: Confirmation) =>
          confirm(question, { input, bottom, messages, colours, signal: ended, onQuestion }),
        signal: ended,
      };
      if (command === undefined) return runSlashCommand(message.text, context);
      const output = await runUserCommand(command, context);
      if (output) box.prepend([output]);
    } else {
      const texts = await Promise.all([message, ...box.takePrompts()].map(toSend));
      await app.prompt(texts.join("\n\n"), { signal: ended, onEvent, steering });
    }
    return "stay";
  }

  const release = input.read((event) => box.onEvent(event));
  signal.addEventListener("abort", leave);
  app.setApprove(
    createApprovalPrompt({
      input,
      bottom,
      messages,
      colourLevel,
      notify: () => desktop.question(),
      onCancel: stopWork,
      onQuestion,
    }),
  );
  try {
    say(...bannerLines(app, await app.sandbox(), { messages, colours }), "");
    if (options.firstSteps.length > 0) say(...options.firstSteps.map((line) => colours.dim(line)), "");
    const position = positionLines(app.position(), messages, colours, bottom.columns);
    if (position.length > 0) say(...position, "");
    await status.refresh();
    // What was typed until now comes first.
    await input.settle();
    box.show(true);
    const aborted = ended(signal);
    for (;;) {
      const message = await Promise.race([box.next(), aborted]);
      if (!message) break;
      try {
        if ((await interruptible((stopped) => handle(message, stopped))) === "leave") return EXIT.done;
      } catch (error) {
        // The session outlives every failure of one message.
        const cancelled = error instanceof DOMException && error.name === "AbortError";
        say("", ...(cancelled ? [messages.chat.cancelled] : failureLines(error, messages, colours)));
      }
      if (hasLeft()) return EXIT.cancelled;
      await status.refresh();
      say("");
    }
    return signal.aborted ? EXIT.cancelled : EXIT.done;
  } finally {
    signal.removeEventListener("abort", leave);
    files.close();
    jobs.close();
    release();
    bottom.close();
    await history.saved();
  }
}

/** Resolves when the signal aborts. */
function ended(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
}

function failureLines(error: unknown, messages: Messages, colours: Colours): string[] {
  if (error instanceof UserError) {
    const { code, message, hint } = error;
    return errorLines({ code, message, hint }, messages, colours);
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return errorLines({ code: "bug", message: stack }, messages, colours);
}
