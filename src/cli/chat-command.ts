import type { App } from "../app.js";
import type { ExitCode } from "../errors.js";
import { EXIT, UserError } from "../errors.js";
import { cancelOnSignals } from "./cancel-on-signals.js";
import { runChat } from "./chat.js";
import { openApp } from "./open-app.js";
import type { CommandContext } from "./program.js";
import { noticeLine } from "./render/event-lines.js";
import { createColours, terminalTraits } from "./render/terminal.js";
import { start } from "./start.js";
import { settleTrust } from "./trust.js";

/** `mini-cc`: the interactive session. Without a terminal there is none, and nothing waits for one. */
export async function chatCommand(context: CommandContext): Promise<ExitCode> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    throw new UserError(context.messages.usage.noTerminal, { code: "no-terminal", exitCode: EXIT.usage });
  }
  const begun = await settleTrust(context, await start(context), true);
  const { messages } = begun;
  const traits = terminalTraits(process.stdout, {
    environment: process.env,
    noColor: context.options.color === false,
  });
  return cancelOnSignals(async (signal) => {
    let app: App | undefined;
    try {
      app = await openApp(context, begun, signal);
      if (begun.loaded.config.warmStart) app.warmUp();
      const colours = createColours(traits.colourLevel);
      for (const notice of app.notices) {
        // The banner says it, in red.
        if (notice.code === "bypass") continue;
        process.stdout.write(`${noticeLine(notice, messages, colours)}\n`);
      }
      return await runChat({ app, input: process.stdin, output: process.stdout, messages, traits, signal });
    } catch (error) {
      if (signal.aborted) return EXIT.cancelled;
      throw error;
    } finally {
      await app?.dispose();
    }
  });
}
