import type { AgentEvent } from "../agent/agent-events.js";
import type { App } from "../app.js";
import { nearestWord } from "../edit-distance.js";
import { sameModel } from "../model/choose-model.js";
import { printable } from "../printable.js";
import type { Confirmation } from "./confirm.js";
import type { CompletionItem, CompletionRequest } from "./editor/completion.js";
import { fuzzyCandidate, fuzzyMatches } from "./editor/fuzzy-match.js";
import type { Messages } from "./messages/catalogue.js";
import { widthOf } from "./render/terminal.js";
import { memoryCommand, reloadCommand } from "./slash-memory.js";

export interface SlashContext {
  app: App;
  messages: Messages;
  say: (...lines: string[]) => void;
  notice: (notice: Extract<AgentEvent, { type: "notice" }>) => void;
  /** Undefined if the question was cancelled. */
  confirm: (question: Confirmation) => Promise<boolean | undefined>;
  /** Ends a command that takes its time. */
  signal: AbortSignal;
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
        return `  ${usage.padEnd(20)}${describe(messages)}`;
      });
      const width = Math.max(...KEYS.map(([key]) => widthOf(key)));
      const keyRows = KEYS.map(([key, does]) => `  ${key.padEnd(width)}  ${messages.input.keys[does]}`);
      say(...rows, "", ...keyRows);
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
    name: "compact",
    describe: (messages) => messages.chat.commands.compact,
    run: async ({ app, messages, say, signal }) => {
      const { tokensBefore, tokensAfter } = await app.compact(signal);
      say(messages.notice.compacted(tokensBefore, tokensAfter));
      return "stay";
    },
  },
  {
    name: "context",
    describe: (messages) => messages.chat.commands.context,
    run: async (context) => {
      await showContext(context);
      return "stay";
    },
  },
  {
    name: "memory",
    argument: "add TEXT",
    describe: (messages) => messages.notes.commands.memory,
    run: async (context, argument) => {
      await memoryCommand(context, argument);
      return "stay";
    },
  },
  {
    name: "reload",
    describe: (messages) => messages.notes.commands.reload,
    run: async (context) => {
      await reloadCommand(context);
      return "stay";
    },
  },
  {
    name: "exit",
    describe: (messages) => messages.chat.commands.exit,
    run: () => Promise.resolve("leave"),
  },
];

/** What a command that is being written may become, those that begin with it first. */
export function completeSlashCommand(request: CompletionRequest, messages: Messages): CompletionItem[] {
  if (request.kind !== "command") return [];
  const { query } = request;
  const candidates = SLASH_COMMANDS.map(({ name }) => fuzzyCandidate(name));
  const names = fuzzyMatches(query, candidates, candidates.length).map(({ text }) => text);
  const begins = (name: string) => name.startsWith(query.toLowerCase());
  return [...names.filter(begins), ...names.filter((name) => !begins(name))].flatMap((found) =>
    SLASH_COMMANDS.filter(({ name }) => name === found).map(({ name, argument, describe }) => ({
      label: argument === undefined ? `/${name}` : `/${name} [${argument}]`,
      detail: describe(messages),
      text: argument === undefined ? `/${name}` : `/${name} `,
    })),
  );
}

/** Keys that /help explains. */
const KEYS: readonly [string, keyof Messages["input"]["keys"]][] = [
  ["Enter", "send"],
  ["Shift-Enter · Alt-Enter · Ctrl-J · \\ Enter", "newline"],
  ["Esc · Ctrl-C", "stop"],
  ["↑ ↓ · Ctrl-R", "history"],
  ["@", "file"],
  ["!", "command"],
  ["Tab", "complete"],
  ["Ctrl-G", "editor"],
  ["Ctrl-Z", "suspend"],
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
  const suggestion = nearestWord(
    name,
    SLASH_COMMANDS.map((candidate) => candidate.name),
  );
  context.say(context.messages.chat.unknownCommand(`/${name}`, suggestion && `/${suggestion}`));
  return "stay";
}

async function listModels({ app, messages, say }: SlashContext): Promise<void> {
  const names = await app.listModels();
  const current = app.session().model;
  const rows = names.map((name) => `${sameModel(name, current) ? "*" : " "} ${printable(name)}`);
  say(...(rows.length > 0 ? [messages.chat.installedModels, ...rows] : [messages.chat.noModels]));
}

async function useModel({ app, messages, say }: SlashContext, wanted: string): Promise<void> {
  const names = await app.listModels();
  if (names.some((name) => sameModel(name, wanted))) {
    await app.useModel(wanted);
    say(messages.chat.modelInUse(printable(app.session().model)));
  } else {
    const suggestion = nearestWord(wanted, names);
    say(messages.chat.unknownModel(printable(wanted), suggestion && printable(suggestion)));
  }
}

/** What the context window is used for, one line a part. */
async function showContext({ app, messages, say }: SlashContext): Promise<void> {
  const { newest, window, ...parts } = await app.contextUse();
  const { context } = messages.chat;
  const rows = Object.entries(parts).map(([part, tokens]) => {
    const share = `${Math.round((100 * tokens) / window)} %`;
    return `  ${context[part as keyof typeof parts].padEnd(24)}${messages.chat.tokens(tokens).padStart(14)}${share.padStart(7)}`;
  });
  say(
    messages.chat.contextWindow(window),
    ...rows,
    ...(newest ? [context.newest(newest.promptTokens, newest.cachedTokens, newest.tokensPerSecond)] : []),
  );
}
