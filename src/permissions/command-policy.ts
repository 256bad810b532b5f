import type { JudgedCommand, PermissionMode, Verdict, VerdictKind } from "./access.js";
import type { CommandFacts } from "./command-facts.js";
import { findObjections } from "./command-findings.js";
import type { Finding } from "./command-findings.js";
import { READ_ONLY_RULES } from "./command-rules.js";
import type { ParsedRule, Rule } from "./command-rules.js";
import { findDenied } from "./denied-rules.js";
import { findHarm } from "./hard-denials.js";
import { INVISIBLE } from "./protected-paths.js";
import { keepableRule } from "./remember.js";
import type { CommandLine } from "./shell-grammar.js";
import type { KnownValues } from "./shell-words.js";

/** Everything that a command line is judged by. */
export interface CommandSettings {
  mode: PermissionMode;
  allowed: readonly ParsedRule[];
  denied: readonly ParsedRule[];
  known: KnownValues;
  /** Without bash there is nothing that runs exactly what was parsed. */
  shellFound: boolean;
}

interface Step {
  step: Finding["step"] | "harm" | "denied-rule" | "no-shell" | "text";
  verdict: Exclude<VerdictKind, "allow">;
  /** A rule for exactly this line answers it; not so for what can change while the line stays the same. */
  exactRuleAnswers?: true;
}

/** The order of judging. Every step looks at the whole line; the first one that objects decides, all give reasons. */
const STEPS: readonly Step[] = [
  { step: "harm", verdict: "deny" },
  { step: "denied-rule", verdict: "deny" },
  { step: "protected-write", verdict: "deny" },
  { step: "no-shell", verdict: "ask" },
  { step: "text", verdict: "ask" },
  { step: "grammar", verdict: "ask", exactRuleAnswers: true },
  { step: "unlisted", verdict: "ask", exactRuleAnswers: true },
  { step: "redirect", verdict: "ask", exactRuleAnswers: true },
  { step: "wrapper", verdict: "ask", exactRuleAnswers: true },
  { step: "shell-state", verdict: "ask", exactRuleAnswers: true },
  { step: "assignment", verdict: "ask", exactRuleAnswers: true },
  { step: "option", verdict: "ask", exactRuleAnswers: true },
  { step: "operand", verdict: "ask", exactRuleAnswers: true },
  { step: "computed", verdict: "ask", exactRuleAnswers: true },
  { step: "git-configuration", verdict: "ask" },
  { step: "program-lookup", verdict: "ask" },
];

/** Characters; a longer line is not read by anybody who is asked. */
const MOST_CHARACTERS = 16 * 1024;

interface Objection {
  step: Step;
  because: string;
  command?: number;
}

interface Objections {
  /** In the order of the steps. */
  objections: readonly Objection[];
  rules: ReadonlyMap<number, Rule>;
}

type Decision = Pick<Verdict, "verdict" | "by" | "because">;

/** Judges a command line. A pure function of the parsed line, the facts and the settings. */
export function judgeCommand(
  text: string,
  line: CommandLine,
  facts: CommandFacts,
  settings: CommandSettings,
): Verdict {
  function judgeBy(allowed: readonly ParsedRule[]): { found: Objections; decision: Decision } {
    const found = collect(text, line, facts, { ...settings, allowed });
    return { found, decision: decide(text, found, beyondReadOnly, { ...settings, allowed }) };
  }
  const beyondReadOnly = collect(text, line, facts, { ...settings, allowed: READ_ONLY_RULES }).objections;
  const { found, decision } = judgeBy(settings.allowed);
  return {
    ...decision,
    commands: line.commands.map((command, at) => judgedCommand(command.text, at, found, decision)),
    rememberAs: decision.verdict === "ask" ? rulesToKeep(found.objections) : [],
    readsOnly: beyondReadOnly.length === 0,
  };

  function rulesToKeep(objections: readonly Objection[]): string[] {
    if (!objections.every(({ step }) => step.exactRuleAnswers)) return [];
    // A prefix also covers the options that it names; here it may answer nothing but the missing rule.
    const onlyUnlisted = objections.every(({ step }) => step.step === "unlisted");
    const rule = keepableRule(
      text,
      line,
      (prefix) => onlyUnlisted && judgeBy([...settings.allowed, prefix]).decision.verdict === "allow",
    );
    return [rule];
  }
}

/** The modes, over what the steps found. */
function decide(
  text: string,
  { objections, rules }: Objections,
  beyondReadOnly: readonly Objection[],
  { mode, allowed }: CommandSettings,
): Decision {
  if (objections.some(({ step }) => step.verdict === "deny")) {
    return { verdict: "deny", by: "rule", because: reasons(objections) };
  }
  if (mode === "bypass") return { verdict: "allow", by: "mode", because: ['the mode "bypass" asks nothing'] };
  if (mode === "plan" && objections.length + beyondReadOnly.length > 0) {
    const because = 'the mode "plan" runs only allowed commands of the built-in read-only list';
    return {
      verdict: "deny",
      by: "mode",
      because: [because, ...reasons([...objections, ...beyondReadOnly])],
    };
  }
  if (objections.length === 0) {
    return { verdict: "allow", by: "rule", because: [...new Set([...rules.values()].map(coveredBy))] };
  }
  const exact = allowed.find((rule) => rule.kind === "exact" && rule.line === text);
  if (exact && objections.every(({ step }) => step.exactRuleAnswers)) {
    return {
      verdict: "allow",
      by: "rule",
      because: [`a rule for exactly this line allows it (${exact.rule.origin})`],
    };
  }
  return { verdict: "ask", by: "rule", because: reasons(objections) };
}

function collect(
  text: string,
  line: CommandLine,
  facts: CommandFacts,
  settings: CommandSettings,
): Objections {
  const { known, allowed, denied } = settings;
  const { findings, rules } = findObjections(line, { allowed, facts, known });
  const harm = findHarm(line, { known, folders: [known.workspaceRoot] });
  const all = [
    ...harm.map((found) => ({ ...found, step: "harm" as const })),
    ...findDenied(text, line, denied).map((found) => ({ ...found, step: "denied-rule" as const })),
    ...textProblems(text).map((because) => ({ because, step: "text" as const })),
    ...(settings.shellFound
      ? []
      : [{ because: "no bash was found to run it as it was read", step: "no-shell" as const }]),
    ...findings,
  ];
  const objections = STEPS.flatMap((step) =>
    all.filter((found) => found.step === step.step).map((found) => ({ ...found, step })),
  );
  return { objections, rules };
}

function textProblems(text: string): string[] {
  const problems: string[] = [];
  if (text.trim() === "") problems.push("the command is empty");
  if (/[\0-\x08\x0b-\x1f\x7f-\x9f]/.test(text)) problems.push("the line holds control characters");
  if (INVISIBLE.test(text)) problems.push("the line holds invisible characters, or ones that reorder text");
  if (/\p{Surrogate}/u.test(text)) problems.push("the line holds broken characters");
  if (text.length > MOST_CHARACTERS) problems.push("the line is too long to be read before it runs");
  return problems;
}

function reasons(objections: readonly { because: string }[]): string[] {
  return [...new Set(objections.map(({ because }) => because))];
}

function coveredBy({ text, origin }: Rule): string {
  return `the rule "${text}" allows it (${origin})`;
}

function judgedCommand(text: string, at: number, found: Objections, decision: Decision): JudgedCommand {
  const [first] = found.objections.filter(({ command }) => command === at);
  const rule = found.rules.get(at);
  if (first?.step.verdict === "deny") return { text, verdict: "deny", because: first.because };
  if (decision.by === "mode") return { text, verdict: decision.verdict, because: decision.because[0] ?? "" };
  if (first && decision.verdict !== "allow") return { text, verdict: "ask", because: first.because };
  const because = rule && !first ? coveredBy(rule) : (decision.because[0] ?? "");
  return { text, verdict: "allow", because };
}
