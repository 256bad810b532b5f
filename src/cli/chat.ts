import { relative } from "node:path";
import type { App } from "../app.js";
import { EXIT, UserError } from "../errors.js";
import type { ExitCode } from "../errors.js";
import { printable } from "../printable.js";
import type { SandboxState } from "../sandbox/sandbox.js";
import { createApprovalPrompt } from "./approval-prompt.js";
import type { Bottom } from "./bottom/bottom.js";
import { createBottom } from "./bottom/bottom.js";
import { createPlainBottom } from "./bottom/plain-bottom.js";
import { confirm } from "./confirm.js";
import { readMessage } from "./line-editor.js";
import type { Messages } from "./messages/catalogue.js";
import { errorLines, noticeLine } from "./render/event-lines.js";
import { createInteractiveRenderer } from "./render/interactive.js";
import { createColours } from "./render/terminal.js";
import type { Colours, TerminalTraits } from "./render/terminal.js";
import { isSlashCommand, runSlashCommand } from "./slash-commands.js";
import { createTerminalInput } from "./terminal-input.js";
import type { InputStream, TerminalEvent } from "./terminal-input.js";

export interface ChatOptions {
  app: App;
  input: InputStream;
  output: NodeJS.WriteStream;
  messages: Messages;
  /** Of `output`. */
  traits: TerminalTraits;
  /** Rings when a question comes up. */
  bell: boolean;
  /** Leaves: the turn is cancelled, and the session ends when it has ended. */
  signal: AbortSignal;
}

/** The interactive session, until the user leaves. The app stays open; the terminal is given back as it was. */
export async function runChat(options: ChatOptions): Promise<ExitCode> {
  const { app, output, messages, traits, bell, signal } = options;
  const { colourLevel, animated } = traits;
  const colours = createColours(colourLevel);
  const bottom: Bottom = animated
    ? createBottom({ output, messages, styles: { spinner: colours.cyan, status: colours.dim } })
    : createPlainBottom(output);
  const { progress } = bottom;
  const say = (...lines: string[]) => bottom.print(...lines);
  const input = createTerminalInput({ input: options.input, output, animated });
  const onEvent = createInteractiveRenderer({ bottom, messages, colourLevel });
  // While a reader draws for itself.
  const yielding = {
    pause() {
      bottom.endLine();
      bottom.hide();
    },
    resume: () => bottom.show(),
  };
  const history: string[] = [];
  const typedAhead: TerminalEvent[] = [];
  let turn: AbortController | undefined;
  let abandonTurn = (): void => undefined;
  let left = false;

  function cancelTurn(): void {
    turn?.abort(new DOMException("Cancelled by the user", "AbortError"));
  }

  function leave(): void {
    left = true;
    cancelTurn();
  }

  /** Ctrl-C in a turn cancels it; the second one does not wait until it has ended. */
  function interruptTurn(): void {
    if (turn?.signal.aborted === true) {
      left = true;
      abandonTurn();
    } else {
      progress.show(messages.chat.stopping);
      cancelTurn();
    }
  }

  // Beneath every other reader: what nobody waits for is kept for the next message, except Ctrl-C and the end.
  const release = input.read((event) => {
    if (event.type === "end") leave();
    else if (turn !== undefined && event.type === "key" && event.key.ctrl && event.key.name === "c")
      interruptTurn();
    else typedAhead.push(event);
  });
  signal.addEventListener("abort", leave);
  app.setApprove(
    createApprovalPrompt({
      input,
      output,
      messages,
      colourLevel,
      progress: yielding,
      bell,
      onCancel: interruptTurn,
    }),
  );

  /** Work that Ctrl-C cancels; undefined if it was left behind. */
  async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
    turn = new AbortController();
    const abandoned = new Promise<undefined>((resolve) => {
      abandonTurn = () => resolve(undefined);
    });
    try {
      return await Promise.race([work(turn.signal), abandoned]);
    } finally {
      turn = undefined;
      progress.hide();
    }
  }

  /** Resolves to an exit code when the session is over. */
  async function handle(message: string): Promise<ExitCode | undefined> {
    try {
      if (isSlashCommand(message)) {
        const next = await interruptible((ended) =>
          runSlashCommand(message, {
            app,
            messages,
            say,
            notice: (notice) => say(noticeLine(notice, messages, colours)),
            confirm(question) {
              yielding.pause();
              const terminal = { input, output, messages, colours, signal: ended };
              return confirm(question, terminal).finally(yielding.resume);
            },
            signal: ended,
          }),
        );
        if (next === "leave") return EXIT.done;
      } else {
        await interruptible((ended) => app.prompt(message, { signal: ended, onEvent }));
      }
    } catch (error) {
      // The session outlives every failure of one message.
      const cancelled = error instanceof DOMException && error.name === "AbortError";
      say("", ...(cancelled ? [messages.chat.cancelled] : failureLines(error, messages, colours)));
    }
    return left ? EXIT.cancelled : undefined;
  }

  try {
    say(...bannerLines(app, await app.sandbox(), messages, colours), "");
    for (let interrupts = 0; interrupts < 2;) {
      const prompt = colours.cyan("› ");
      const editor = { input, output, prompt, continuation: "… ", history, typedAhead };
      yielding.pause();
      const message = await readMessage(editor, signal).finally(yielding.resume);
      if (message.type === "end") break;
      if (message.type === "interrupt") {
        interrupts = message.hadText ? 0 : interrupts + 1;
        if (interrupts === 1) say(colours.dim(messages.chat.leaveHint));
        continue;
      }
      interrupts = 0;
      const text = message.text.trim();
      if (text === "") continue;
      const exitCode = await handle(text);
      if (exitCode !== undefined) return exitCode;
      say("");
    }
    return EXIT.done;
  } catch (error) {
    if (signal.aborted) return EXIT.cancelled;
    throw error;
  } finally {
    signal.removeEventListener("abort", leave);
    release();
    bottom.close();
  }
}

function bannerLines(app: App, sandbox: SandboxState, messages: Messages, colours: Colours): string[] {
  const { version, model, contextWindow, cwd } = app.session();
  const { chat } = messages;
  const window = contextWindow > 0 ? ` · ${chat.contextWindow(contextWindow)}` : "";
  return [
    colours.bold(chat.banner(version)),
    `${chat.model} ${printable(model)}${window}`,
    `${chat.mode} ${app.mode}`,
    `${chat.folder} ${printable(cwd)}`,
    ...notesLine(app, messages),
    printable(sandbox.text) + (sandbox.active ? "" : colours.dim(` (${printable(sandbox.remedy)})`)),
    ...(app.mode === "bypass" ? [colours.red.bold(chat.bypass)] : []),
    colours.dim(chat.hint),
  ];
}

function notesLine(app: App, { notes }: Messages): string[] {
  const { cwd } = app.session();
  const names = app.projectNotes().map(({ path, isUsers }) => (isUsers ? path : relative(cwd, path)));
  return names.length === 0 ? [] : [`${notes.banner} ${printable(names.join(", "))}`];
}

function failureLines(error: unknown, messages: Messages, colours: Colours): string[] {
  if (error instanceof UserError) {
    const { code, message, hint } = error;
    return errorLines({ code, message, ...(hint !== undefined && { hint }) }, messages, colours);
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return errorLines({ code: "bug", message: stack }, messages, colours);
}
