import { configJsonSchema } from "../../config/schema.js";
import type { LoadedConfig } from "../../config/load-config.js";
import type { Origin } from "../../config/overrides.js";
import type { ExitCode } from "../../errors.js";
import { EXIT } from "../../errors.js";
import { printable } from "../../printable.js";
import type { Messages } from "../messages/catalogue.js";
import type { CommandContext } from "../program.js";
import { start } from "../start.js";

/** `mini-cc config`: the values in force with their origin, the files that were read, or the file's JSON Schema. */
export async function configCommand(
  context: CommandContext,
  part: "show" | "path" | "schema",
): Promise<ExitCode> {
  if (part === "schema") {
    print([JSON.stringify(configJsonSchema(), null, 2)]);
    return EXIT.done;
  }
  const { loaded, messages } = await start(context);
  for (const { text } of loaded.warnings)
    process.stderr.write(`${printable(messages.translate.text(text))}\n`);
  print(part === "path" ? loaded.filesRead : describe(loaded, messages));
  return EXIT.done;
}

function describe(loaded: LoadedConfig, messages: Messages): string[] {
  const { config, origins, rules, filesRead, projectFile } = loaded;
  const values = Object.entries(origins).map(([key, origin]): [string, string, string] => [
    key,
    valueText(valueAt(config, key), messages),
    originText(origin, messages),
  ]);
  const lists = [
    ...rules.allow.map((rule) => ["allowedCommands", rule] as const),
    ...rules.deny.map((rule) => ["deniedCommands", rule] as const),
  ].map(([key, { text, origin }]): [string, string, string] => [
    key,
    JSON.stringify(text),
    originText(origin, messages),
  ]);
  const keyWidth = Math.max(...values.map(([key]) => key.length));
  const { config: words, joining } = messages;
  return [
    ...[...values, ...lists].map(
      ([key, value, origin]) => `${key.padEnd(keyWidth)}  ${value}  ${joining.bracketed(origin)}`,
    ),
    "",
    filesRead.length === 0 ? words.noFiles : joining.named(words.filesRead, joining.list(filesRead)),
    ...(projectFile && !projectFile.trusted && projectFile.widens.length > 0
      ? [words.untrusted(projectFile.path)]
      : []),
  ];
}

function valueAt(config: object, key: string): unknown {
  return key
    .split(".")
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], config);
}

function valueText(value: unknown, messages: Messages): string {
  return value === undefined ? messages.config.notSet : JSON.stringify(value);
}

function originText({ layer, source }: Origin, messages: Messages): string {
  const name = messages.config.origins[layer];
  return source === "" ? name : messages.joining.named(name, source);
}

function print(lines: readonly string[]): void {
  for (const line of lines) process.stdout.write(`${printable(line)}\n`);
}
