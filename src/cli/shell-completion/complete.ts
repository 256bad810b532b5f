import type { Command, Option } from "commander";
import type { ExitCode } from "../../errors.js";
import { EXIT } from "../../errors.js";
import { printable } from "../../printable.js";
import type { CommandContext } from "../program.js";
import type { Candidate, Values } from "./values.js";
import { argumentValues, flagValues, valuesOf } from "./values.js";

/** What stands before the word that is completed. */
interface Position {
  command: Command;
  /** The flag whose value the word is. */
  flag: Option | undefined;
  /** Arguments of the command that came before. */
  taken: number;
  /** What was given for flags, by their long names. */
  given: ReadonlyMap<string, string>;
  onlyArguments: boolean;
}

/**
 * `mini-cc complete -- WORDS`, which the scripts for shells call: what the last of the words, which may be empty, can
 * become, a line each with a tab before its description; or `:files` or `:folders`, which the shell knows better.
 */
export async function completeCommand(
  context: CommandContext,
  words: readonly string[],
  program: Command,
): Promise<ExitCode> {
  const current = words.at(-1) ?? "";
  const candidates = await complete(context, positionOf(program, words.slice(0, -1)), current);
  for (const { word, about } of typeof candidates === "string" ? [{ word: candidates }] : candidates) {
    process.stdout.write(`${printable(about ? `${word}\t${about.replaceAll("\n", " ")}` : word)}\n`);
  }
  return EXIT.done;
}

async function complete(
  context: CommandContext,
  position: Position,
  current: string,
): Promise<Candidate[] | ":files" | ":folders"> {
  const { command, flag, taken, given, onlyArguments } = position;
  const beginning = (list: readonly Candidate[]) => list.filter(({ word }) => word.startsWith(current));
  const offered = (values: Values) => valuesOf(values, { context, given, program: rootOf(command) });
  if (flag && !(flag.optional && current.startsWith("-"))) {
    const values = await offered(flagValues(flag));
    return typeof values === "string" ? values : beginning(values);
  }
  if (current.startsWith("-") && !onlyArguments) {
    const [name = "", value] = current.split(/=(.*)/s);
    if (value === undefined) return beginning(flagsOf(command).map(flagCandidate));
    const option = flagsOf(command).find((one) => one.long === name);
    const values = option && takesValue(option) ? await offered(flagValues(option)) : [];
    return typeof values === "string"
      ? values
      : beginning(values.map((one) => ({ ...one, word: `${name}=${one.word}` })));
  }
  const parts = taken === 0 && !onlyArguments ? command.createHelp().visibleCommands(command) : [];
  const argument = command.registeredArguments[taken] ?? command.registeredArguments.at(-1);
  const isOpen = argument !== undefined && (taken < command.registeredArguments.length || argument.variadic);
  const values = isOpen ? await offered(argumentValues(argument.name(), command.name())) : [];
  if (typeof values === "string") return values;
  return beginning([...parts.map((part) => ({ word: part.name(), about: part.description() })), ...values]);
}

function positionOf(program: Command, before: readonly string[]): Position {
  let command = program;
  let flag: Option | undefined;
  let [taken, onlyArguments] = [0, false];
  const given = new Map<string, string>();
  for (const word of before) {
    if (flag && !(flag.optional && word.startsWith("-"))) {
      if (flag.long !== undefined) given.set(flag.long, word);
      flag = undefined;
      continue;
    }
    flag = undefined;
    if (!onlyArguments && word === "--") onlyArguments = true;
    else if (!onlyArguments && word.startsWith("-")) {
      const [name = "", value] = word.split(/=(.*)/s);
      const option = flagsOf(command).find((one) => one.long === name || one.short === name);
      if (value !== undefined) given.set(name, value);
      else if (option && takesValue(option)) flag = option;
    } else {
      const part = taken === 0 ? command.commands.find((one) => one.name() === word) : undefined;
      if (part) command = part;
      else taken++;
    }
  }
  return { command, flag, taken, given, onlyArguments };
}

function rootOf(command: Command): Command {
  return command.parent ? rootOf(command.parent) : command;
}

/** Of the command, of those above it, and of the part that a group means without a name, which is its first one. */
function flagsOf(command: Command): Option[] {
  const help = command.createHelp();
  const meant = command.parent ? command.commands[0] : undefined;
  return [...help.visibleOptions(command), ...(meant?.options ?? []), ...help.visibleGlobalOptions(command)];
}

function flagCandidate({ long, short, description }: Option): Candidate {
  return { word: long ?? short ?? "", about: description };
}

function takesValue({ required, optional }: Option): boolean {
  return required || optional;
}
