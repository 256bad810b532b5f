import type { Command } from "commander";
import type { Messages } from "./messages/catalogue.js";
import type { Run } from "./program.js";

/** Puts the commands into the program that tell of the program itself. */
export function defineHelpCommands(
  program: Command,
  { help: { commands, arguments: args } }: Messages,
  run: Run,
  examples: (...lines: string[]) => string,
): void {
  program
    .command("help")
    .argument("[topic...]", args.topic)
    .description(commands.help)
    .addHelpText("after", examples("mini-cc help permissions", "mini-cc help sessions export"))
    .action(
      run(async (context, command) =>
        (await import("./commands/help.js")).helpCommand(context, command.args, program),
      ),
    );

  program
    .command("schema")
    .argument("<format>", args.format)
    .description(commands.schema)
    .addHelpText("after", examples("mini-cc schema stream-json > events.schema.json", "mini-cc schema json"))
    .action(
      run(async (context, command) =>
        (await import("./commands/output-schema.js")).schemaCommand(context, command.args[0] ?? ""),
      ),
    );

  program
    .command("completion")
    .argument("<shell>", args.shell)
    .description(commands.completion)
    .addHelpText(
      "after",
      examples("source <(mini-cc completion bash)", "mini-cc completion fish > mini-cc.fish"),
    )
    .action(
      run(async (context, command) =>
        (await import("./shell-completion/scripts.js")).completionCommand(context, command.args[0] ?? ""),
      ),
    );
  program
    .command("complete", { hidden: true })
    .argument("[words...]")
    .action(
      run(async (context, command) =>
        (await import("./shell-completion/complete.js")).completeCommand(context, command.args, program),
      ),
    );
}
