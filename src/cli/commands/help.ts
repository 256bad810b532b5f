import type { Command } from "commander";
import { nearestWord } from "../../edit-distance.js";
import type { ExitCode } from "../../errors.js";
import { EXIT, UserError } from "../../errors.js";
import { page } from "../pager.js";
import type { CommandContext } from "../program.js";

/** `mini-cc help`: a topic, the help of a command, or what there is of both. A topic goes before a command. */
export async function helpCommand(
  { messages }: CommandContext,
  words: readonly string[],
  program: Command,
): Promise<ExitCode> {
  const topics = new Map(Object.entries(await messages.topics()));
  const [word = ""] = words;
  const topic = words.length === 1 ? topics.get(word) : undefined;
  if (topic !== undefined) {
    await page(topic.trimStart(), process.stdout);
    return EXIT.done;
  }
  let command = program;
  for (const name of words) {
    const part = command.commands.find((one) => one.name() === name);
    if (!part) {
      const known = [
        ...command.commands.map((one) => one.name()),
        ...(command === program ? topics.keys() : []),
      ];
      throw new UserError(messages.usage.unknownTopic(name, nearestWord(name, known)), {
        code: "usage",
        hint: messages.usage.seeTopics,
        exitCode: EXIT.usage,
      });
    }
    command = part;
  }
  await page(helpText(command), process.stdout);
  return EXIT.done;
}

/** With the examples, which commander puts round its own text only when it prints it. */
function helpText(command: Command): string {
  let text = "";
  command.configureOutput({ writeOut: (part) => (text += part) });
  command.outputHelp();
  return text;
}
