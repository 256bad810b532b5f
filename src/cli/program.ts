import { Command, CommanderError } from "commander";
import type { Help } from "commander";
import type { ConfigFlags } from "../config/overrides.js";
import type { ExitCode } from "../errors.js";
import type { Messages } from "./messages/catalogue.js";
import { chooseLanguage, loadMessages } from "./messages/catalogue.js";
import { AS_WRITTEN } from "./messages/translator.js";
import { defineHelpCommands } from "./help-commands.js";
import { defineSessionCommands } from "./session-commands.js";
import { hasUnicode } from "./unicode.js";

/** What every command that runs the agent takes; values are checked where the configuration is put together. */
export interface CommonOptions extends ConfigFlags {
  cwd?: string;
  continue?: boolean;
  /** True if it was given without an id. */
  resume?: string | true;
  fork?: boolean;
  /** False for --no-color. */
  color?: boolean;
  /** No spinners, nothing drawn over: for screen readers and odd terminals. */
  plain?: boolean;
  /** Nothing but ASCII is drawn. */
  ascii?: boolean;
}

/** What a command needs besides its own arguments. */
export interface CommandContext {
  options: CommonOptions;
  /** In the language of flag, environment and locale. */
  messages: Messages;
  /** The same where the configuration names a language too. */
  messagesFor: (configured: string) => Promise<Messages>;
  version: string;
}

// Of EXIT in errors.ts: written out, since help would have to load that file too.
const DONE = 0;
const USAGE = 2;

/** Cells of a topic's name in the list of topics. */
const TOPIC_COLUMN = 13;

type Action = (context: CommandContext, command: Command) => Promise<ExitCode>;

/** Makes an action of ours one of commander's. */
export type Run = (action: Action) => (...given: unknown[]) => Promise<void>;

/** Parses the arguments and runs one command, whose failure it tells. Everything but commander is loaded when used. */
export async function runProgram(
  args: readonly string[],
  version: string,
  beforeCommand: (messages: Messages) => void,
): Promise<ExitCode> {
  let messages = await loadMessages("en");
  const flags = flagsIn(args);
  const messagesFor = async (config: string | undefined) =>
    (messages = await loadMessages(
      chooseLanguage({ flag: languageFlag(flags), config, environment: process.env }),
      { unicode: hasUnicode(process.env, { ascii: flags.includes("--ascii") }) },
    ));
  let exitCode: ExitCode = DONE;
  const run =
    (action: Action) =>
    async (...given: unknown[]) => {
      const command = given.at(-1) as Command;
      beforeCommand(messages);
      await refuseExcess(command);
      exitCode = await action(
        { options: command.optsWithGlobals(), messages, messagesFor, version },
        command,
      );
    };
  let program: Command | undefined;
  try {
    await messagesFor(undefined);
    const isEnglish = messages.translate === AS_WRITTEN;
    const layout = isEnglish ? {} : (await import("./help-layout.js")).helpLayout(messages);
    program = defineProgram(messages, version, run, layout);
    await program.parseAsync(args, { from: "user" });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      return (await import("./tell-failure.js")).tellFailure(error, messages);
    }
    if (error.exitCode === 0) return DONE;
    const { printable } = await import("../printable.js");
    process.stderr.write(printable(`mini-cc: ${usageErrorText(error, messages, helpOf(program, args))}\n`));
    return USAGE;
  }
}

function defineProgram(messages: Messages, version: string, run: Run, layout: Partial<Help>): Command {
  const { commands, flags, arguments: args } = messages.help;
  const examples = (...lines: string[]) =>
    `\n${messages.help.examples}\n${lines.map((line) => `  ${line}`).join("\n")}`;
  const topics = Object.entries(messages.help.aboutTopics).map(
    ([name, about]) => `\n  ${name.padEnd(TOPIC_COLUMN)}${about}`,
  );
  const program = new Command("mini-cc")
    .description(messages.help.program)
    .version(version, "-V, --version", flags.version)
    .helpOption("-h, --help", flags.help)
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ outputError: () => undefined })
    .configureHelp({ showGlobalOptions: true, ...layout })
    .option("-m, --model <NAME>", flags.model)
    .option("--host <URL>", flags.host)
    .option("-C, --cwd <DIR>", flags.cwd)
    .option("--num-ctx <N>", flags.numCtx)
    .option("--think <LEVEL>", flags.think)
    .option("--permission-mode <MODE>", flags.permissionMode)
    .option("--allow <RULE>", flags.allow, (rule, before?: string[]) => [...(before ?? []), rule])
    .option("-c, --continue", flags.continue)
    .option("-r, --resume [ID]", flags.resume)
    .option("--fork", flags.fork)
    .option("--max-steps <N>", flags.maxSteps)
    .option("--max-tool-calls <N>", flags.maxToolCalls)
    .option("--max-minutes <N>", flags.maxMinutes)
    .option("--max-tokens <N>", flags.maxTokens)
    .option("--protocol <KIND>", flags.protocol)
    .option("--lang <LANG>", flags.lang)
    .option("--no-color", flags.noColor)
    .option("--plain", flags.plain)
    .option("--ascii", flags.ascii)
    .option("--debug", flags.debug)
    .addHelpText("after", examples("mini-cc", 'mini-cc ask "explain how the tests are organised"'))
    .addHelpText("after", `\n${messages.help.topics}${topics.join("")}`)
    .allowExcessArguments()
    .action(run(async (context) => (await import("./commands.js")).chatCommand(context)));

  program
    .command("chat")
    .description(commands.chat)
    .addHelpText("after", examples("mini-cc", "mini-cc chat --model qwen3:8b --continue"))
    .action(run(async (context) => (await import("./commands.js")).chatCommand(context)));

  program
    .command("ask")
    .argument("[prompt...]", args.prompt)
    .description(commands.ask)
    .option("--output-format <FORMAT>", flags.outputFormat, "text")
    .option("-q, --quiet", flags.quiet)
    .addHelpText(
      "after",
      examples(
        'mini-cc ask "which dependencies does this project use?"',
        'git diff | mini-cc ask "review this change" --output-format json',
      ),
    )
    .action(
      run(async (context, command) =>
        (await import("./commands.js")).askCommand(context, {
          words: command.args,
          ...command.opts<{ outputFormat: string; quiet?: boolean }>(),
        }),
      ),
    );

  program
    .command("demo")
    .description(commands.demo)
    .addHelpText("after", examples("mini-cc demo", "mini-cc demo --lang zh"))
    .action(run(async (context) => (await import("./commands/demo.js")).demoCommand(context)));

  program
    .command("doctor")
    .description(commands.doctor)
    .option("--json", flags.json)
    .option("--no-load", flags.noLoad)
    .addHelpText("after", examples("mini-cc doctor", "mini-cc doctor --model qwen3:8b --no-load"))
    .action(
      run(async (context, command) =>
        (await import("./commands/doctor.js")).doctorCommand(
          context,
          command.opts<{ json?: boolean; load: boolean }>(),
        ),
      ),
    );

  const models = program
    .command("models")
    .description(commands.models)
    .helpCommand(false)
    .addHelpText("after", examples("mini-cc models", "mini-cc models show qwen3.5:9b"));
  models
    .command("list", { isDefault: true })
    .description(commands.modelsList)
    .option("--json", flags.json)
    .addHelpText("after", examples("mini-cc models", "mini-cc models list --json"))
    .action(
      run(async (context, command) =>
        (await import("./commands/models.js")).listModels(context, command.opts<{ json?: boolean }>()),
      ),
    );
  models
    .command("pull")
    .argument("<model>", args.model)
    .description(commands.modelsPull)
    .addHelpText("after", examples("mini-cc models pull qwen3.5:9b", "mini-cc models pull qwen2.5-coder:7b"))
    .action(
      run(async (context, command) =>
        (await import("./commands/pull-model.js")).pullModel(context, command.args[0] ?? ""),
      ),
    );
  models
    .command("show")
    .argument("<model>", args.model)
    .description(commands.modelsShow)
    .option("--json", flags.json)
    .addHelpText("after", examples("mini-cc models show qwen3.5:9b", "mini-cc models show qwen3.5:9b --json"))
    .action(
      run(async (context, command) =>
        (await import("./commands/show-model.js")).showModel(
          context,
          command.args[0] ?? "",
          command.opts<{ json?: boolean }>(),
        ),
      ),
    );

  defineSessionCommands(program, messages, run, examples);

  const permissions = program
    .command("permissions")
    .description(commands.permissions)
    .helpCommand(false)
    .addHelpText("after", examples("mini-cc permissions", 'mini-cc permissions check "npm test"'));
  permissions
    .command("list", { isDefault: true })
    .description(commands.permissionsList)
    .addHelpText("after", examples("mini-cc permissions", "mini-cc permissions list --json"))
    .option("--json", flags.json)
    .action(
      run(async (context, command) =>
        (await import("./commands.js")).listPermissions(context, command.opts<{ json?: boolean }>()),
      ),
    );
  permissions
    .command("check")
    .argument("<command>", args.command)
    .description(commands.permissionsCheck)
    .option("--json", flags.json)
    .addHelpText(
      "after",
      examples(
        'mini-cc permissions check "git push --force"',
        'mini-cc permissions check "npm test" --allow "npm test" --json',
      ),
    )
    .action(
      run(async (context, command) =>
        (await import("./commands.js")).checkCommand(
          context,
          command.args[0] ?? "",
          command.opts<{ json?: boolean }>(),
        ),
      ),
    );

  permissions
    .command("remove")
    .argument("<rule>", args.rule)
    .description(commands.permissionsRemove)
    .addHelpText("after", examples('mini-cc permissions remove "npm test"', "mini-cc permissions list"))
    .action(
      run(async (context, command) =>
        (await import("./commands.js")).removeRule(context, command.args[0] ?? ""),
      ),
    );

  const config = program
    .command("config")
    .description(commands.config)
    .helpCommand(false)
    .addHelpText("after", examples("mini-cc config", "mini-cc config schema"));
  for (const part of ["show", "path", "schema"] as const) {
    config
      .command(part, { isDefault: part === "show" })
      .description(
        { show: commands.configShow, path: commands.configPath, schema: commands.configSchema }[part],
      )
      .addHelpText(
        "after",
        examples(`mini-cc config ${part}`, `mini-cc config ${part} --cwd ../other-project`),
      )
      .action(run(async (context) => (await import("./commands.js")).configCommand(context, part)));
  }

  program
    .command("trust")
    .description(commands.trust)
    .option("--revoke", flags.revoke)
    .addHelpText("after", examples("mini-cc trust", "mini-cc trust --revoke"))
    .action(
      run(async (context, command) =>
        (await import("./commands.js")).trustCommand(context, command.opts<{ revoke?: boolean }>()),
      ),
    );

  program
    .command("init")
    .description(commands.init)
    .option("--notes", messages.notes.flag)
    .addHelpText("after", examples("mini-cc init", "mini-cc init --notes --cwd ../other-project"))
    .action(
      run(async (context, command) =>
        (await import("./commands.js")).initCommand(context, command.opts<{ notes?: boolean }>()),
      ),
    );

  defineHelpCommands(program, messages, run, examples);

  return program;
}

/** What can be a flag: behind "--" all is a prompt. */
function flagsIn(args: readonly string[]): readonly string[] {
  const end = args.indexOf("--");
  return end === -1 ? args : args.slice(0, end);
}

/** Needed before commander has parsed anything: its own help is in that language. */
function languageFlag(args: readonly string[]): string | undefined {
  const index = args.findIndex((argument) => argument === "--lang" || argument.startsWith("--lang="));
  const found = args[index];
  return found?.includes("=") ? found.slice("--lang=".length) : found && args[index + 1];
}

/** What a command does not take is a mistake, or the misspelt name of a command of its group. */
async function refuseExcess(command: Command): Promise<void> {
  const { registeredArguments: taken, args, parent } = command;
  const unexpected = taken.at(-1)?.variadic === true ? undefined : args[taken.length];
  if (unexpected === undefined) return;
  const group = taken.length === 0 && parent?.parent ? parent : command;
  if (group.commands.length === 0) {
    throw new CommanderError(USAGE, "commander.excessArguments", `unexpected argument '${unexpected}'`);
  }
  const { nearestWord } = await import("../edit-distance.js");
  const nearest = nearestWord(
    unexpected,
    group.commands.map((one) => one.name()),
  );
  const advice = nearest === undefined ? "" : ` (Did you mean ${nearest}?)`;
  throw new CommanderError(USAGE, "commander.unknownCommand", `unknown command '${unexpected}'${advice}`);
}

/** The command whose help tells what the arguments should have been. */
function helpOf(program: Command | undefined, args: readonly string[]): string {
  let [command, name] = [program, "mini-cc"];
  for (const word of args) {
    const next = command?.commands.find((one) => one.name() === word);
    if (next) [command, name] = [next, `${name} ${word}`];
  }
  return name;
}

/** Commander's errors in the interface's language; its suggestion is kept. */
function usageErrorText(error: CommanderError, messages: Messages, used: string): string {
  const name = /'([^']*)'/.exec(error.message)?.[1] ?? "";
  const suggestion = /Did you mean (?:one of )?([^?,)]+)/.exec(error.message)?.[1];
  const { unknownCommand: command, unknownOption: option, seeHelp } = messages.usage;
  const text =
    error.code === "commander.unknownCommand"
      ? command(name, suggestion)
      : error.code === "commander.unknownOption"
        ? option(name, suggestion)
        : messages.translate.text(error.message.replace(/^error: /, ""));
  return `${text}\n  ${seeHelp(used)}`;
}
