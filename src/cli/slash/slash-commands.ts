import type { AgentEvent } from "../../agent/agent-events.js";
import type { App } from "../../app.js";
import { nearestWord } from "../../edit-distance.js";
import { sameModel } from "../../model/choose-model.js";
import { printable } from "../../printable.js";
import type { Bottom } from "../bottom/bottom.js";
import type { Confirmation } from "../questions/confirm.js";
import type { CompletionItem, CompletionRequest } from "../editor/completion.js";
import { fuzzyCandidate, fuzzyMatches } from "../editor/fuzzy-match.js";
import type { PickQuestion } from "../questions/list-picker.js";
import type { Messages } from "../messages/catalogue.js";
import type { Colours } from "../render/terminal.js";
import { continueCommand, resumeCommand } from "../chat/resume-session.js";
import { table } from "../render/table.js";
import { widthOf } from "../render/terminal.js";
import { copyCommand } from "./slash-copy.js";
import { memoryCommand, reloadCommand } from "./slash-memory.js";
import { debugCommand, modeCommand, permissionsCommand, thinkCommand } from "./slash-settings.js";
import { processesCommand } from "./slash-processes.js";
import { exportCommand, forkCommand, renameCommand } from "./slash-session.js";
import { diffCommand, undoCommand } from "./slash-undo.js";

export interface SlashContext {
  app: App;
  messages: Messages;
  say: (...lines: string[]) => void;
  notice: (notice: Extract<AgentEvent, { type: "notice" }>) => void;
  /** Colours of the terminal, which `bottom` is the one writer of. */
  colours: Colours;
  bottom: Bottom;
  environment: Readonly<Record<string, string | undefined>>;
  /** The words of the newest turn; "" before there is one. */
  lastAnswer: () => string;
  /** Holds a turn. */
  prompt: (text: string) => Promise<void>;
  /** The checks of `mini-cc doctor`. */
  doctor: (print: (line: string) => void, signal: AbortSignal) => Promise<void>;
  /** Lets the user choose from a list; undefined if nothing was chosen. */
  pick: (question: PickQuestion) => Promise<number | undefined>;
  /** Undefined if the question was cancelled. */
  confirm: (question: Confirmation) => Promise<boolean | undefined>;
  /** Ends a command that takes its time. */
  signal: AbortSignal;
}

interface SlashCommand {
  name: string;
  argument?: string;
  describe: (messages: Messages) => string;
  /** Awaited, where it takes its time. */
  run: (context: SlashContext, argument: string) => unknown;
  /** Ends the session. */
  leaves?: true;
}

const SLASH_COMMANDS: readonly SlashCommand[] = [
  {
    name: "help",
    describe: (messages) => messages.chat.commands.help,
    run: ({ messages, say }) => {
      const commands = SLASH_COMMANDS.map(({ name, argument, describe }) => [
        argument === undefined ? `/${name}` : `/${name} [${argument}]`,
        describe(messages),
      ]);
      const keys = KEYS.map(([key, does]) => [key, messages.input.keys[does]]);
      say(...[...table(commands), "", ...table(keys)].map((row) => `  ${row}`.trimEnd()));
    },
  },
  {
    name: "model",
    argument: "NAME",
    describe: (messages) => messages.chat.commands.model,
    run: (context, name) => (name === "" ? pickModel(context) : useModel(context, name)),
  },
  {
    name: "mode",
    argument: "MODE",
    describe: (messages) => messages.settings.commands.mode,
    run: modeCommand,
  },
  {
    name: "permissions",
    describe: (messages) => messages.settings.commands.permissions,
    run: permissionsCommand,
  },
  {
    name: "think",
    argument: "LEVEL",
    describe: (messages) => messages.settings.commands.think,
    run: thinkCommand,
  },
  {
    name: "clear",
    describe: (messages) => messages.chat.commands.clear,
    run: async ({ app, messages, say }) => {
      await app.clear();
      say(messages.chat.cleared);
    },
  },
  {
    name: "compact",
    describe: (messages) => messages.chat.commands.compact,
    run: async ({ app, messages, say, signal }) => {
      const { tokensBefore, tokensAfter } = await app.compact(signal);
      say(messages.notice.compacted(tokensBefore, tokensAfter));
    },
  },
  {
    name: "context",
    describe: (messages) => messages.chat.commands.context,
    run: showContext,
  },
  {
    name: "undo",
    describe: (messages) => messages.undo.commands.undo,
    run: (context) => undoCommand(context, "undo"),
  },
  {
    name: "redo",
    describe: (messages) => messages.undo.commands.redo,
    run: (context) => undoCommand(context, "redo"),
  },
  {
    name: "diff",
    argument: "turn|session",
    describe: (messages) => messages.undo.commands.diff,
    run: diffCommand,
  },
  {
    name: "memory",
    argument: "add TEXT",
    describe: (messages) => messages.notes.commands.memory,
    run: memoryCommand,
  },
  {
    name: "reload",
    describe: (messages) => messages.notes.commands.reload,
    run: reloadCommand,
  },
  {
    name: "copy",
    argument: "code|N",
    describe: (messages) => messages.settings.commands.copy,
    run: copyCommand,
  },
  {
    name: "doctor",
    describe: (messages) => messages.settings.commands.doctor,
    run: ({ doctor, say, signal }) => doctor(say, signal),
  },
  {
    name: "debug",
    argument: "on|off",
    describe: (messages) => messages.settings.commands.debug,
    run: debugCommand,
  },
  {
    name: "fork",
    argument: "N",
    describe: (messages) => messages.sessions.commands.fork,
    run: forkCommand,
  },
  {
    name: "resume",
    argument: "ID",
    describe: (messages) => messages.resume.commands.resume,
    run: resumeCommand,
  },
  {
    name: "continue",
    describe: (messages) => messages.resume.commands.continue,
    run: continueCommand,
  },
  {
    name: "rename",
    argument: "TITLE",
    describe: (messages) => messages.sessions.commands.rename,
    run: renameCommand,
  },
  {
    name: "export",
    argument: "FILE",
    describe: (messages) => messages.sessions.commands.export,
    run: exportCommand,
  },
  {
    name: "processes",
    argument: "stop ID",
    describe: (messages) => messages.processes.command,
    run: processesCommand,
  },
  {
    name: "exit",
    describe: (messages) => messages.chat.commands.exit,
    run: () => undefined,
    leaves: true,
  },
];

/** What a command that is being written may become, those that begin with it first. */
export function completeSlashCommand(request: CompletionRequest, messages: Messages): CompletionItem[] {
  if (request.kind !== "command") return [];
  const query = request.query.toLowerCase();
  const begin = SLASH_COMMANDS.filter(({ name }) => name.startsWith(query));
  const others = SLASH_COMMANDS.filter(({ name }) => !name.startsWith(query));
  const like = fuzzyMatches(
    query,
    others.map(({ name }) => fuzzyCandidate(name)),
    others.length,
  );
  const found = [...begin, ...others.filter(({ name }) => like.some(({ text }) => text === name))];
  return found.map(({ name, argument, describe }) => ({
    label: argument === undefined ? `/${name}` : `/${name} [${argument}]`,
    detail: describe(messages),
    text: argument === undefined ? `/${name}` : `/${name} `,
  }));
}

/** Keys that /help explains. */
const KEYS: readonly [string, keyof Messages["input"]["keys"]][] = [
  ["Enter", "send"],
  ["Shift/Alt-Enter, Ctrl-J", "newline"],
  ["Esc, Ctrl-C", "stop"],
  ["Up, Down, Ctrl-R", "history"],
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
  if (command !== undefined) {
    await command.run(context, argument.trim());
    return command.leaves ? "leave" : "stay";
  }
  const suggestion = nearestWord(
    name,
    SLASH_COMMANDS.map((candidate) => candidate.name),
  );
  context.say(context.messages.chat.unknownCommand(`/${name}`, suggestion && `/${suggestion}`));
  return "stay";
}

/** The installed models to choose from. */
async function pickModel(context: SlashContext): Promise<void> {
  const { app, messages, say, pick } = context;
  const names = await app.listModels();
  if (names.length === 0) {
    say(messages.chat.noModels);
    return;
  }
  const current = app.session().model;
  const selected = Math.max(
    0,
    names.findIndex((name) => sameModel(name, current)),
  );
  const items = names.map((name) => ({ label: printable(name) }));
  const picked = await pick({ title: messages.chat.model, items, selected });
  const name = picked === undefined ? undefined : names[picked];
  if (name !== undefined && !sameModel(name, current)) await app.useModel(name);
  say(messages.chat.modelInUse(printable(app.session().model)));
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
  const cells = Object.entries(parts).map(([part, tokens]) => ({
    name: context[part as keyof typeof parts],
    tokens: messages.chat.tokens(tokens),
    share: `${Math.round((100 * tokens) / window)} %`,
  }));
  const widest = Math.max(...cells.map(({ tokens }) => widthOf(tokens)));
  const rows = table(
    cells.map(({ name, tokens, share }) => [
      name,
      " ".repeat(widest - widthOf(tokens)) + tokens,
      share.padStart(5),
    ]),
  ).map((row) => `  ${row}`);
  say(
    messages.chat.contextWindow(window),
    ...rows,
    ...(newest ? [context.newest(newest.promptTokens, newest.cachedTokens, newest.tokensPerSecond)] : []),
  );
}
