import { literalOf, mayBecomeOption } from "./shell-words.js";
import type { ShellWord } from "./shell-words.js";

/** Options that take the next word (or the rest of their own) as value: letters, and long names without "--". */
export interface ValueOptions {
  short?: string;
  long?: readonly string[];
}

interface Option {
  /** One letter, or a long name without "--" and perhaps abbreviated. */
  name: string;
  /** Missing if it has none, or one that is no plain text. */
  value?: string;
  /** Position of the option among the words; its value may be the next one. */
  index: number;
}

export interface Arguments {
  options: readonly Option[];
  operands: readonly { word: ShellWord; index: number }[];
  /** Words that may turn out to be options: patterns and braces at the start, before "--". */
  unclear: readonly { word: ShellWord; index: number }[];
  /** Positions of words that are the value of an option. */
  valueIndexes: ReadonlyMap<number, string>;
}

/** A reason against running unasked, and the word that gives it. */
export interface Refusal {
  because: string;
  index: number;
}

/** Reads words (the first one is the name) as GNU programs do: clusters, `--name=value`, options after operands. */
export function readArguments(words: readonly ShellWord[], values: ValueOptions = {}): Arguments {
  const options: Option[] = [];
  const operands: { word: ShellWord; index: number }[] = [];
  const unclear: { word: ShellWord; index: number }[] = [];
  const valueIndexes = new Map<number, string>();
  let onlyOperands = false;

  for (let index = 1; index < words.length; index++) {
    const word = words[index];
    if (word === undefined) continue;
    const text = literalOf(word);
    const option = onlyOperands ? undefined : /^--([^=]+)=/.exec(leadingText(word))?.[1];
    if (option !== undefined && text === undefined) {
      // `--include=*.ts`: whatever it becomes is this option.
      options.push({ name: option, index });
      continue;
    }
    if (!onlyOperands && mayBecomeOption(word)) unclear.push({ word, index });
    if (onlyOperands || text === undefined || text === "-" || !text.startsWith("-")) {
      operands.push({ word, index });
    } else if (text === "--") {
      onlyOperands = true;
    } else {
      const read = text.startsWith("--") ? readLong(text, values.long) : readCluster(text, values.short);
      const last = read.at(-1);
      for (const option of read) options.push({ ...option, index });
      if (last?.value === "" && takesNext(text, last.name, values)) {
        index++;
        valueIndexes.set(index, last.name);
        const value = literalOf(words[index]);
        options.pop();
        options.push({ name: last.name, index: index - 1, ...(value === undefined ? {} : { value }) });
      }
    }
  }
  return { options, operands, unclear, valueIndexes };
}

function leadingText({ pieces: [first] }: ShellWord): string {
  return first?.kind === "text" ? first.value : "";
}

function readLong(text: string, long: readonly string[] = []): { name: string; value?: string }[] {
  const [, name = "", , value] = /^--([^=]*)(=([\s\S]*))?$/.exec(text) ?? [];
  if (value !== undefined) return [{ name, value }];
  return [long.some((known) => known.startsWith(name)) ? { name, value: "" } : { name }];
}

function readCluster(text: string, short = ""): { name: string; value?: string }[] {
  const read: { name: string; value?: string }[] = [];
  for (let at = 1; at < text.length; at++) {
    const name = text.charAt(at);
    if (short.includes(name)) return [...read, { name, value: text.slice(at + 1) }];
    read.push({ name });
  }
  return read;
}

function takesNext(text: string, name: string, values: ValueOptions): boolean {
  if (text.startsWith("--"))
    return !text.includes("=") && (values.long ?? []).some((known) => known.startsWith(name));
  return (values.short ?? "").includes(name) && text.endsWith(name);
}

/** Options of a table (letters and long names → what they do) that stand among the arguments, also abbreviated. */
export function refusedOptions(
  program: string,
  { options }: Arguments,
  refused: Readonly<Record<string, string>>,
): Refusal[] {
  const found: Refusal[] = [];
  for (const { name, index } of options) {
    const key = Object.keys(refused).find((known) =>
      known.length === 1 ? known === name : name.length > 1 && known.startsWith(name),
    );
    const effect = key === undefined ? undefined : refused[key];
    if (effect !== undefined)
      found.push({ because: `"${name.length > 1 ? "--" : "-"}${name}" of ${program} ${effect}`, index });
  }
  return found;
}
