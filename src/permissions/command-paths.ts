import { scriptsOf } from "./hard-denials.js";
import type { FactQuestions } from "./command-facts.js";
import { parseCommandLine } from "./shell-grammar.js";
import type { CommandLine } from "./shell-grammar.js";
import { literalOf, spellingsOf } from "./shell-words.js";
import type { KnownValues, ShellWord } from "./shell-words.js";
import { possibleCommands } from "./wrappers.js";

const MOST_NESTING = 8;

/** Files that may be named by anybody: they keep nothing and tell nothing. */
const FREE_FILES: ReadonlySet<string> = new Set([
  "/dev/null",
  "/dev/stdin",
  "/dev/stdout",
  "/dev/stderr",
  "-",
]);

/**
 * The texts of a word that a program may open as a path: the word itself, the value in `--name=value` and `name=value`,
 * what is stuck to a short option, and the parts around ":" (but not in an address such as `https://…`).
 */
export function pathTexts(word: ShellWord, known: KnownValues): string[] {
  const texts = (spellingsOf(word, known) ?? []).flatMap((spelling) => {
    const value = /^[^=/]*=(.*)$/s.exec(spelling)?.[1];
    const stuck = /^-[^-]/.test(spelling) ? stuckValues(spelling) : [];
    const whole = value === undefined ? [spelling, ...stuck] : [spelling, value, ...stuck];
    return whole.flatMap(splitAtColons);
  });
  return [...new Set(texts)].filter((text) => text !== "" && !FREE_FILES.has(text));
}

function stuckValues(spelling: string): string[] {
  const slash = spelling.indexOf("/");
  const up = spelling.indexOf("..");
  return [spelling.slice(2), ...[slash, up].filter((at) => at !== -1).map((at) => spelling.slice(at))];
}

function splitAtColons(text: string): string[] {
  if (!text.includes(":")) return [text];
  const address = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/is.exec(text);
  if (address) return address[1]?.toLowerCase() === "file" ? [text, address[2] ?? ""] : [];
  return [text, ...text.split(":")];
}

/** What has to be looked up on the disk before a line can be judged, hidden scripts included. */
export function factQuestions(line: CommandLine, known: KnownValues): FactQuestions {
  const paths = new Set<string>();
  const programs = new Set<string>();
  const folders: string[] = [];
  function collect({ commands, redirects }: CommandLine, nesting: number): void {
    for (const { target } of [...redirects, ...commands.flatMap((command) => command.redirects)]) {
      if (target) for (const text of pathTexts(target, known)) paths.add(text);
    }
    for (const command of commands) {
      for (const word of command.words) for (const text of pathTexts(word, known)) paths.add(text);
      for (const words of possibleCommands(command.words)) {
        const name = literalOf(words[0]);
        if (name !== undefined && !/[/\0]/.test(name)) programs.add(name);
      }
      const [name, folder] = command.words.map(literalOf);
      if (name === "cd" && folder !== undefined) folders.push(folder);
      if (nesting >= MOST_NESTING) continue;
      for (const script of scriptsOf(command)) collect(parseCommandLine(script), nesting + 1);
    }
  }
  collect(line, 0);
  return { paths, programs, folders, usesGit: programs.has("git") };
}
