import { exactRuleText, parseRule } from "./command-rules.js";
import type { ParsedRule } from "./command-rules.js";
import { INTERPRETERS_AND_WRAPPERS } from "./defaults.js";
import type { CommandLine } from "./shell-grammar.js";
import { literalOf } from "./shell-words.js";

/** Programs whose first words say what is done; a rule keeps so many words. */
const SUBCOMMAND_WORDS: Readonly<Record<string, number>> = {
  git: 2,
  npm: 2,
  "npm run": 3,
  pnpm: 2,
  "pnpm run": 3,
  yarn: 2,
  "yarn run": 3,
  bun: 2,
  "bun run": 3,
  npx: 2,
  make: 2,
  docker: 2,
  "docker compose": 3,
};

/** Programs and subcommands that destroy or hand out something: each line is asked about for itself. */
const DESTRUCTIVE =
  /^(rm|rmdir|mv|dd|shred|truncate|unlink|chmod|chown|chgrp|kill|pkill|killall|mkfs.*|ln|install|rsync|scp|git (push|reset|clean|checkout|restore|rebase|rm|filter-branch|config|stash|branch|tag|remote|submodule)|npm (publish|exec|unpublish|x)|(pnpm|yarn) (publish|dlx|exec)|bun x|docker (rm|rmi|run|exec|system|volume|compose)|kubectl .*|terraform .*)$/;

/**
 * The rule that an "always" answer would keep for a line that a rule can allow, no broader than needed: the first words
 * of a plain simple command, else exactly this line.
 *
 * @param prefixSuffices whether the line would run unasked with a prefix rule
 */
export function keepableRule(
  text: string,
  line: CommandLine,
  prefixSuffices: (rule: ParsedRule) => boolean,
): string {
  const prefix = prefixText(line);
  if (prefix === undefined) return exactRuleText(text);
  const rule = parseRule({ text: prefix, origin: "kept by an answer" });
  return "problem" in rule || !prefixSuffices(rule) ? exactRuleText(text) : prefix;
}

/** The shortest prefix that still says what is done; undefined if the line is anything but one harmless command. */
function prefixText({ commands, redirects, problems }: CommandLine): string | undefined {
  const [command, ...others] = commands;
  if (command === undefined || others.length + redirects.length + problems.length > 0) return undefined;
  if (command.redirects.length + command.assignments.length > 0) return undefined;
  const words = command.words.map((word) => literalOf(word));
  const [name, second] = words;
  if (name === undefined) return undefined;
  const two = `${name} ${second ?? ""}`;
  if (DESTRUCTIVE.test(name) || DESTRUCTIVE.test(two)) return undefined;

  const known = SUBCOMMAND_WORDS[two] ?? SUBCOMMAND_WORDS[name];
  if (known === undefined && INTERPRETERS_AND_WRAPPERS.has(name)) return undefined;
  const isSubcommand = second !== undefined && /^[a-z][a-z0-9:-]*$/.test(second);
  const kept = words.slice(0, known ?? (isSubcommand ? 2 : 1));
  if (known !== undefined && (kept.length < known || kept.some((word) => word?.startsWith("-")))) {
    return undefined;
  }
  return kept.every((word) => word !== undefined) ? kept.join(" ") : undefined;
}
