import type { App } from "../app.js";
import { editDistance } from "../edit-distance.js";
import { printable } from "../printable.js";
import type { Messages } from "./messages/catalogue.js";

export interface SlashContext {
  app: App;
  messages: Messages;
  say: (...lines: string[]) => void;
}

interface SlashCommand {
  name: string;
  argument?: string;
  describe: (messages: Messages) => string;
  run(context: SlashContext, argument: string): Promise<"stay" | "leave">;
}

const SLASH_COMMANDS: readonly SlashCommand[] = [
  {
    name: "help",
    describe: (messages) => messages.chat.commands.help,
    run: ({ messages, say }) => {
      const rows = SLASH_COMMANDS.map(({ name, argument, describe }) => {
        const usage = argument === undefined ? `/${name}` : `/${name} [${argument}]`;
        return `  ${usage.padEnd(16)}${describe(messages)}`;
      });
      say(...rows, `  ${messages.chat.keys}`);
      return Promise.resolve("stay");
    },
  },
  {
    name: "model",
    argument: "NAME",
    describe: (messages) => messages.chat.commands.model,
    run: async (context, name) => {
      await (name === "" ? listModels(context) : useModel(context, name));
      return "stay";
    },
  },
  {
    name: "clear",
    describe: (messages) => messages.chat.commands.clear,
    run: async ({ app, messages, say }) => {
      await app.clear();
      say(messages.chat.cleared);
      return "stay";
    },
  },
  {
    name: "exit",
    describe: (messages) => messages.chat.commands.exit,
    run: () => Promise.resolve("leave"),
  },
];

/** Whether a message is a command and no prompt; a prompt may begin with an absolute path. */
export function isSlashCommand(message: string): boolean {
  return /^\/[a-z-]*(\s|$)/i.test(message);
}

/** Runs "/name argument". Throws what the app throws. */
export async function runSlashCommand(message: string, context: SlashContext): Promise<"stay" | "leave"> {
  const [, name = "", argument = ""] = /^\/(\S*)\s*(.*)$/s.exec(message) ?? [];
  const command = SLASH_COMMANDS.find((candidate) => candidate.name === name.toLowerCase());
  if (command !== undefined) return command.run(context, argument.trim());
  const suggestion = nearest(
    name,
    SLASH_COMMANDS.map((candidate) => candidate.name),
  );
  context.say(context.messages.chat.unknownCommand(`/${name}`, suggestion && `/${suggestion}`));
  return "stay";
}

async function listModels({ app, messages, say }: SlashContext): Promise<void> {
  const names = await app.listModels();
  const current = app.session().model;
  const rows = names.map((name) => `${isSameModel(name, current) ? "*" : " "} ${printable(name)}`);
  say(...(rows.length > 0 ? [messages.chat.installedModels, ...rows] : [messages.chat.noModels]));
}

async function useModel({ app, messages, say }: SlashContext, wanted: string): Promise<void> {
  const names = await app.listModels();
  if (names.some((name) => isSameModel(name, wanted))) {
    await app.useModel(wanted);
    say(messages.chat.modelInUse(printable(app.session().model)));
  } else {
    const suggestion = nearest(wanted, names);
    say(messages.chat.unknownModel(printable(wanted), suggestion && printable(suggestion)));
  }
}

/** A name without a tag means the tag "latest". */
function isSameModel(a: string, b: string): boolean {
  const withTag = (name: string) => (name.includes(":") ? name : `${name}:latest`);
  return withTag(a) === withTag(b);
}

/** The most similar candidate, if one is similar at all or begins with the word. */
function nearest(word: string, candidates: readonly string[]): string | undefined {
  const written = word.toLowerCase();
  const [best] = candidates
    .map((name) => ({ name, distance: name.startsWith(written) ? 1 : editDistance(written, name) }))
    .sort((a, b) => a.distance - b.distance);
  return best !== undefined && best.distance <= Math.max(2, written.length / 3) ? best.name : undefined;
}
