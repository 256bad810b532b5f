import { findRule } from "./command-rules.js";
import type { ParsedRule } from "./command-rules.js";
import { scriptsOf } from "./hard-denials.js";
import { parseCommandLine } from "./shell-grammar.js";
import type { CommandLine } from "./shell-grammar.js";
import { literalOf } from "./shell-words.js";
import type { ShellWord } from "./shell-words.js";
import { possibleCommands } from "./wrappers.js";

/** Options in front of git's subcommand that take the next word. */
const GIT_VALUED = new Set([
  "-C",
  "-c",
  "--git-dir",
  "--work-tree",
  "--namespace",
  "--exec-path",
  "--config-env",
]);
const MOST_NESTING = 8;

/**
 * Commands that a denied rule covers, also behind wrappers, folders (`/usr/bin/git push`), git's own options
 * (`git -C x push`) and in the texts that a shell would run.
 */
export function findDenied(
  text: string,
  line: CommandLine,
  denied: readonly ParsedRule[],
  nesting = 0,
): { because: string; command?: number }[] {
  const found: { because: string; command?: number }[] = [];
  for (const rule of denied) {
    if (rule.kind === "exact" && rule.line === text) found.push({ because: deniedBy(rule.rule) });
  }
  line.commands.forEach((command, index) => {
    for (const words of possibleCommands(command.words).flatMap(spellings)) {
      const match = findRule(denied, words);
      if (match) found.push({ because: deniedBy(match.rule), command: index });
    }
    if (nesting >= MOST_NESTING) return;
    for (const script of scriptsOf(command)) {
      const inner = findDenied(script, parseCommandLine(script), denied, nesting + 1);
      found.push(...inner.map(({ because }) => ({ because, command: index })));
    }
  });
  return found;
}

function deniedBy({ text, origin }: { text: string; origin: string }): string {
  return `the rule "${text}" forbids it (${origin})`;
}

/** The words as written, with the bare name, and without git's options before the subcommand. */
function spellings(words: readonly ShellWord[]): (readonly ShellWord[])[] {
  const [first, ...rest] = words;
  const name = literalOf(first)?.replace(/^.*\//s, "");
  if (name === undefined) return [words];
  const bare: ShellWord = { text: name, pieces: [{ kind: "text", value: name }] };
  return [words, [bare, ...rest], ...(name === "git" ? [[bare, ...withoutGitOptions(rest)]] : [])];
}

function withoutGitOptions(words: readonly ShellWord[]): readonly ShellWord[] {
  let at = 0;
  while (literalOf(words[at])?.startsWith("-")) at += GIT_VALUED.has(literalOf(words[at]) ?? "") ? 2 : 1;
  return words.slice(at);
}
