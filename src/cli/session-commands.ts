import type { Command } from "commander";
import type { Messages } from "./messages/catalogue.js";
import type { Run } from "./program.js";

/** Puts `mini-cc sessions …` into the program. */
export function defineSessionCommands(
  program: Command,
  { help, sessions: words }: Messages,
  run: Run,
  examples: (...lines: string[]) => string,
): void {
  const { commands, flags, arguments: args } = help;
  const sessions = program
    .command("sessions")
    .description(commands.sessions)
    .helpCommand(false)
    .addHelpText("after", examples("mini-cc sessions", "mini-cc sessions search retry limit"));
  sessions
    .command("list", { isDefault: true })
    .description(commands.sessionsList)
    .option("--all", flags.all)
    .option("--json", flags.json)
    .addHelpText("after", examples("mini-cc sessions", "mini-cc sessions list --all --json"))
    .action(
      run(async (context, command) =>
        (await import("./commands/sessions.js")).listSessions(
          context,
          command.opts<{ all?: boolean; json?: boolean }>(),
        ),
      ),
    );
  sessions
    .command("show")
    .argument("<session>", args.session)
    .description(commands.sessionsShow)
    .option("--all", flags.all)
    .option("--json", flags.json)
    .addHelpText(
      "after",
      examples("mini-cc sessions show 20260304-05", "mini-cc sessions show 20260304 --all"),
    )
    .action(
      run(async (context, command) =>
        (await import("./commands/show-session.js")).showSession(
          context,
          command.args[0] ?? "",
          command.opts<{ all?: boolean; json?: boolean }>(),
        ),
      ),
    );
  sessions
    .command("search")
    .argument("<words...>", args.words)
    .description(commands.sessionsSearch)
    .option("--all", flags.all)
    .option("-n, --limit <N>", words.flags.limit, "20")
    .option("--json", flags.json)
    .addHelpText(
      "after",
      examples("mini-cc sessions search retry limit", "mini-cc sessions search 连接 --all"),
    )
    .action(
      run(async (context, command) =>
        (await import("./commands/search-sessions.js")).searchSavedSessions(
          context,
          command.args,
          command.opts<{ all?: boolean; json?: boolean; limit: string }>(),
        ),
      ),
    );
  sessions
    .command("export")
    .argument("<session>", args.session)
    .description(commands.sessionsExport)
    .option("--format <FORMAT>", words.flags.format, "md")
    .option("-o, --output <FILE>", words.flags.output)
    .option("--all", flags.all)
    .addHelpText(
      "after",
      examples(
        "mini-cc sessions export 20260304 -o session.md",
        "mini-cc sessions export 20260304 --format json",
      ),
    )
    .action(
      run(async (context, command) =>
        (await import("./commands/export-session.js")).exportSession(
          context,
          command.args[0] ?? "",
          command.opts<{ all?: boolean; format: string; output?: string }>(),
        ),
      ),
    );
  sessions
    .command("delete")
    .argument("<session>", args.session)
    .description(commands.sessionsDelete)
    .option("--yes", words.flags.yes)
    .option("--all", flags.all)
    .addHelpText(
      "after",
      examples("mini-cc sessions delete 20260304-05", "mini-cc sessions delete 20260304-05 --yes"),
    )
    .action(
      run(async (context, command) =>
        (await import("./commands/sessions.js")).deleteSession(
          context,
          command.args[0] ?? "",
          command.opts<{ all?: boolean; yes?: boolean }>(),
        ),
      ),
    );
}
