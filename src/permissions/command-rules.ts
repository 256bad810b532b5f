import { INTERPRETERS_AND_WRAPPERS, READ_ONLY_COMMANDS } from "./defaults.js";
import { judgeProgram } from "./program-rules.js";
import { literalOf } from "./shell-words.js";
import type { ShellWord } from "./shell-words.js";

/** An entry of a list, and where it comes from, in words for the user ("user settings", "--allow"). */
export interface Rule {
  text: string;
  origin: string;
}

export interface RuleWarning extends Rule {
  /** A clause, such as `it has the operator "&&"`. */
  problem: string;
  /** "ignored": the entry has no effect. "broad": it counts, but lets nearly anything run. */
  kind: "ignored" | "broad";
}

/**
 * A rule as it is compared. A prefix covers simple commands that begin with its words. A rule that starts with "="
 * covers exactly one command line, character by character: `=npm run build && npm test`.
 */
export type ParsedRule =
  { kind: "prefix"; words: readonly string[]; rule: Rule } | { kind: "exact"; line: string; rule: Rule };

const EXACT_MARK = "=";
/** The first word is a program's name in ASCII; the others are plain words of any language, without quotes. */
const PLAIN_NAME = /^[A-Za-z0-9_./+@:[-]+$/;
const PLAIN_WORD = /^[\p{L}\p{N}_./+@:,%=^-]+$/u;

/** Reads the entries of a list. None of them is an error: those that are no plain prefix come back as warnings. */
export function parseRules(
  entries: readonly Rule[],
  list: "allow" | "deny",
): { rules: ParsedRule[]; warnings: RuleWarning[] } {
  const rules: ParsedRule[] = [];
  const warnings: RuleWarning[] = [];
  for (const rule of entries) {
    const parsed = parseRule(rule);
    if ("problem" in parsed) {
      warnings.push({ ...rule, problem: parsed.problem, kind: "ignored" });
      continue;
    }
    rules.push(parsed);
    const name = parsed.kind === "prefix" && parsed.words.length === 1 ? parsed.words[0] : undefined;
    if (list === "allow" && name !== undefined && INTERPRETERS_AND_WRAPPERS.has(name)) {
      const problem = `"${name}" runs or changes whatever it is told, so nearly anything runs unasked`;
      warnings.push({ ...rule, problem, kind: "broad" });
    }
  }
  return { rules, warnings };
}

export function parseRule(rule: Rule): ParsedRule | { problem: string } {
  if (rule.text.startsWith(EXACT_MARK)) {
    const line = rule.text.slice(EXACT_MARK.length);
    return line.trim() === "" ? { problem: "it is empty" } : { kind: "exact", line, rule };
  }
  const words = rule.text.split(/[ \t]+/).filter((word) => word !== "");
  const [name, ...rest] = words;
  if (name === undefined) return { problem: "it is empty" };
  if (!PLAIN_NAME.test(name)) {
    return { problem: `"${name}" is no plain program name (patterns, operators and quotes do not count)` };
  }
  const odd = rest.find((word) => !PLAIN_WORD.test(word));
  if (odd !== undefined) {
    return { problem: `"${odd}" is no plain word (patterns, operators and quotes do not count)` };
  }
  return { kind: "prefix", words, rule };
}

/** The text of the rule that covers this command line and no other. */
export function exactRuleText(line: string): string {
  return EXACT_MARK + line;
}

/** The longest prefix rule that the words begin with; a word that is computed matches nothing. */
export function findRule(
  rules: readonly ParsedRule[],
  words: readonly ShellWord[],
): { rule: Rule; length: number } | undefined {
  let best: { rule: Rule; length: number } | undefined;
  for (const candidate of rules) {
    if (candidate.kind !== "prefix" || candidate.words.length <= (best?.length ?? 0)) continue;
    if (candidate.words.every((word, index) => literalOf(words[index]) === word)) {
      best = { rule: candidate.rule, length: candidate.words.length };
    }
  }
  return best;
}

/** The built-in read-only list as rules. */
export const READ_ONLY_RULES: readonly ParsedRule[] = READ_ONLY_COMMANDS.map((text) => ({
  kind: "prefix",
  words: text.split(" "),
  rule: { text, origin: "built-in read-only list" },
}));

/**
 * Whether an entry of `allowedCommands` allows no more than the built-in read-only list: one of its entries, perhaps
 * with harmless options that have no value. Such entries need no trust.
 */
export function isReadOnlyDefault(entry: string): boolean {
  const parsed = parseRule({ text: entry, origin: "" });
  if ("problem" in parsed || parsed.kind === "exact") return false;
  const words = parsed.words.map((text): ShellWord => ({ text, pieces: [{ kind: "text", value: text }] }));
  const rule = findRule(READ_ONLY_RULES, words);
  if (rule === undefined) return false;
  const onlyOptions = parsed.words
    .slice(rule.length)
    .every((word) => /^--?[A-Za-z0-9-]*[A-Za-z0-9]$/.test(word));
  return onlyOptions && judgeProgram(words).refusals.length === 0;
}
