import type { ExitCode } from "../errors.js";
import { EXIT, UserError } from "../errors.js";
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
  const app = await openApp(context, begun, new AbortController().signal);
  const leave = () => {
    void app.dispose().finally(() => process.exit(EXIT.cancelled));
  };
  for (const signal of ["SIGTERM", "SIGHUP"]) process.once(signal, leave);
  try {
    const colours = createColours(traits.colourLevel);
    for (const notice of app.notices) {
      // The banner says it, in red.
      if (notice.code === "bypass") continue;
      process.stdout.write(`${noticeLine(notice, messages, colours)}\n`);
    }
    return await runChat({ app, input: process.stdin, output: process.stdout, messages, traits });
  } finally {
    await app.dispose();
  }
}
