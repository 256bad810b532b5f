import type { App } from "../../app.js";
import type { ExitCode } from "../../errors.js";
import { EXIT, UserError } from "../../errors.js";
import { ModelError } from "../../model/model-error.js";
import { printable } from "../../printable.js";
import { tidySessions } from "../../setup/retention.js";
import { cancelOnSignals } from "../cancel-on-signals.js";
import { runChat } from "../chat/chat.js";
import { openOrFork, withChosenSession } from "../questions/choose-session.js";
import { firstSteps } from "./first-steps.js";
import { closeApp, openApp } from "../open-app.js";
import type { CommandContext } from "../program.js";
import { noticeLine } from "../render/event-lines.js";
import type { TerminalTraits } from "../render/terminal.js";
import { createColours } from "../render/terminal.js";
import type { Start } from "../start.js";
import { start } from "../start.js";
import { openPromptHistory } from "../chat/prompt-history.js";
import { createTerminalInput } from "../keyboard/terminal-input.js";
import { settleTrust } from "./trust.js";
import { readYesNo } from "../questions/yes-no.js";
import { traitsOf } from "../traits-of.js";

/** A model that is missing may be pulled at once, if the user wants. */
async function openOrPull(
  context: CommandContext,
  begun: Start,
  traits: TerminalTraits,
  signal: AbortSignal,
): Promise<App> {
  try {
    return await openApp(context, begun, signal);
  } catch (error) {
    const name = missingModel(error);
    if (name === undefined) throw error;
    const { messages } = begun;
    const input = createTerminalInput({ input: process.stdin, output: process.stdout, ...traits });
    await input.settle();
    process.stdout.write(`${printable(messages.models.offerPull(name))} ${messages.question.default} `);
    const answer = await readYesNo(input, signal);
    process.stdout.write(`${answer ?? ""}\n`);
    if (answer !== "y") throw error;
    const { pullModel } = await import("./pull-model.js");
    if ((await pullModel(context, name)) !== EXIT.done) throw error;
    return openApp(context, begun, signal);
  }
}

function isResumed({ options }: CommandContext): boolean {
  return options.resume !== undefined || options.continue === true;
}

function missingModel(error: unknown): string | undefined {
  if (!(error instanceof ModelError) || error.kind !== "model-missing") return undefined;
  return /model ["'](.+?)["'] not found/i.exec(error.message)?.[1];
}

/** `mini-cc`: the interactive session. Without a terminal there is none, and nothing waits for one. */
export async function chatCommand(context: CommandContext): Promise<ExitCode> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    throw new UserError(context.messages.usage.noTerminal, {
      code: "no-terminal",
      hint: context.messages.usage.noTerminalHint,
      exitCode: EXIT.usage,
    });
  }
  const begun = await settleTrust(context, await start(context), process.stdin);
  const { messages } = begun;
  const { warmStart } = begun.loaded.config;
  const traits = traitsOf(process.stdout, context.options);
  return cancelOnSignals(async (signal) => {
    let app: App | undefined;
    try {
      const choice = { begun, traits, signal };
      const chosen = await withChosenSession(context, choice);
      if (!chosen) return EXIT.cancelled;
      const steps = isResumed(chosen) ? [] : await firstSteps(begun);
      app = await openOrFork(chosen, (one) => openOrPull(one, begun, traits, signal), choice);
      if (warmStart) app.warmUp();
      const colours = createColours(traits.colourLevel);
      for (const notice of [...app.notices, ...(await tidySessions(begun.loaded))]) {
        // The banner says it, in red.
        if (notice.code === "bypass") continue;
        process.stdout.write(`${noticeLine(notice, messages, colours)}\n`);
      }
      const history = await openPromptHistory({
        stateFolder: begun.loaded.folders.state,
        workspaceRoot: begun.workspaceRoot,
        onFailure: (why) => process.stderr.write(`${printable(messages.input.historyNotKept(why))}\n`),
      });
      return await runChat({
        app,
        history,
        firstSteps: steps,
        environment: process.env,
        doctor: async (print, ended) => {
          const { checkSession } = await import("./doctor.js");
          await checkSession(begun, { print, colours, signal: ended });
        },
        input: process.stdin,
        output: process.stdout,
        messages,
        traits,
        notices: begun.loaded.config,
        signal,
      });
    } catch (error) {
      if (signal.aborted) return EXIT.cancelled;
      throw error;
    } finally {
      await closeApp(app, messages);
    }
  });
}
